// Which memory is a mapped file's, so that what was read of it and is not needed for now need not be held.
#pragma once

#include <cstddef>
#include <span>

namespace geniepath {

// A mapping that is never written to begins, and ends: it must not be unmapped before the second call returns.
void note_mapped(std::span<const std::byte> bytes);
void note_unmapped(std::span<const std::byte> bytes);

// The process lets go of the pages within these bytes; who reads them again gets them from the file again. Bytes that are
// not of a mapped file stay. Safe to call from many threads, readers among them.
void let_go_of_mapped(std::span<const std::byte> bytes);

}  // namespace geniepath
