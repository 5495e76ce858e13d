// Means over repeated runs, and whether two series of them differ.
#pragma once

#include <cstdint>
#include <span>

namespace geniepath {

double mean_of(std::span<const double> values);       // 0 without any
double deviation_of(std::span<const double> values);  // standard deviation, n - 1; 0 of fewer than two

// Student's paired t-test, two-sided: p is the probability of a mean difference at least this far from 0 if the pairs
// differ by chance alone.
struct PairedTest {
  double difference = 0;  // mean of first - second
  double deviation = 0;   // of the differences
  double p = 1;
};
// Both sides must have as many values, at least two.
PairedTest paired_test(std::span<const double> first, std::span<const double> second);

}  // namespace geniepath
