// Which memory is a mapped file's: what was read of it and is not needed for now need not be held, and what can no longer
// be read can be said.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace geniepath {

// A mapping that is never written to begins, and ends: it must not be unmapped before the second call returns.
void note_mapped(std::span<const std::byte> bytes, const std::string& path);
void note_unmapped(std::span<const std::byte> bytes);

// The process lets go of the pages within these bytes; who reads them again gets them from the file again. Bytes that are
// not of a mapped file stay. Safe to call from many threads, readers among them.
void let_go_of_mapped(std::span<const std::byte> bytes);

// From now on a mapped file that became shorter, or whose disk failed, ends the process when it is read: with a line that
// begins with `program` and names the file, and this exit code, where the signal SIGBUS would kill it. For programs:
// which signals a library's caller handles is the caller's business.
void exit_when_a_mapping_is_lost(const char* program, int exit_code);

}  // namespace geniepath
