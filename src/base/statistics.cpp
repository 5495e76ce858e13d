#include "base/statistics.h"

#include <cassert>
#include <cmath>
#include <vector>

namespace geniepath {
namespace {

// Continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEnough = 1e-15;
  const auto away_from_0 = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / away_from_0(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m < 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const double term : {even, odd}) {
      d = 1 / away_from_0(1 + term * d);
      c = away_from_0(1 + term / c);
      fraction *= c * d;
    }
    if (std::abs(c * d - 1) < kEnough) break;
  }
  return fraction;
}

// Regularised incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double log_front = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
  return std::exp(log_front) / a * beta_fraction(a, b, x);
}

}  // namespace

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

PairedTest paired_test(std::span<const double> first, std::span<const double> second) {
  assert(first.size() == second.size() && first.size() >= 2);
  std::vector<double> differences;
  for (size_t n = 0; n < first.size(); ++n) differences.push_back(first[n] - second[n]);
  const PairedTest test{mean_of(differences), deviation_of(differences), 1};
  if (test.difference == 0) return test;
  const auto pairs = static_cast<double>(first.size());
  const double t = test.difference / (test.deviation / std::sqrt(pairs)), freedom = pairs - 1;
  return {test.difference, test.deviation, incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))};
}

}  // namespace geniepath
