#include "geniepath/device.h"

#include <fstream>
#include <new>

#include "geniepath/error.h"
#include "ops/device.h"

namespace geniepath {

c10::Device device_named(const std::string& name) {
  if (name == "cpu") return c10::Device(c10::kCPU);
  const bool numbered = name.size() == 6 && name.rfind("cuda:", 0) == 0 && name[5] >= '0' && name[5] <= '9';
  if (name != "cuda" && !numbered) fail("device: '", name, "' is not one of cpu, cuda, cuda:0, cuda:1, ...");
  const int index = numbered ? name[5] - '0' : 0;
  ops::check_gpu(index);
  return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
}

std::string hardware_name(c10::Device device) {
  if (device.is_cuda()) return ops::gpu_name(device.index());
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "an unnamed processor";
}

std::string out_of_memory_message(const std::exception& error) {
  const std::string what = error.what();
  const bool gpu = what.find("CUDA out of memory") != std::string::npos;
  const bool cpu = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
                   what.find("can't allocate memory") != std::string::npos;
  if (!gpu && !cpu) return "";
  return (gpu ? "out of GPU memory: " : "out of memory: ") + what.substr(0, what.find('\n'));
}

}  // namespace geniepath
