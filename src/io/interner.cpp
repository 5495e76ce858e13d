#include "io/interner.h"

#include <cstring>
#include <limits>

#include "base/random.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

uint32_t hash_of(std::string_view text) {
  uint64_t hash = text.size();
  while (!text.empty()) {
    uint64_t word = 0;
    const size_t bytes = std::min<size_t>(text.size(), sizeof word);
    std::memcpy(&word, text.data(), bytes);
    hash = mix_bits(hash + 0x9e3779b97f4a7c15ULL + word) + word;
    text.remove_prefix(bytes);
  }
  return static_cast<uint32_t>(mix_bits(hash) >> 32);
}

}  // namespace

std::string_view Interner::text_at(uint64_t at) const {
  uint32_t length = 0;
  std::memcpy(&length, texts_.data() + at, sizeof length);
  return {texts_.data() + at + sizeof length, length};
}

std::string_view Interner::operator[](int32_t number) const { return text_at(at_[static_cast<size_t>(number)]); }

size_t Interner::slot_of(std::string_view text, uint32_t hash) const {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].number >= 0 && (slots_[at].hash != hash || text_at(slots_[at].at) != text)) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return at;
}

void Interner::grow() {
  std::vector<Slot> old(std::max<size_t>(16, slots_.size() * 2));
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.number < 0) continue;
    size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].number >= 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

int32_t Interner::find(std::string_view text) const {
  return slots_.empty() ? -1 : slots_[slot_of(text, hash_of(text))].number;
}

int32_t Interner::add(std::string_view text) {
  constexpr size_t kMost = std::numeric_limits<int32_t>::max();
  if ((at_.size() + 1) * 2 > slots_.size()) grow();
  const uint32_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.number >= 0) return slot.number;
  if (at_.size() >= kMost) fail("more than ", kMost, " different texts, but they are numbered with 32 bits");
  if (text.size() > kMost) fail("a text of ", text.size(), " bytes, expected at most ", kMost);
  slot = {texts_.size(), hash, size()};
  at_.push_back(texts_.size());
  const auto length = static_cast<uint32_t>(text.size());
  texts_.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
  return slot.number;
}

std::vector<std::string> Interner::texts() const {
  std::vector<std::string> all;
  all.reserve(at_.size());
  for (int32_t number = 0; number < size(); ++number) all.emplace_back((*this)[number]);
  return all;
}

}  // namespace geniepath
