// Clamp of the attention's exponents 2a and 2b, so that exp(2a) exp(2b) stays finite in f32.
#pragma once

namespace geniepath::kernels {

constexpr float kLargestExponent = 43.0f;

}  // namespace geniepath::kernels
