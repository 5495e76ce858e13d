#include "distributed/c10d/engine.h"

#include <netdb.h>
#include <sys/socket.h>

#include <cstdlib>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "base/descriptor.h"

namespace geniepath::distributed {
namespace {

using c10d::ProcessGroupGloo;

// The address at which others reach this machine: that of the interface on the way to the meeting point. Where that
// cannot be found, the machine's name.
std::string own_address(const Place& place) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  if (::getaddrinfo(place.address.c_str(), std::to_string(place.port).c_str(), &hints, &found) != 0) return "";
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  for (const addrinfo* a = found; a != nullptr; a = a->ai_next) {
    const Descriptor socket(::socket(a->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    auto* address = reinterpret_cast<sockaddr*>(&own);
    char text[NI_MAXHOST];
    if (socket.is_open() && ::connect(socket.number(), a->ai_addr, a->ai_addrlen) == 0 &&
        ::getsockname(socket.number(), address, &length) == 0 &&
        ::getnameinfo(address, length, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0) {
      return text;
    }
  }
  return "";
}

std::shared_ptr<::gloo::transport::Device> device_for(const Place& place) {
  if (const char* interface = std::getenv("GLOO_SOCKET_IFNAME"))
    return ProcessGroupGloo::createDeviceForInterface(interface);
  const std::string address = own_address(place);
  return address.empty() ? ProcessGroupGloo::createDefaultDevice() : ProcessGroupGloo::createDeviceForHostname(address);
}

}  // namespace

SharedEngine make_gloo(const c10::intrusive_ptr<c10d::Store>& store, const Place& place,
                       std::chrono::milliseconds timeout) {
  const auto options = ProcessGroupGloo::Options::create(timeout);
  options->devices.push_back(device_for(place));
  options->threads = 2;
  const at::NoGradGuard no_grad;
  return c10::make_intrusive<ProcessGroupGloo>(store, static_cast<int>(place.rank), static_cast<int>(place.size),
                                               options);
}

}  // namespace geniepath::distributed
