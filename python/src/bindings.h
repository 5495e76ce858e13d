// The parts of the extension module geniepath._core.
#pragma once

#include <pybind11/stl.h>
#include <torch/csrc/utils/pybind.h>

namespace geniepath::python {

namespace py = pybind11;

// Releases the interpreter's lock while the library works.
using Unlocked = py::call_guard<py::gil_scoped_release>;

void bind_data(py::module_& module);
void bind_graph(py::module_& module);
void bind_models(py::module_& module);
void bind_operations(py::module_& module);
void bind_run(py::module_& module);
void bind_train(py::module_& module);

}  // namespace geniepath::python
