// fit_transforms after a change of options, as a search makes many.
#pragma once

#include "geniepath/transforms.h"

namespace geniepath {

// Singular vectors, which take long, are those of `earlier` where they would be the same; `earlier` was fitted to `data`.
FittedTransforms refit_transforms(const Dataset& data, const TransformOptions& options, const FittedTransforms& earlier);

}  // namespace geniepath
