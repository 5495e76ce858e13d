#include "geniepath/explanation_writer.h"

#include <nlohmann/json.hpp>

#include "geniepath/error.h"
#include "geniepath/path_quality.h"
#include "report/drawing.h"
#include "report/escape.h"
#include "report/explanation_json.h"
#include "report/explanation_text.h"
#include "report/html_page.h"
#include "report/node_facts.h"
#include "report/path_quality_text.h"
#include "report/reasons.h"

namespace geniepath {

namespace {

constexpr int64_t kMostReasonColumns = 1000;  // in JSON

Features features_or(Features raw, const Dataset& data) {
  return raw.num_nodes() == data.graph.num_nodes() ? std::move(raw) : data.features;
}

void check_layer(const Explanation& explanation, int64_t layer) {
  if (layer < 1 || layer > explanation.depth) fail("layer ", layer, ": the model has layers 1 to ", explanation.depth);
}

std::string text_of_json(const report::Json& object) {
  return object.dump(-1, ' ', false, report::Json::error_handler_t::replace);
}

}  // namespace

class ExplanationWriter::Impl {
 public:
  Impl(const Dataset& data, const Explainer& given, std::vector<std::string> class_names, double threshold,
       RawColumns raw)
      : explainer(given), facts(data, given, std::move(class_names), threshold),
        columns(data, features_or(std::move(raw.features), data), raw.options, raw.schema) {}

  const Explainer& explainer;
  report::NodeFacts facts;
  report::Columns columns;
};

ExplanationWriter::ExplanationWriter(const Dataset& data, const Explainer& explainer,
                                     std::vector<std::string> class_names, double threshold, RawColumns columns)
    : impl_(new Impl(data, explainer, std::move(class_names), threshold, std::move(columns))) {}

ExplanationWriter::~ExplanationWriter() = default;

std::optional<NodeId> ExplanationWriter::find(const std::string& id) const { return impl_->facts.find(id); }

ReasonTexts ExplanationWriter::reasons(const Explanation& explanation) const {
  const report::Columns& columns = impl_->columns;
  const NodeId node = explanation.node;
  const report::Reasons found = report::reasons_of(impl_->facts, impl_->explainer, explanation, columns);
  const report::Json object = report::reasons_json(impl_->facts, explanation, found, columns, node, kMostReasonColumns);
  return {found.verdict, text_of_json(object), report::reason_lines(found, columns, node),
          report::reasons_html(found, columns, node)};
}

std::string ExplanationWriter::json(const Explanation& explanation, const ReasonTexts& reasons) const {
  report::Json object = report::explanation_json(impl_->facts, explanation, 0);
  object.erase("seconds");
  object["reasons"] = report::Json::parse(reasons.json);
  if (const auto recovery = path_recovery(impl_->explainer, impl_->facts.data(), explanation)) {
    object["recovery"] = report::to_json(*recovery);
  }
  return text_of_json(object);
}

std::string ExplanationWriter::svg(const Explanation& explanation, int64_t layer, const ReasonTexts& reasons) const {
  check_layer(explanation, layer);
  return report::explanation_svg(impl_->facts, explanation, layer, reasons.lines);
}

std::string ExplanationWriter::html(const Explanation& explanation, int64_t layer, const ReasonTexts& reasons) const {
  check_layer(explanation, layer);
  const std::string id = impl_->facts.id(explanation.node);
  return report::html_page("Receptive paths of " + id,
                           "<h1>" + report::html(id) + "</h1>\n" +
                               report::explanation_html(impl_->facts, explanation, layer, reasons.html));
}

}  // namespace geniepath
