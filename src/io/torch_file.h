// PyTorch Geometric's Data object as torch.save writes it: a zip archive with one pickle, NAME/data.pkl, and the
// tensors' raw elements, NAME/data/KEY. The pickle is read by io/pickle.h, which never calls anything:
//   Data()   with the state {'_store': GlobalStorage() with the state {'_mapping': {'x': tensor, 'y': tensor, ...}}}
//   tensor:  _rebuild_tensor_v2(storage, offset, size, stride, ...)
//   storage: ('storage', torch.FloatStorage, KEY, 'cpu', elements), a persistent id
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "io/zip.h"

namespace geniepath {

// The tensors by name, in row order; only float, double and long.
std::map<std::string, at::Tensor> read_torch_data(const ZipFile& file);

}  // namespace geniepath
