#include "bindings.h"
#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"
#include "geniepath/usable_cpus.h"
#include "geniepath/version.h"

PYBIND11_MODULE(_core, module) {
  using namespace geniepath::python;
  module.doc() = "The C++ library of geniepath.";
  auto& error = py::register_exception<geniepath::Error>(module, "Error", PyExc_ValueError);
  error.attr("__module__") = "geniepath";
  error.attr("__doc__") = "A mistake of the caller: what, where, what was expected and what was found.";
  module.attr("__version__") = geniepath::version();
  module.def("use_large_pages", &geniepath::use_large_pages);
  module.def("usable_cpus", &geniepath::usable_cpus);
  bind_graph(module);
  bind_operations(module);
  bind_models(module);
  bind_data(module);
  bind_run(module);
  bind_train(module);
}
