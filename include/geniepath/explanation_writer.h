// Explanations for people and other programs: reasons in words, JSON, a drawing, a page.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/explain.h"
#include "geniepath/export.h"
#include "geniepath/tables.h"

namespace geniepath GENIEPATH_EXPORT {

// Names of the features and their values before preparation, for reasons in the user's own terms.
struct RawColumns {
  Features features;     // as loaded; those of the data if there are none
  TableOptions options;  // as the run records them, if it was trained on tables
  TableSchema schema;
};

// Reasons for a node's score: a verdict in words, and the shares of its own columns and of those of the nodes along its
// paths.
struct ReasonTexts {
  std::string verdict;
  std::string json;                // Reasons of web/openapi.json
  std::vector<std::string> lines;  // the verdict, and the columns with the largest shares
  std::string html;                // the same as part of a page
};

// Presents nodes in the data's own terms: ids, kinds, labels and predictions. All methods may be called from several
// threads at once.
class ExplanationWriter {
 public:
  // `data` and `explainer` must outlive this. Binary and multi-label predictions are the classes that score above the
  // threshold (Predictor::threshold()).
  ExplanationWriter(const Dataset& data, const Explainer& explainer, std::vector<std::string> class_names,
                    double threshold, RawColumns columns = {});
  ~ExplanationWriter();

  std::optional<NodeId> find(const std::string& id) const;  // a node's number, by its id
  // Takes longer than the explanation: it removes neighbours one after the other, and computes gradients.
  ReasonTexts reasons(const Explanation& explanation) const;
  // As `geniepath explain --out paths.json` writes it, except for the time: ReceptivePaths of web/openapi.json,
  // "reasons", and "recovery" where the true paths are known.
  std::string json(const Explanation& explanation, const ReasonTexts& reasons) const;
  // The paper's figure, with the alpha of one layer, 1 to T, and the reasons below; any other layer is an Error.
  std::string svg(const Explanation& explanation, int64_t layer, const ReasonTexts& reasons) const;
  // A page without scripts: the reasons, the figure, and the tables of paths, hops and faithfulness.
  std::string html(const Explanation& explanation, int64_t layer, const ReasonTexts& reasons) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace geniepath
