// Before a node is chosen: what is served, how good it is, and the nodes with the highest scores to begin with.
import type { Metrics, Model, NodeSummary, SearchResult } from "./api";
import { bar, element } from "./dom";
import { count, probability } from "./format";
import { address_of, default_view } from "./view";

function node_row(node: NodeSummary): HTMLElement {
  const link = element(
    "a",
    { class: "row", href: address_of({ ...default_view, node: node.id }), "data-walk": node.id },
    element("span", { class: "chain" }, element("span", { class: "id" }, node.id), element("span", { class: "quiet" }, node.type ?? "")),
    element("span", { class: "number" }, probability(node.score)),
    bar(node.score, "score"),
  );
  return element("li", {}, link);
}

function facts(entries: [string, string][]): HTMLElement {
  return element("dl", { class: "facts" }, ...entries.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function model_card(model: Model): HTMLElement {
  const { dataset } = model;
  const types: [string, string][] = dataset.types.map(({ name, nodes }) => [name, count(nodes)]);
  return element(
    "section",
    { class: "card" },
    element("h2", {}, "The graph and its model"),
    facts([
      ["data", dataset.name],
      ["nodes", count(dataset.nodes)],
      ...types,
      ["edges", count(dataset.edges)],
      ["model", model.name],
      ["depth T", String(model.depth)],
      ["width K", String(model.hidden)],
      ["parameters", count(model.parameters)],
    ]),
  );
}

function metrics_card({ model }: Metrics): HTMLElement | null {
  if (model === null) return null;
  const rows = ([["F1", "f1"], ["ROC-AUC", "roc_auc"], ["avg. precision", "average_precision"], ["accuracy", "accuracy"]] as const).map(
    ([text, name]) => element("li", {}, element("span", { class: "name" }, text), bar(model.test[name]), element("span", { class: "number" }, probability(model.test[name]))),
  );
  return element("section", { class: "card" }, element("h2", {}, "On unseen nodes"), element("ul", { class: "bars" }, ...rows));
}

export function start_page(model: Model, metrics: Metrics, highest: SearchResult): HTMLElement {
  const what = model.positive === null ? "most certain" : `most likely ${model.positive}`;
  return element(
    "div",
    { class: "start" },
    element(
      "section",
      { class: "card" },
      element("h1", {}, "Why was a node scored so?"),
      element("p", { class: "lead" }, "Search a node above, or begin with one the model finds ", what, "."),
      element("ul", { class: "rows grid" }, ...highest.nodes.map(node_row)),
    ),
    element("div", { class: "column" }, model_card(model), metrics_card(metrics)),
  );
}
