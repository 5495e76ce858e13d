// The controls above the drawing. Each reports its change to the page, whose view is the only state.
import type { Model } from "./api";
import { element, fresh_id } from "./dom";
import type { Action } from "./drawing/drawing";
import { weight } from "./format";
import { position_of, threshold_at, threshold_positions, type View, type Weightings } from "./view";

export type Change = (part: Partial<View>) => void;

function slider(
  name: string,
  range: { low: number; high: number; value: number },
  text: (position: number) => string,
  change: (position: number) => void,
): HTMLElement {
  const id = fresh_id("slider");
  const shown = element("output", { for: id });
  const input = element("input", { type: "range", id, min: range.low, max: range.high, step: 1 });
  input.value = String(range.value);
  const tell = () => {
    shown.textContent = text(input.valueAsNumber);
    input.setAttribute("aria-valuetext", text(input.valueAsNumber));
  };
  input.addEventListener("input", () => {
    tell();
    change(input.valueAsNumber);
  });
  tell();
  return element("div", { class: "control" }, element("label", { for: id }, name), input, shown);
}

function choice<Value extends string | number>(
  name: string,
  options: [Value, string][],
  chosen: Value,
  change: (value: Value) => void,
): HTMLElement {
  const group = fresh_id("choice");
  const radios = options.flatMap(([value, text]) => {
    const id = fresh_id("option");
    const input = element("input", { type: "radio", name: group, id, checked: value === chosen });
    input.addEventListener("change", () => change(value));
    return [input, element("label", { for: id }, text)];
  });
  return element(
    "fieldset",
    { class: "choice" },
    element("legend", {}, name),
    element("div", { class: "segments" }, ...radios),
  );
}

function list(name: string, options: [number, string][], chosen: number, change: (value: number) => void): HTMLElement {
  const id = fresh_id("list");
  const made = element(
    "select",
    { id },
    ...options.map(([value, text]) => element("option", { value, selected: value === chosen }, text)),
  );
  made.addEventListener("change", () => change(Number(made.value)));
  return element("div", { class: "control" }, element("label", { for: id }, name), made);
}

const segments_at_most = 5; // with more layers than this, a list

function layer_control(view: View, depth: number, change: Change): HTMLElement {
  const options = [[0, "All"], ...Array.from({ length: depth }, (_, at) => [at + 1, `${at + 1}`])] as [
    number,
    string,
  ][];
  const chosen = view.layer > depth ? 0 : view.layer;
  const set = (layer: number) => change({ layer });
  if (depth <= segments_at_most) return choice("Layer", options, chosen, set);
  return list("Layer", options, chosen, set);
}

function top_control(view: View, change: Change): HTMLElement {
  const counts = [...new Set([10, 25, 50, 100, 200, 500, view.top])].sort((a, b) => a - b);
  return list(
    "Paths",
    counts.map((value) => [value, `top ${value}`]),
    view.top,
    (top) => change({ top }),
  );
}

const weighting_names: [Weightings, string][] = [
  ["learned", "Learned"],
  ["laplacian", "Laplacian"],
  ["both", "Both"],
];
const both_runs: [Weightings, string] = ["runs", "Two runs"];

const action_names: [Action, string][] = [
  ["walk", "Opens"],
  ["expand", "Expands"],
  ["pin", "Pins"],
];

export interface Clicks {
  offered: Action[]; // one alone is no choice
  chosen: Action;
  choose: (action: Action) => void;
}

// `most_hops`: of the paths that can be shown.
export function controls(
  view: View,
  { depth, other }: Pick<Model, "depth" | "other">,
  change: Change,
  clicks: Clicks,
  most_hops = depth,
): HTMLElement {
  const hops = { low: 1, high: most_hops, value: Math.min(view.hops, most_hops) };
  const actions = action_names.filter(([action]) => clicks.offered.includes(action));
  const threshold = { low: 0, high: threshold_positions, value: position_of(view.threshold) };
  return element(
    "div",
    { class: "controls", role: "group", "aria-label": "What to draw" },
    choice("Weights", other ? [...weighting_names, both_runs] : weighting_names, view.show, (show) => change({ show })),
    layer_control(view, depth, change),
    slider("Hops", hops, String, (position) => change({ hops: position })),
    slider(
      "Threshold",
      threshold,
      (position) => weight(threshold_at(position)),
      (position) => change({ threshold: threshold_at(position) }),
    ),
    top_control(view, change),
    actions.length > 1 ? choice("A click on a node", actions, clicks.chosen, clicks.choose) : null,
  );
}
