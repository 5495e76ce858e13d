// File descriptors that close themselves, and system calls whose failures are FileErrors.
#pragma once

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>

namespace geniepath {

// Throws a FileError: "path: what: why".
[[noreturn]] void fail_on(const std::filesystem::path& path, const std::string& what, int problem = errno);

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  // Throws a FileError if the path cannot be opened.
  Descriptor(const std::filesystem::path& path, int flags);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // Gives up ownership: the caller closes the number.
  int release();

 private:
  int number_ = -1;
};

// Errors name `path`.
void write_all(const Descriptor& to, std::string_view bytes, const std::filesystem::path& path);
void flush_to_disk(const Descriptor& file, const std::filesystem::path& path);
// Makes renames, creations and removals in the folder durable.
void flush_folder_to_disk(const std::filesystem::path& folder);

}  // namespace geniepath
