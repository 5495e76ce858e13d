#include "data/account_device.h"
#include "geniepath/data.h"
#include "geniepath/error.h"

namespace geniepath {

void DataOptions::visit(OptionVisitor& options) {
  options.text("data", data, "data set: a known name (see 'geniepath datasets')");
  options.integer("nodes", nodes, {1000, 981748}, "account-device: how many accounts and devices");
  options.integer("data-seed", data_seed, {0, int64_t{1} << 53}, "account-device: seed of the generator");
}

Dataset load_dataset(const DataOptions& options) {
  if (options.data != "account-device") fail("data: '", options.data, "' is not known; known: account-device");
  Dataset data = make_account_device({.nodes = options.nodes, .seed = options.data_seed});
  data.validate();
  return data;
}

}  // namespace geniepath
