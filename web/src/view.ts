// The current view, encoded in the address, so that a link shows others the same.

export const weightings = ["learned", "laplacian", "both", "runs"] as const;
export type Weightings = (typeof weightings)[number];

export interface View {
  node: string | null;
  hops: number;
  top: number;
  threshold: number; // of path products
  layer: number; // 0: importance over whole paths
  show: Weightings; // runs: the served run beside the other one
  pins: string[]; // nodes that stay drawn, with the shortest ways to them
  queue: string | null; // the filters of the queue, if that is shown instead of a node
}

export const default_view: View = { node: null, hops: 2, top: 50, threshold: 0, layer: 0, show: "learned", pins: [], queue: null };
const most_pins = 8;

// Invalid values in a hand-written address fall back to the default.
function number_in(text: string | null, low: number, high: number, otherwise: number): number {
  const value = text === null || text === "" ? NaN : Number(text);
  return value >= low && value <= high ? value : otherwise;
}

export function parse_view(search: string): View {
  const query = new URLSearchParams(search);
  const whole = (name: "hops" | "top" | "layer", low: number, high: number) =>
    Math.floor(number_in(query.get(name), low, high, default_view[name]));
  return {
    node: query.get("node") || null,
    hops: whole("hops", 1, 1000),
    top: whole("top", 1, 500),
    threshold: number_in(query.get("threshold"), 0, 1, default_view.threshold),
    layer: whole("layer", 0, 1000),
    show: weightings.find((name) => name === query.get("view")) ?? default_view.show,
    pins: [...new Set(query.getAll("pin"))].slice(0, most_pins),
    queue: query.get("queue"),
  };
}

export function address_of(view: View): string {
  const query = new URLSearchParams();
  if (view.queue !== null) return `/?${new URLSearchParams({ queue: view.queue })}`;
  if (view.node === null) return "/";
  query.set("node", view.node);
  for (const name of ["hops", "top", "threshold", "layer"] as const) {
    if (view[name] !== default_view[name]) query.set(name, String(view[name]));
  }
  if (view.show !== default_view.show) query.set("view", view.show);
  for (const pin of view.pins) query.append("pin", pin);
  return `/?${query}`;
}

// Whether a new request is needed.
export const needs_new_paths = (a: View, b: View): boolean =>
  a.node !== b.node ||
  a.hops !== b.hops ||
  a.top !== b.top ||
  a.threshold !== b.threshold ||
  a.pins.join("\n") !== b.pins.join("\n") ||
  (a.show === "runs") !== (b.show === "runs");

// The view with a pin added, or removed if present; the oldest goes if there are too many.
export const with_pin = (view: View, id: string): string[] =>
  view.pins.includes(id) ? view.pins.filter((pin) => pin !== id) : [...view.pins, id].slice(-most_pins);

// The threshold's slider is logarithmic: position 0 is 0, then 0.0001 to 1 in tenths of a decade.
export const threshold_positions = 40;
export const threshold_at = (position: number): number =>
  position <= 0 ? 0 : Number((10 ** ((position - threshold_positions) / 10)).toPrecision(2));
export const position_of = (threshold: number): number =>
  threshold <= 0 ? 0 : Math.max(0, Math.round(threshold_positions + 10 * Math.log10(threshold)));
