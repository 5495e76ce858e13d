// Writes the seeds of the fuzz targets of this folder: make_corpus tests/fuzz/corpus. Run by hand when a format
// changes; the files are kept with the source.
#include <ATen/ATen.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/random.h"
#include "data/formats/graph_file.h"
#include "io/numpy_writer.h"
#include "io/pickle_writer.h"
#include "io/safetensors.h"
#include "io/torch_writer.h"
#include "io/zip_writer.h"
#include "run/description_json.h"

namespace {

namespace fs = std::filesystem;
using namespace geniepath::testing;

class Corpus {
 public:
  explicit Corpus(fs::path folder) : folder_(std::move(folder)) {}
  fs::path file(const std::string& target, const std::string& name) const {
    fs::create_directories(folder_ / target);
    return folder_ / target / name;
  }
  void write(const std::string& target, const std::string& name, const std::string& bytes) const {
    std::ofstream(file(target, name), std::ios::binary) << bytes;
  }

 private:
  fs::path folder_;
};

void write_npy(const Corpus& corpus) {
  corpus.write("npy", "good_f4", npy_file(at::arange(6, at::kFloat).view({2, 3})));
  corpus.write("npy", "good_i8", npy_file(at::arange(4)));
  corpus.write("npy", "good_bool", npy_file(at::ones({3}, at::kBool)));
  corpus.write("npy", "good_u2", npy_file("<u2", "2,", "abcd", 2));
  corpus.write("npy", "good_columns", npy_file("<f4", "2, 3", std::string(24, 'x'), 3, true));
  corpus.write("npy", "good_empty", npy_file("<f8", "0, 5", ""));
  corpus.write("npy", "big_endian", npy_file(">f8", "1,", "12345678"));
  corpus.write("npy", "overflow", npy_file("<f8", "9223372036854775807, 2", ""));
}

void write_npz(const Corpus& corpus) {
  const std::string a = npy_file(at::arange(4, at::kInt)), b = npy_file(at::zeros({20, 20}));
  corpus.write("npz", "good_stored", zip_file({stored("a.npy", a)}));
  corpus.write("npz", "good_deflated", zip_file({deflated("a.npy", a), deflated("b.npy", b)}, "comment"));
  ZipMember bomb = deflated("a.npy", b);
  bomb.unpacked = 1u << 31;
  corpus.write("npz", "bomb", zip_file({bomb}));
}

void write_planetoid(const Corpus& corpus) {
  const auto files = small_planetoid();
  corpus.write("pickle", "good_csr", files.at("tx"));
  corpus.write("pickle", "good_array", files.at("ty"));
  corpus.write("pickle", "good_graph", files.at("graph"));
  corpus.write("pickle", "good_cycle", pickled("]q\1h\1a"));
  corpus.write("pickle", "system", pickled(pickled_global("os", "system") + "U\2ls\x85R"));
  std::string all;
  for (const char* name : {"x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"}) {
    all += raw(static_cast<uint16_t>(files.at(name).size())) + files.at(name);
  }
  corpus.write("planetoid", "good_small", all);
}

void write_safetensors_files(const Corpus& corpus) {
  geniepath::TensorFile file;
  file.tensors = {{"x", at::arange(3, at::kFloat)}, {"y", at::ones({2, 2}, at::kLong)}, {"z", at::empty({0})}};
  file.metadata = {{"format", "seed"}};
  geniepath::write_safetensors(corpus.file("safetensors", "good_three"), file);
  corpus.write("safetensors", "good_none", raw(uint64_t{2}) + "{}");
  corpus.write("safetensors", "nested", raw(uint64_t{64}) + std::string(64, '['));
}

// A graph of four nodes in two parts, with everything a data set may have; the first two without ground truth.
void write_graph_files(const Corpus& corpus) {
  using namespace geniepath;
  Dataset data;
  data.name = "seed";
  data.graph = Graph::from_edges(4, std::vector<NodeId>{0, 2}, std::vector<NodeId>{1, 3}, {.symmetrise = true})
                   .with_parts({0, 2, 4});
  data.features = Features(at::ones({4, 2}));
  data.labels = at::tensor({0, 1, -1, 1}, at::kLong);
  data.num_classes = 2;
  data.class_names = {"a", "b"};
  data.node_names = {"n0", "n1", "n2", "n3"};
  data.type_names = {"t"};
  data.node_type = {0, 0, 0, 0};
  data.train = {0}, data.valid = {1}, data.test = {3};
  write_graph_file(corpus.file("graph_file", "good_dense"), data, {"one", "two"});
  data.features = Features(SparseMatrix{4, 3, std::vector<int64_t>{0, 1, 1, 2, 2}, std::vector<int32_t>{2, 0},
                                        std::vector<float>{1.0f, 2.0f}});
  write_graph_file(corpus.file("graph_file", "good_sparse"), data);
  data.true_edges = {{1, 0}, {2, 3}};
  data.path_length = {1, 0, 0, 1};
  write_graph_file(corpus.file("graph_file", "good_truth"), data);
}

void write_csr_arrays(const Corpus& corpus) {
  const auto member = [](const char* name, const at::Tensor& array) { return stored(name, npy_file(array)); };
  const at::Tensor indptr = at::tensor({0, 1, 2}, at::kInt), indices = at::tensor({1, 0}, at::kInt);
  corpus.write("csr_arrays", "good_sparse",
               zip_file({member("adj_indptr.npy", indptr), member("adj_indices.npy", indices),
                         member("attr_indptr.npy", indptr), member("attr_indices.npy", indices),
                         member("attr_data.npy", at::ones({2})), member("label.npy", indices)}));
  corpus.write("csr_arrays", "good_dense",
               zip_file({member("adj_indptr.npy", indptr), member("adj_indices.npy", indices),
                         member("attr.npy", at::ones({2, 3})), member("label.npy", indices)}));
  const SmallCsr matrix{2, 2, {0, 1, 2}, {1, 0}, {1, 1}};
  corpus.write("csr_arrays", "good_pickled",
               zip_file({stored("adj_matrix.npy", object_npy(matrix)), stored("node_attr.npy", object_npy(matrix)),
                         member("node_label.npy", indices)}));
}

// Random decisions, for the targets that assemble their files.
void write_choices(const Corpus& corpus) {
  for (const char* target : {"arrays_built", "graph_file_built", "new_rows_built", "request_built", "safetensors_built",
                             "tables_built", "torch_built"}) {
    for (const size_t length : {20, 100, 500}) {
      geniepath::Random random{length};
      std::string bytes;
      while (bytes.size() < length) bytes += static_cast<char>(random.bits());
      corpus.write(target, "choices_" + std::to_string(length), bytes);
    }
  }
}

void write_run(const Corpus& corpus) {
  geniepath::RunDescription run;
  run.features = 4, run.classes = 2;
  run.class_names = {"a", "b"};
  corpus.write("run_json", "good_small", to_json(run).dump());
  corpus.write("run_json", "good_sealed", geniepath::sealed_json(to_json(run)));
  run.data.data = "tables";
  run.schema.tables = {{.numbers = {"x"},
                        .dates = {},
                        .means = {},
                        .one_hot = {{"c", {"u", "v"}}},
                        .marked = {},
                        .left_out = {},
                        .sparse_size = 3}};
  corpus.write("run_json", "good_tables", to_json(run).dump());
}

void write_torch_files(const Corpus& corpus) { corpus.write("torch_file", "good_small", torch_file(small_tensors())); }

}  // namespace

int main(int, char** argv) {
  const Corpus corpus(argv[1]);
  write_npy(corpus);
  write_csr_arrays(corpus);
  write_graph_files(corpus);
  write_npz(corpus);
  write_planetoid(corpus);
  write_safetensors_files(corpus);
  write_torch_files(corpus);
  write_choices(corpus);
  write_run(corpus);
}
