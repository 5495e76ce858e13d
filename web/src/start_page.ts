// Shown before a node is chosen: the model, its scores, and nodes that their paths decide.
import type { DecidedNode, DecidedNodes, Metrics, Model } from "./api";
import { element } from "./dom";
import { count, probability } from "./format";
import { being_scored, being_tried } from "./messages";
import { bar, bars, card, facts } from "./parts";
import { address_of, default_view } from "./view";

function node_row(node: DecidedNode): HTMLElement {
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
    element("span", { class: "quiet about" }, `without its paths ${probability(node.without)}`),
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
  const entries: [string, number | null][] = [
    ["F1", f1],
    ["ROC-AUC", roc_auc],
    ["avg. precision", average_precision],
    ["accuracy", accuracy],
  ];
  const defined = entries.filter((entry): entry is [string, number] => entry[1] !== null);
  return defined.length === 0 ? null : card("On unseen nodes", bars(defined));
}

function decided_list(model: Model, metrics: Metrics | null, decided: DecidedNodes | null): HTMLElement {
  if (metrics === null) return being_scored(model);
  if (decided === null) return being_tried();
  return element("ul", { class: "rows grid" }, ...decided.nodes.map(node_row));
}

// `metrics` is null while the server still scores the nodes, `decided` until it has tried some of them.
export function start_page(model: Model, metrics: Metrics | null, decided: DecidedNodes | null): HTMLElement {
  return element(
    "div",
    { class: "start" },
    element(
      "section",
      { class: "card" },
      element("h1", {}, "Why did a node get its score?"),
      element(
        "p",
        { class: "lead" },
        "Search a node above, work through the ",
        element("a", { href: address_of({ ...default_view, queue: "" }) }, "queue of all nodes"),
        ", or begin with one whose score rests on its paths.",
      ),
      decided_list(model, metrics, decided),
    ),
    element("div", { class: "column" }, model_card(model), metrics && metrics_card(metrics)),
  );
}
