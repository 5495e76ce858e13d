// Who the node is, what the model says of it, and whether that rests on the paths shown.
import type { Entropy, GraphNode, Model, Prediction, ReceptivePaths } from "./api";
import { bar, element } from "./dom";
import { count, percent, plural, probability } from "./format";

const classes_shown = 6;

const score_of = (prediction: Pick<Prediction, "scores">, class_name: string): number =>
  prediction.scores.find((entry) => entry.class === class_name)?.score ?? 0;

// The class the card is about: the one looked for, or the most probable one.
function main_class(node: GraphNode, model: Model): string {
  if (model.positive !== null) return model.positive;
  return node.scores.reduce((best, entry) => (entry.score > best.score ? entry : best)).class;
}

// A node of a multi-label task may have dozens.
const names = (classes: string[]): string =>
  classes.length > 3 ? plural(classes.length, "class", "classes") : classes.join(", ") || "nothing";

function verdict({ label, predicted }: GraphNode): HTMLElement {
  if (label === null) return element("p", { class: "badge" }, "label unknown");
  const found = label.filter((name) => predicted.includes(name)).length;
  const right = found === label.length && found === predicted.length;
  const text = label.length > 1 && !right ? `${found} of them found` : right ? "agrees" : "differs";
  return element("p", { class: `badge ${right ? "right" : "wrong"}` }, `labelled ${names(label)}: ${text}`);
}

function facts(node: GraphNode): HTMLElement {
  const entries: [string, string][] = [
    ["predicted", names(node.predicted)],
    ["neighbours", count(node.degree)],
    ["split", node.split ?? "none"],
  ];
  return element("dl", { class: "facts" }, ...entries.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function class_list(node: GraphNode): HTMLElement | null {
  if (node.scores.length <= 2) return null;
  const strongest = [...node.scores].sort((a, b) => b.score - a.score).slice(0, classes_shown);
  const rows = strongest.map((entry) =>
    element("li", {}, element("span", { class: "name" }, entry.class), bar(entry.score, "score"), element("span", { class: "number" }, probability(entry.score))),
  );
  const left_out = node.scores.length - strongest.length;
  return element(
    "div",
    {},
    element("ul", { class: "bars" }, ...rows),
    left_out > 0 ? element("p", { class: "quiet" }, `and ${plural(left_out, "class", "classes")} less probable`) : null,
  );
}

export function node_card(node: GraphNode, model: Model): HTMLElement {
  const name = main_class(node, model);
  const score = score_of(node, name);
  return element(
    "section",
    { class: "card", "aria-labelledby": "node-heading" },
    element("p", { class: "kind" }, node.type ?? "node"),
    element("h1", { id: "node-heading", tabindex: "-1" }, node.id),
    element("p", { class: "headline" }, element("strong", {}, probability(score)), element("span", {}, name)),
    bar(score, "score"),
    verdict(node),
    facts(node),
    class_list(node),
  );
}

export function faithfulness_card({ faithfulness, class: name }: ReceptivePaths): HTMLElement {
  const rows = ([["all edges", "full"], ["only these", "kept"], ["without these", "dropped"]] as const).map(([text, which]) => {
    const score = score_of(faithfulness[which], name);
    return element("li", {}, element("span", { class: "name" }, text), bar(score, "score"), element("span", { class: "number" }, probability(score)));
  });
  return element(
    "section",
    { class: "card" },
    element("h2", {}, "Do these paths decide?"),
    element("p", { class: "quiet" }, `Probability of ${name}`),
    element("ul", { class: "bars" }, ...rows),
  );
}

export function attention_card(entropies: Entropy[]): HTMLElement {
  const rows = entropies.map(({ layer, entropy, uniform }) => {
    const evenness = uniform > 0 ? entropy / uniform : 1;
    return element("li", {}, element("span", { class: "name" }, `layer ${layer}`), bar(evenness), element("span", { class: "number" }, percent(evenness)));
  });
  return element(
    "section",
    { class: "card" },
    element("h2", {}, "How evenly it listens"),
    element("p", { class: "quiet" }, "Entropy of its attention; 100 % would be all neighbours alike"),
    element("ul", { class: "bars" }, ...rows),
  );
}
