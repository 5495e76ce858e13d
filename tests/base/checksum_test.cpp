#include "base/checksum.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "expect_error.h"
#include "flipped_bits.h"

namespace geniepath {
namespace {

using Json = nlohmann::ordered_json;

std::string checksum_of(std::string_view text) {
  Checksum checksum;
  checksum.add(text);
  return checksum.hex();
}

TEST(Checksum, IsXxh64) {
  EXPECT_EQ(checksum_of(""), "ef46db3751d8e999");
  EXPECT_EQ(checksum_of("a"), "d24ec4f1a98c6e5b");
  EXPECT_EQ(checksum_of("abc"), "44bc2cf5ad770999");
  EXPECT_EQ(checksum_of("Nobody inspects the spammish repetition"), "fbcea83c8a378bf1");
}

TEST(Checksum, PiecesGiveWhatTheWholeGives) {
  const std::string text =
      "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen";
  for (size_t first = 0; first <= text.size(); ++first) {
    for (size_t second = first; second <= text.size(); second += 5) {
      Checksum pieces;
      pieces.add(text.substr(0, first)), pieces.add(text.substr(first, second - first)),
          pieces.add(text.substr(second));
      ASSERT_EQ(pieces.hex(), checksum_of(text)) << first << " " << second;
    }
  }
}

TEST(Checksum, EveryFlippedBitShows) {
  for (const size_t length : {1, 7, 31, 32, 33, 100}) {
    const std::string text(length, 'x');
    testing::for_flipped_bits(text, testing::kEveryBit, [&](const std::string& flipped, size_t bit) {
      EXPECT_NE(checksum_of(flipped), checksum_of(text)) << length << " " << bit;
    });
  }
}

Json some_object() {
  return {{"b", 0.1}, {"a", {1, -2, 1e300}}, {"text", "\xc3\xa9"}, {"inner", {{"z", true}, {"y", nullptr}}}};
}

TEST(Checksum, OfAJsonFileGoesThroughTheFile) {
  const std::string text = sealed_json(some_object());
  EXPECT_EQ(parse_json<Json>(text, "x").size(), some_object().size() + 1);
  EXPECT_EQ(parse_sealed_json(text, "x"), some_object());
  EXPECT_EQ(parse_sealed_json(some_object().dump(), "x"), some_object()) << "without one, it passes";
}

TEST(Checksum, OfAJsonFileShowsEveryFlippedBit) {
  const Json whole = some_object();
  testing::for_flipped_bits(sealed_json(whole), testing::kEveryBit, [&](const std::string& flipped, size_t bit) {
    try {
      Json object = parse_sealed_json(flipped, "x");
      for (const auto& [key, value] : whole.items()) EXPECT_EQ(object[key], value) << bit;
    } catch (const Error&) {
    }
  });
}

TEST(Checksum, SaysWhichFileWasChanged) {
  std::string text = sealed_json(some_object());
  text.replace(text.find("0.1"), 3, "0.2");
  EXPECT_ERROR(parse_sealed_json(text, "model.json"), "model.json: damaged, or changed since it was written");
}

}  // namespace
}  // namespace geniepath
