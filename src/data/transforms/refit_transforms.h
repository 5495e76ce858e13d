// fit_transforms for changed options, as a search makes many of them; transforms of features some rows at a time.
#pragma once

#include "geniepath/transforms.h"

namespace geniepath {

// Reuses the singular vectors of `earlier`, which are slow to compute, where they would be the same; `earlier` must
// have been fitted to `data`.
FittedTransforms refit_transforms(const Dataset& data, const TransformOptions& options,
                                  const FittedTransforms& earlier);

// apply_transforms in two steps: all but the values of features, then these, of any rows; sparse ones keep their
// pattern.
Dataset apply_all_but_values(Dataset data, const FittedTransforms& fitted);
Features transformed_values(Features features, const FittedTransforms& fitted);

}  // namespace geniepath
