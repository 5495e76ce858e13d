// Lowers Highway's choice to GENIEPATH_CPU, before any kernel runs.
#include <hwy/targets.h>

#include "kernels/cpu/instruction_set.h"

namespace geniepath::kernels::cpu {
namespace {

// Highway's target bits descend in quality: the bits below a target's are better targets.
constexpr int64_t better_than(int64_t target) { return target - 1; }

int64_t targets_above(InstructionSet limit) {
  switch (limit) {
    case InstructionSet::kSse4:
      return better_than(HWY_SSE4);
    case InstructionSet::kAvx2:
      return better_than(HWY_AVX2);
    case InstructionSet::kAvx512:
      return better_than(HWY_AVX3_DL);  // AVX-512 with all but 16-bit floats
    case InstructionSet::kAvx512Bf16:
    case InstructionSet::kAmx:
      break;
  }
  return 0;
}

[[maybe_unused]] const bool kHighwayIsLimited = [] {
  const int64_t disabled = targets_above(instruction_set_limit());
  if (disabled != 0) hwy::DisableTargets(disabled);
  return disabled != 0;
}();

}  // namespace
}  // namespace geniepath::kernels::cpu
