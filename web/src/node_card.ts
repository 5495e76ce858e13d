// The node, its prediction, and whether the shown paths explain that.
import type { Entropy, GraphNode, Model, Prediction, Reasons, ReceptivePaths } from "./api";
import { element } from "./dom";
import { class_text, count, percent, plural, probability } from "./format";
import { bar, bars, card, facts } from "./parts";

const classes_shown = 6;

const score_of = (prediction: Pick<Prediction, "scores">, class_name: string): number =>
  prediction.scores.find((entry) => entry.class === class_name)?.score ?? 0;

// The class the card is about: the positive one, or the most probable one.
function main_class(node: GraphNode, model: Pick<Model, "positive">): string {
  if (model.positive !== null) return model.positive;
  return node.scores.reduce((best, entry) => (entry.score > best.score ? entry : best)).class;
}

// In multi-label tasks a node may have dozens.
const names = (classes: string[]): string =>
  classes.length > 3 ? plural(classes.length, "class", "classes") : classes.map(class_text).join(", ") || "nothing";

function verdict({ label, predicted }: GraphNode): HTMLElement {
  if (label === null) return element("p", { class: "badge" }, "label unknown");
  const found = label.filter((name) => predicted.includes(name)).length;
  const right = found === label.length && found === predicted.length;
  const text = label.length > 1 && !right ? `${found} of them found` : right ? "agrees" : "differs";
  return element("p", { class: `badge ${right ? "right" : "wrong"}` }, `labelled ${names(label)}: ${text}`);
}

function class_list({ scores }: GraphNode): HTMLElement | null {
  if (scores.length <= 2) return null;
  const strongest = [...scores].sort((a, b) => b.score - a.score).slice(0, classes_shown);
  const left_out = scores.length - strongest.length;
  return element(
    "div",
    {},
    bars(
      strongest.map((entry) => [class_text(entry.class), entry.score]),
      "score",
    ),
    left_out > 0
      ? element("p", { class: "quiet rest" }, `and ${plural(left_out, "class", "classes")} less probable`)
      : null,
  );
}

export function node_card(node: GraphNode, model: Pick<Model, "positive">): HTMLElement {
  const name = main_class(node, model);
  const score = score_of(node, name);
  return element(
    "section",
    { class: "card", "aria-labelledby": "node-heading" },
    element("p", { class: "kind" }, node.type ?? "node"),
    element("h1", { id: "node-heading", tabindex: "-1" }, node.id),
    element(
      "p",
      { class: "headline" },
      element("strong", {}, probability(score)),
      element("span", {}, class_text(name)),
    ),
    bar(score, "score"),
    verdict(node),
    facts([
      ["predicted", names(node.predicted)],
      ["neighbours", count(node.degree)],
      ["split", node.split ?? "none"],
    ]),
    class_list(node),
  );
}

export function faithfulness_card({ faithfulness, class: name }: ReceptivePaths): HTMLElement {
  const { full, kept, dropped } = faithfulness;
  const entries: [string, number][] = [
    ["all edges", score_of(full, name)],
    ["only these", score_of(kept, name)],
    ["without these", score_of(dropped, name)],
  ];
  const about = element("p", { class: "quiet" }, `Probability of ${class_text(name)}`);
  return card("Do these paths decide?", about, bars(entries, "score"));
}

// The same node in the run that is compared with.
export function other_card(name: string, paths: ReceptivePaths, reasons: Reasons): HTMLElement {
  const { full, dropped } = paths.faithfulness;
  return card(
    `In the run ${name}`,
    element("p", { class: "quiet" }, `Probability of ${class_text(paths.class)}`),
    bars(
      [
        ["all edges", score_of(full, paths.class)],
        ["without these", score_of(dropped, paths.class)],
      ],
      "score",
    ),
    element("p", { class: "other-verdict" }, reasons.verdict),
  );
}

export const not_in_other = (name: string): HTMLElement =>
  card(`In the run ${name}`, element("p", { class: "quiet" }, "Its graph has no node with this id."));

export function attention_card(entropies: Entropy[]): HTMLElement {
  const entries = entropies.map(({ layer, entropy, uniform }): [string, number] => [
    `layer ${layer}`,
    uniform > 0 ? entropy / uniform : 1,
  ]);
  const about = element("p", { class: "quiet" }, "Entropy of its attention; 100 % would be all neighbours alike");
  return card("How evenly it listens", about, bars(entries, "", percent));
}
