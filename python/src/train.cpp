// Training into a folder, as `geniepath train` does, watched and stopped from Python.
#include "bindings.h"
#include "geniepath/device.h"
#include "geniepath/run.h"
#include "options.h"

namespace geniepath::python {
namespace {

// Hooks that call Python with its lock held. A Python error, Ctrl-C among them, stops the training as `geniepath train`
// is stopped, so that it can be resumed, and is raised afterwards.
class PythonHooks {
 public:
  PythonHooks(py::object on_epoch, py::object on_note) : on_epoch_(std::move(on_epoch)), on_note_(std::move(on_note)) {}

  RunSettings settings(bool resume, bool force, at::Device device) {
    return {resume, force, device, [this](const std::string& note) { guarded([&] { on_note_(note); }); }};
  }

  TrainHooks hooks() {
    TrainHooks hooks;
    hooks.should_stop = [this] { return error_ != nullptr || guarded([] { check_signals(); }); };
    hooks.on_epoch = [this](const EpochRecord& record) {
      guarded([&] {
        if (!on_epoch_.is_none()) on_epoch_(record.epoch, record.loss, record.best_value, record.best_epoch);
      });
    };
    return hooks;
  }

  void raise() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static void check_signals() {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

  // Whether f raised an error, which is kept.
  template <class F>
  bool guarded(const F& f) {
    const py::gil_scoped_acquire locked;
    try {
      f();
    } catch (const py::error_already_set&) {
      error_ = std::current_exception();
    }
    return error_ != nullptr;
  }

  py::object on_epoch_, on_note_;
  std::exception_ptr error_;
};

void train_run(const std::string& folder, const OptionTexts& options, bool force, bool resume,
               const std::string& device, const py::object& on_epoch, const py::object& on_note,
               const std::shared_ptr<NewGraphFile>& written) {
  PythonHooks python(on_epoch, on_note);
  {
    const py::gil_scoped_release unlocked;
    RunRequest request = request_of(options);
    request.written = written;
    train(request, RunFolder(folder), python.settings(resume, force, device_named(device)), python.hooks());
  }
  python.raise();
}

}  // namespace

void bind_train(py::module_& module) {
  module.def("default_options", &default_options);
  module.def("train", train_run, py::arg("folder"), py::arg("options"), py::arg("force"), py::arg("resume"),
             py::arg("device"), py::arg("on_epoch"), py::arg("on_note"), py::arg("written"));
}

}  // namespace geniepath::python
