// Scaling of node features X [N, P]. Sparse features stay sparse: they are scaled, never shifted.
#pragma once

#include <span>

#include "geniepath/dataset.h"

namespace geniepath {

struct FeatureMoments {
  at::Tensor mean;       // f32 [P]
  at::Tensor deviation;  // f32 [P], of the population; 1 where a feature is constant
};

// Over the chosen rows, in f64; implicit zeros of sparse features count.
FeatureMoments feature_moments(const Features& features, std::span<const NodeId> rows);

// (x - mean) / deviation; sparse features are only divided, ignoring the mean.
Features standardise(const Features& features, const at::Tensor& mean, const at::Tensor& deviation);

// Each row divided by the sum of its magnitudes; a row of zeros stays.
Features row_normalise(const Features& features);

Features scale(const Features& features, double factor);

}  // namespace geniepath
