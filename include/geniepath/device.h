// Devices: the CPU, and GPUs if the library was built with CUDA.
#pragma once

#include <c10/core/Device.h>

#include <exception>
#include <string>

#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

// Parses "cpu", "cuda" or "cuda:1". An unusable GPU is an Error that says why (a build without CUDA, no such GPU, or
// one too old); there is no silent fallback to the CPU. A GPU becomes the calling thread's current device.
c10::Device device_named(const std::string& name);

// Vendor name, e.g. "NVIDIA H200", or the processor's model name.
std::string hardware_name(c10::Device device);

// One line with the requested size if `error` is a failed allocation, on the CPU or a GPU; empty for any other error.
std::string out_of_memory_message(const std::exception& error);

}  // namespace geniepath
