// The current view, encoded in the address, so that a link shows others the same.

export const weightings = ["learned", "laplacian", "both"] as const;
export type Weightings = (typeof weightings)[number];

export interface View {
  node: string | null;
  hops: number;
  top: number;
  threshold: number; // of path products
  layer: number; // 0: importance over whole paths
  show: Weightings;
}

export const default_view: View = { node: null, hops: 2, top: 50, threshold: 0, layer: 0, show: "learned" };

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
  };
}

export function address_of(view: View): string {
  const query = new URLSearchParams();
  if (view.node === null) return "/";
  query.set("node", view.node);
  for (const name of ["hops", "top", "threshold", "layer"] as const) {
    if (view[name] !== default_view[name]) query.set(name, String(view[name]));
  }
  if (view.show !== default_view.show) query.set("view", view.show);
  return `/?${query}`;
}

// Whether a new request is needed.
export const needs_new_paths = (a: View, b: View): boolean =>
  a.node !== b.node || a.hops !== b.hops || a.top !== b.top || a.threshold !== b.threshold;

// The threshold's slider is logarithmic: position 0 is 0, then 0.0001 to 1 in tenths of a decade.
export const threshold_positions = 40;
export const threshold_at = (position: number): number =>
  position <= 0 ? 0 : Number((10 ** ((position - threshold_positions) / 10)).toPrecision(2));
export const position_of = (threshold: number): number =>
  threshold <= 0 ? 0 : Math.max(0, Math.round(threshold_positions + 10 * Math.log10(threshold)));
