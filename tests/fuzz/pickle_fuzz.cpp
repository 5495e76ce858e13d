#include "io/pickle.h"
#include "io/pickled_arrays.h"
#include "fuzz_input.h"

// A whole pickle, then its possible contents.
FUZZ_TARGET(pickle)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  return fuzz::only_errors([&] {
    const Pickle pickle(fuzz::bytes_of(data, size), "input");
    if (pickle.root().kind != PickleValue::Kind::kObject) return;
    const bool array = pickle.root().items[0]->text.starts_with("numpy");
    array ? void(pickled_ints(pickle, pickle.root())) : void(pickled_csr(pickle, pickle.root(), "input"));
  });
}
