// NumPy's .npz: a zip archive (io/zip.h) whose members are .npy files. A member is unpacked on demand, and only if its
// size agrees with its own .npy header.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "io/zip.h"

namespace geniepath {

class NpzFile {
 public:
  static NpzFile open(const std::filesystem::path& path);
  // Given an owner that keeps `bytes` alive, arrays may be views of them. Without, `bytes` must outlive the NpzFile.
  static NpzFile parse(std::span<const std::byte> bytes, const std::string& where,
                       std::shared_ptr<const void> owner = nullptr);

  // Names are without ".npy".
  bool contains(const std::string& name) const { return zip_.members().count(name + ".npy") != 0; }
  at::Tensor read(const std::string& name) const;
  // The pickle in place of the elements of an array of one Python object.
  ZipFile::Content read_object(const std::string& name) const;
  const ZipFile& zip() const { return zip_; }

 private:
  explicit NpzFile(ZipFile zip) : zip_(std::move(zip)) {}
  ZipFile zip_;
};

}  // namespace geniepath
