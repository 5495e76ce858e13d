#include "distributed/mailbox.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <utility>

#include "geniepath/error.h"

namespace geniepath::distributed {
namespace {

constexpr size_t kPage = 4096;

size_t whole_pages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

// A process's number, its descriptor's, and the token at the beginning of the memory.
struct Address {
  long process = 0;
  int descriptor = 0;
  std::string token;
};

std::optional<Address> parsed(const std::string& text) {
  Address address;
  char token[65] = {};
  if (std::sscanf(text.c_str(), "%ld %d %64s", &address.process, &address.descriptor, token) != 3) return std::nullopt;
  address.token = token;
  return address;
}

// `ulimit -f` applies to shared memory, too.
bool may_grow() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

bool draw_token(char* token, size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  if (::getrandom(token, size, 0) != static_cast<ssize_t>(size)) return false;
  for (size_t n = 0; n < size; ++n) token[n] = kDigits[static_cast<unsigned char>(token[n]) % 16];
  return true;
}

}  // namespace

Mailbox::Mailbox(Descriptor memory, size_t size) : memory_(std::move(memory)) {
  if (!map(size)) fail("shared memory: cannot map ", size, " bytes: ", std::strerror(errno));
}

Mailbox::Mailbox(Mailbox&& other) noexcept
    : memory_(std::move(other.memory_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      room_(std::move(other.room_)) {}

Mailbox& Mailbox::operator=(Mailbox&& other) noexcept {
  std::swap(memory_, other.memory_), std::swap(data_, other.data_), std::swap(size_, other.size_),
      std::swap(room_, other.room_);
  return *this;
}

Mailbox::~Mailbox() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

std::optional<Mailbox> Mailbox::create() {
  if (!may_grow()) return std::nullopt;
  Descriptor memory(::memfd_create("geniepath", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const size_t size = whole_pages(sizeof(Head));
  if (!memory.is_open() || ::ftruncate(memory.number(), static_cast<off_t>(size)) != 0) return std::nullopt;
  if (::fcntl(memory.number(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) return std::nullopt;
  Mailbox mailbox(std::move(memory), size);
  if (!draw_token(mailbox.head().token, kTokenSize)) return std::nullopt;
  return mailbox;
}

std::optional<Mailbox> Mailbox::open(const std::string& text) {
  const std::optional<Address> address = parsed(text);
  if (!address) return std::nullopt;
  const std::string path = "/proc/" + std::to_string(address->process) + "/fd/" + std::to_string(address->descriptor);
  Descriptor memory(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat status {};
  if (!memory.is_open() || ::fstat(memory.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const int seals = ::fcntl(memory.number(), F_GET_SEALS);  // without the seal, another process could take pages away
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || status.st_size < static_cast<off_t>(sizeof(Head)))
    return std::nullopt;
  Mailbox mailbox(std::move(memory), static_cast<size_t>(status.st_size));
  if (address->token != std::string(mailbox.head().token, kTokenSize)) return std::nullopt;
  return mailbox;
}

std::string Mailbox::address() const {
  return std::to_string(::getpid()) + " " + std::to_string(memory_.number()) + " " +
         std::string(head().token, kTokenSize);
}

bool Mailbox::try_send(const void* data, size_t bytes) {
  const uint64_t sent = head().sent.load(std::memory_order_relaxed);
  if (sent - head().received.load(std::memory_order_acquire) == kLetters) return false;
  const size_t letter = sent % kLetters;
  if (bytes > room_[letter]) make_room(letter, bytes);
  std::memcpy(data_ + head().letters[letter].begin, data, bytes);
  head().letters[letter].bytes = bytes;
  head().sent.store(sent + 1, std::memory_order_release);
  return true;
}

bool Mailbox::try_receive(void* data, size_t bytes) {
  const uint64_t received = head().received.load(std::memory_order_relaxed);
  if (head().sent.load(std::memory_order_acquire) == received) return false;
  const Letter letter = head().letters[received % kLetters];
  if (letter.bytes != bytes) fail("another process sent ", letter.bytes, " bytes, expected ", bytes);
  if (letter.begin > size_ || bytes > size_ - letter.begin) {
    struct stat status {};
    const bool known = ::fstat(memory_.number(), &status) == 0 && map(static_cast<size_t>(status.st_size));
    if (!known || letter.begin > size_ || bytes > size_ - letter.begin)
      fail("shared memory: a message that lies outside of it");
  }
  std::memcpy(data, data_ + letter.begin, bytes);
  head().received.store(received + 1, std::memory_order_release);
  return true;
}

// Maps the whole memory, which may have grown. Anew, as the thread sanitizer does not see what mremap moves, and takes
// what is mapped in its old place later for the same memory.
bool Mailbox::map(size_t size) {
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.number(), 0);
  if (mapped == MAP_FAILED) return false;
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = static_cast<std::byte*>(mapped), size_ = size;
  return true;
}

// Makes room at the end of the memory; the letter's old place is given back to the system.
void Mailbox::make_room(size_t letter, size_t bytes) {
  const size_t begin = size_, room = whole_pages(bytes);
  Letter& place = head().letters[letter];
  if (room_[letter] > 0) {
    ::fallocate(memory_.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(place.begin),
                static_cast<off_t>(room_[letter]));
  }
  if (::ftruncate(memory_.number(), static_cast<off_t>(begin + room)) != 0 || !map(begin + room)) {
    fail("shared memory: cannot grow by ", room, " bytes: ", std::strerror(errno));
  }
  head().letters[letter].begin = begin;
  room_[letter] = room;
}

}  // namespace geniepath::distributed
