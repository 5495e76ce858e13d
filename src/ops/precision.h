// Names of precisions, as options and torch.ops take them.
#pragma once

#include <string>

#include "geniepath/error.h"
#include "geniepath/ops.h"

namespace geniepath::ops {

inline Precision precision_named(const std::string& name) {
  if (name == "f32") return Precision::kF32;
  if (name == "tf32") return Precision::kTf32;
  if (name == "bf16") return Precision::kBf16;
  fail("precision: '", name, "' is not one of f32, tf32, bf16");
}

}  // namespace geniepath::ops
