// NumPy's .npz: a zip archive (io/zip.h) whose members are .npy files. A member is unpacked when it is asked for, and
// only where its size is the one its own .npy header asks for.
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
  // With an owner that keeps `bytes` alive, arrays may be windows into them. Without, `bytes` must outlive the NpzFile.
  static NpzFile parse(std::span<const std::byte> bytes, const std::string& where,
                       std::shared_ptr<const void> owner = nullptr);

  // By name, without ".npy".
  bool contains(const std::string& name) const { return zip_.members().count(name + ".npy") != 0; }
  at::Tensor read(const std::string& name) const;
  // The pickle that stands in place of the elements of an array of one Python object.
  ZipFile::Content read_object(const std::string& name) const;
  const ZipFile& zip() const { return zip_; }

 private:
  explicit NpzFile(ZipFile zip) : zip_(std::move(zip)) {}
  ZipFile zip_;
};

}  // namespace geniepath
