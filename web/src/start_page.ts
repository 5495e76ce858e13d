// Shown before a node is chosen: the model, its scores, and the nodes with the highest scores.
import type { Metrics, Model, NodeSummary, SearchResult } from "./api";
import { element } from "./dom";
import { count, probability } from "./format";
import { being_scored } from "./messages";
import { bar, bars, card, facts } from "./parts";
import { address_of, default_view } from "./view";

function node_row(node: NodeSummary): HTMLElement {
  const link = element(
    "a",
    { class: "row", href: address_of({ ...default_view, node: node.id }), "data-walk": node.id },
    element(
      "span",
      { class: "chain" },
      element("span", { class: "id" }, node.id),
      element("span", { class: "quiet" }, node.type ?? ""),
    ),
    element("span", { class: "number" }, probability(node.score)),
    bar(node.score, "score"),
  );
  return element("li", {}, link);
}

function model_card({ dataset, name, depth, hidden, parameters }: Model): HTMLElement {
  const types = dataset.types.map((type): [string, string] => [type.name, count(type.nodes)]);
  return card(
    "The graph and its model",
    facts([
      ["data", dataset.name],
      ["nodes", count(dataset.nodes)],
      ...types,
      ["edges", count(dataset.edges)],
      ["model", name],
      ["depth T", count(depth)],
      ["width K", count(hidden)],
      ["parameters", count(parameters)],
    ]),
    element("p", { class: "api" }, element("a", { href: "/openapi.json" }, "The same over HTTP: openapi.json")),
  );
}

function metrics_card({ model }: Metrics): HTMLElement | null {
  if (model === null) return null;
  const { f1, roc_auc, average_precision, accuracy } = model.test;
  const entries: [string, number][] = [
    ["F1", f1],
    ["ROC-AUC", roc_auc],
    ["avg. precision", average_precision],
    ["accuracy", accuracy],
  ];
  return card("On unseen nodes", bars(entries));
}

// `found` is null while the server still scores the nodes.
export function start_page(model: Model, found: { metrics: Metrics; highest: SearchResult } | null): HTMLElement {
  const what = model.positive === null ? "is surest of" : `finds most likely ${model.positive}`;
  return element(
    "div",
    { class: "start" },
    element(
      "section",
      { class: "card" },
      element("h1", {}, "Why did a node get its score?"),
      element("p", { class: "lead" }, `Search a node above, or begin with one the model ${what}.`),
      found
        ? element("ul", { class: "rows grid" }, ...found.highest.nodes.map(node_row))
        : being_scored(model),
    ),
    element("div", { class: "column" }, model_card(model), found && metrics_card(found.metrics)),
  );
}
