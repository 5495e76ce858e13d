// fit_transforms for changed options, as a search makes many of them.
#pragma once

#include "geniepath/transforms.h"

namespace geniepath {

// Reuses the singular vectors of `earlier`, which are slow to compute, where they would be the same; `earlier` must
// have been fitted to `data`.
FittedTransforms refit_transforms(const Dataset& data, const TransformOptions& options, const FittedTransforms& earlier);

}  // namespace geniepath
