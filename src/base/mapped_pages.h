// Register of mapped files: drops their resident pages on request and reports files that can no longer be read.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace geniepath {

// Registers and removes a read-only mapping, which must stay mapped until note_unmapped returns.
void note_mapped(std::span<const std::byte> bytes, const std::string& path);
void note_unmapped(std::span<const std::byte> bytes);

// Drops the resident pages within these bytes; later reads fault them back in. Bytes outside mapped files are left
// alone. Thread-safe, also beside readers of the same bytes.
void let_go_of_mapped(std::span<const std::byte> bytes);

// From now on, reading a mapped file that was truncated, or whose disk failed, exits with this code and one line that
// begins with `program` and names the file, instead of dying of SIGBUS. For programs only: a library leaves signal
// handlers to its caller.
void exit_when_a_mapping_is_lost(const char* program, int exit_code);

}  // namespace geniepath
