// A run trained on a user's own tables, and a service over it.
#pragma once

#include <nlohmann/json.hpp>

#include "geniepath/predictor.h"
#include "scratch_folder.h"
#include "serve/service.h"

namespace geniepath::testing {

// Accounts a0 .. a19 with logins 0 .. 19, every other one malicious; each shares device d(n / 4) with three others.
class TableRun {
 public:
  TableRun() {
    std::string accounts = "id,logins,country,joined,label,split\n", devices = "id,model\n", edges = "src,dst\n";
    for (int n = 0; n < 20; ++n) {
      const std::string id = "a" + std::to_string(n);
      accounts += id + "," + std::to_string(n) + "," + (n % 4 == 0 ? "Peru" : "Chile") + ",1970-01-" +
                  (n < 9 ? "0" : "") + std::to_string(n + 1) + "," + (n % 2 == 0 ? "normal" : "malicious") + "," +
                  (n < 10   ? "train"
                   : n < 15 ? "valid"
                            : "test") +
                  "\n";
      edges += id + ",d" + std::to_string(n / 4) + "\n";
    }
    for (int n = 0; n < 5; ++n) devices += "d" + std::to_string(n) + "," + (n % 2 == 0 ? "=old" : "new") + "\n";
    RunRequest request;
    request.data.data = "tables";
    request.tables.nodes =
        scratch.write("accounts.csv", accounts).string() + "," + scratch.write("devices.csv", devices).string();
    request.tables.edges = scratch.write("edges.csv", edges).string();
    request.tables.positive = "malicious", request.tables.baselines = false;
    request.recipe.model.hidden = 8, request.recipe.model.depth = 2;
    request.recipe.train.epochs = 40;
    train(request, folder);
    service = served({});
  }

  std::unique_ptr<serve::Service> served(std::vector<std::string> class_names,
                                         std::unique_ptr<serve::Service> other = nullptr) const {
    const Predictor predictor(folder);
    TableSchema schema = predictor.description().schema;
    Dataset raw = load_dataset(predictor.description().data, predictor.description().tables, schema);
    const Features features = raw.features;
    return std::make_unique<serve::Service>(folder, predictor.prepare(std::move(raw)), "1.2.3",
                                            report::Presentation{features, std::move(class_names)}, std::move(other));
  }

  std::string text(const std::string& target) const { return service->get(serve::parse_target(target)); }
  nlohmann::json get(const std::string& target) const { return nlohmann::json::parse(text(target)); }
  std::vector<std::string> queue(const std::string& query) const {
    const nlohmann::json found = get("/api/v1/queue?limit=100&" + query);
    std::vector<std::string> ids;
    for (const auto& node : found["nodes"]) ids.push_back(node["id"]);
    return ids;
  }

  ScratchFolder scratch;
  RunFolder folder{scratch / "run"};
  std::unique_ptr<serve::Service> service;
};

}  // namespace geniepath::testing
