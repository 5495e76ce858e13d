// Scaling of node features X [N, P]. Sparse features stay sparse.
#pragma once

#include <span>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath {

struct FeatureMoments {
  at::Tensor mean;        // f32 [P]
  at::Tensor deviation;   // f32 [P], of the population; 1 where a feature is constant
  at::Tensor never_zero;  // u8 [P]: 1 for a feature that is never 0 in the rows that have it, and not constant
  bool zero_is_value;     // one kind of nodes: a stored 0 is a value; else it may mean that a kind lacks the feature
};

// Over the rows chosen of each kind of nodes, in f64; implicit zeros of sparse features count. A feature that is 0 in
// all rows of a kind is one that the kind lacks: only the others count.
FeatureMoments feature_moments(const Features& features, std::span<const std::vector<NodeId>> kinds);

// (x - mean) / deviation; sparse features are only divided. A feature that is never 0 is shifted in either form. A node
// for which it is not stored, or is 0 where zero is no value, lacks it and keeps 0.
Features standardise(const Features& features, const FeatureMoments& moments);

// Each row divided by the sum of its magnitudes; a row of zeros stays.
Features row_normalise(const Features& features);

Features scale(const Features& features, double factor);

}  // namespace geniepath
