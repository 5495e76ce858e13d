#include "base/checksum.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iomanip>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/text_stream.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr uint64_t kPrime1 = 0x9e3779b185ebca87, kPrime2 = 0xc2b2ae3d27d4eb4f, kPrime3 = 0x165667b19e3779f9,
                   kPrime4 = 0x85ebca77c2b2ae63, kPrime5 = 0x27d4eb2f165667c5;
constexpr const char* kKey = "checksum";

template <class T>
T word(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

uint64_t round(uint64_t lane, uint64_t input) { return std::rotl(lane + input * kPrime2, 31) * kPrime1; }
uint64_t merge(uint64_t hash, uint64_t lane) { return (hash ^ round(0, lane)) * kPrime1 + kPrime4; }

uint64_t avalanche(uint64_t hash) {
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

// The bytes after the last whole block.
uint64_t finish(uint64_t hash, std::span<const std::byte> rest) {
  const std::byte* at = rest.data();
  const std::byte* const end = at + rest.size();
  for (; end - at >= 8; at += 8) hash = std::rotl(hash ^ round(0, word<uint64_t>(at)), 27) * kPrime1 + kPrime4;
  for (; end - at >= 4; at += 4) hash = std::rotl(hash ^ word<uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
  for (; at < end; ++at) hash = std::rotl(hash ^ std::to_integer<uint64_t>(*at) * kPrime5, 11) * kPrime1;
  return avalanche(hash);
}

std::string checksum_of(const nlohmann::ordered_json& object) {
  Checksum checksum;
  checksum.add(object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return checksum.hex();
}

using Lanes = std::array<uint64_t, 4>;

// By value, so that the lanes stay in registers from one block to the next.
Lanes mixed(Lanes lanes, const std::byte* block) {
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    lanes[lane] = round(lanes[lane], word<uint64_t>(block + lane * sizeof(uint64_t)));
  }
  return lanes;
}

}  // namespace

void Checksum::add(std::span<const std::byte> bytes) {
  const size_t held = length_ % kBlock;
  length_ += bytes.size();
  if (held > 0) {
    const auto taken = bytes.first(std::min(bytes.size(), kBlock - held));
    std::copy(taken.begin(), taken.end(), rest_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(taken.size());
    if (held + taken.size() < kBlock) return;
    lanes_ = mixed(lanes_, rest_.data());
  }
  Lanes lanes = lanes_;
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) lanes = mixed(lanes, bytes.data());
  lanes_ = lanes;
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

uint64_t Checksum::value() const {
  uint64_t hash = lanes_[2] + kPrime5;
  if (length_ >= kBlock) {
    hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    for (const uint64_t lane : lanes_) hash = merge(hash, lane);
  }
  return finish(hash + length_, std::span(rest_).first(length_ % kBlock));
}

std::string Checksum::hex() const {
  TextStream text;
  text << std::hex << std::setw(kDigits) << std::setfill('0') << value();
  return text.str();
}

std::string sealed_json(nlohmann::ordered_json object) {
  object[kKey] = checksum_of(object);
  return object.dump(2) + "\n";
}

nlohmann::ordered_json parse_sealed_json(std::string_view text, const std::string& where) {
  auto object = parse_json<nlohmann::ordered_json>(text, where);
  if (!object.is_object() || !object.contains(kKey)) return object;
  const nlohmann::ordered_json said = object[kKey];
  object.erase(kKey);
  if (said == checksum_of(object)) return object;
  fail(where, ": damaged, or changed since it was written: its checksum does not match; remove the line '", kKey,
       "' if the change is intended");
}

}  // namespace geniepath
