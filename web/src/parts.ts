// Elements shared by several cards.
import { element } from "./dom";
import { probability } from "./format";

// A bar of `share` (0 to 1) of its width; hidden from screen readers, as the number is beside it.
export function bar(share: number, kind = ""): HTMLElement {
  const fill = element("span", { class: "bar-fill" });
  fill.style.setProperty("--share", `${100 * Math.min(1, Math.max(0, share))}%`);
  return element("span", { class: `bar-track ${kind}`, "aria-hidden": "true" }, fill);
}

// A list of named shares. `kind` "score" uses the colour of scores.
export function bars(entries: [name: string, share: number][], kind = "", text = probability): HTMLElement {
  const row = ([name, share]: [string, number]) =>
    element(
      "li",
      {},
      element("span", { class: "name", title: name }, name),
      bar(share, kind),
      element("span", { class: "number" }, text(share)),
    );
  return element("ul", { class: "bars" }, ...entries.map(row));
}

export function facts(entries: [name: string, value: string][]): HTMLElement {
  const pairs = entries.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  return element("dl", { class: "facts" }, ...pairs);
}

export function card(heading: string, ...children: (HTMLElement | null)[]): HTMLElement {
  return element("section", { class: "card" }, element("h2", {}, heading), ...children);
}
