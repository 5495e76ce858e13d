// Where work runs: the CPU, or a GPU where the library was built with CUDA.
#pragma once

#include <c10/core/Device.h>

#include <exception>
#include <string>

#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

// "cpu", "cuda" or "cuda:1". A GPU that cannot be used is an Error that says why: a build without CUDA, no such GPU, or
// one too old. There is no silent way back to the CPU.
c10::Device device_named(const std::string& name);

// What a device is called by who made it, as "NVIDIA H200" or the processor's model name.
std::string hardware_name(c10::Device device);

// Where an allocation failed: one line that says what was asked for. Empty where `error` is of another kind.
std::string out_of_memory_message(const std::exception& error);

}  // namespace geniepath
