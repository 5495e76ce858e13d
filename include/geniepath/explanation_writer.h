// Explanations for people and other programs: JSON, a drawing, a page.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/explain.h"
#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

// Presents nodes in the data's own terms: ids, kinds, labels and predictions. All methods may be called from several
// threads at once.
class ExplanationWriter {
 public:
  // `data` and `explainer` must outlive this. Binary and multi-label predictions are the classes that score above the
  // threshold (Predictor::threshold()).
  ExplanationWriter(const Dataset& data, const Explainer& explainer, std::vector<std::string> class_names, double threshold);
  ~ExplanationWriter();

  std::optional<NodeId> find(const std::string& id) const;  // a node's number, by its id
  std::string json(const Explanation& explanation) const;   // ReceptivePaths of web/openapi.json, without its time
  // The paper's figure, with the alpha of one layer, 1 to T; any other is an Error.
  std::string svg(const Explanation& explanation, int64_t layer) const;
  // A page without scripts: the figure, and the tables of paths, hops and faithfulness.
  std::string html(const Explanation& explanation, int64_t layer) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace geniepath
