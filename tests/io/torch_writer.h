// A Data object of PyTorch Geometric as torch.save writes it: three nodes, two edges.
#pragma once

#include <string>
#include <vector>

#include "io/pickle_writer.h"
#include "io/zip_writer.h"

namespace geniepath::testing {

inline std::string unicode(const std::string& text) { return "X" + raw(static_cast<uint32_t>(text.size())) + text; }

struct SmallTensor {
  std::string name, storage;
  int64_t elements, first;
  std::vector<int64_t> sizes, strides;
};

inline std::string pickled_tensor(const SmallTensor& tensor, const std::string& key) {
  const std::string id = "(" + unicode("storage") + pickled_global("torch", tensor.storage) + unicode(key) +
                         unicode("cpu") + pickled_int(tensor.elements) + "tQ";
  return pickled_global("torch._utils", "_rebuild_tensor_v2") + "(" + id + pickled_int(tensor.first) +
         pickled_tuple(tensor.sizes) + pickled_tuple(tensor.strides) + "\x89" +
         pickled_global("collections", "OrderedDict") + ")RtR";
}

// As written by torch.save, with the Data object referenced by its own store.
inline std::string data_pickle(const std::vector<SmallTensor>& tensors) {
  std::string mapping = "}(";
  for (size_t t = 0; t < tensors.size(); ++t) {
    mapping += unicode(tensors[t].name) + pickled_tensor(tensors[t], std::to_string(t));
  }
  const std::string store = pickled_global("torch_geometric.data.storage", "GlobalStorage") + ")\x81}(" +
                            unicode("_mapping") + mapping + "u" + unicode("_parent") + "h\1ub";
  return "\x80\x02" + pickled_global("torch_geometric.data.data", "Data") + ")\x81q\1}" + unicode("_store") + store +
         "sb.";
}

inline std::vector<SmallTensor> small_tensors() {
  return {{"x", "FloatStorage", 6, 0, {3, 2}, {1, 3}},  // in column order
          {"edge_index", "LongStorage", 4, 0, {2, 2}, {2, 1}},
          {"y", "DoubleStorage", 3, 0, {3}, {1}}};
}

inline std::string torch_file(const std::vector<SmallTensor>& tensors, const std::vector<double>& labels = {0, 1, 0}) {
  return zip_file({stored("archive/data.pkl", data_pickle(tensors)),
                            stored("archive/data/0", raw(std::vector<float>{1, 2, 3, 4, 5, 6})),
                            stored("archive/data/1", raw(std::vector<int64_t>{0, 1, 1, 2})),
                            stored("archive/data/2", raw(labels)), stored("archive/version", "3\n")});
}

}  // namespace geniepath::testing
