#include "serve/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "geniepath/error.h"

namespace geniepath::serve {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses addresses_of(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int problem = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (problem != 0) fail("serve: cannot listen on ", host, ":", port, ": ", ::gai_strerror(problem));
  return {found, &::freeaddrinfo};
}

// Without SO_REUSEPORT, which would share a port in use.
Descriptor bound(const addrinfo& address) {
  Descriptor descriptor(::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(descriptor.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool listens = ::bind(descriptor.number(), address.ai_addr, address.ai_addrlen) == 0 &&
                       ::listen(descriptor.number(), SOMAXCONN) == 0;
  return listens ? std::move(descriptor) : Descriptor();
}

}  // namespace

ListeningSocket listen_on(const std::string& host, int port) {
  const Addresses addresses = addresses_of(host, port);
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    Descriptor descriptor = bound(*address);
    if (!descriptor.is_open()) continue;
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    ::getsockname(descriptor.number(), reinterpret_cast<sockaddr*>(&own), &length);
    if (own.ss_family == AF_INET6) {
      const auto& six = reinterpret_cast<const sockaddr_in6&>(own);
      return {std::move(descriptor), ntohs(six.sin6_port), IN6_IS_ADDR_LOOPBACK(&six.sin6_addr) != 0};
    }
    const auto& four = reinterpret_cast<const sockaddr_in&>(own);
    return {std::move(descriptor), ntohs(four.sin_port), ntohl(four.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET};
  }
  fail("serve: cannot listen on ", host, ":", port, ": ", std::strerror(errno));
}

}  // namespace geniepath::serve
