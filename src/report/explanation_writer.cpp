#include "geniepath/explanation_writer.h"

#include <nlohmann/json.hpp>

#include "geniepath/error.h"
#include "report/drawing.h"
#include "report/escape.h"
#include "report/explanation_json.h"
#include "report/explanation_text.h"
#include "report/html_page.h"
#include "report/node_facts.h"

namespace geniepath {

class ExplanationWriter::Impl {
 public:
  report::NodeFacts facts;
};

namespace {

void check_layer(const Explanation& explanation, int64_t layer) {
  if (layer < 1 || layer > explanation.depth) fail("layer ", layer, ": the model has layers 1 to ", explanation.depth);
}

}  // namespace

ExplanationWriter::ExplanationWriter(const Dataset& data, const Explainer& explainer,
                                     std::vector<std::string> class_names, double threshold)
    : impl_(new Impl{report::NodeFacts(data, explainer, std::move(class_names), threshold)}) {}

ExplanationWriter::~ExplanationWriter() = default;

std::optional<NodeId> ExplanationWriter::find(const std::string& id) const { return impl_->facts.find(id); }

std::string ExplanationWriter::json(const Explanation& explanation) const {
  report::Json object = report::explanation_json(impl_->facts, explanation, 0);
  object.erase("seconds");
  return object.dump(-1, ' ', false, report::Json::error_handler_t::replace);
}

std::string ExplanationWriter::svg(const Explanation& explanation, int64_t layer) const {
  check_layer(explanation, layer);
  return report::explanation_svg(impl_->facts, explanation, layer);
}

std::string ExplanationWriter::html(const Explanation& explanation, int64_t layer) const {
  check_layer(explanation, layer);
  const std::string id = impl_->facts.id(explanation.node);
  return report::html_page("Receptive paths of " + id, "<h1>" + report::html(id) + "</h1>\n" +
                                                           report::explanation_html(impl_->facts, explanation, layer));
}

}  // namespace geniepath
