// The node's own columns as in the user's table, what is usual in them, and their shares in the score.
import type { ColumnShare, FeatureShares } from "./api";
import { element } from "./dom";
import { percent, plural, probability, share } from "./format";
import { card } from "./parts";

const columns_shown = 14;
const size = { width: 220, height: 26 };

// A bar to the right for what raises the score, to the left for what lowers it.
function share_bar(value: number, largest: number): HTMLElement {
  const fill = element("span", { class: `share-fill ${value < 0 ? "lowers" : "raises"}` });
  fill.style.setProperty("--share", `${50 * Math.min(1, Math.abs(value) / (largest || 1))}%`);
  return element("span", { class: "share-track", "aria-hidden": "true" }, fill);
}

function svg_element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

// The distribution of comparable nodes, with a line at this node's number.
function histogram({ low, high, counts, number }: NonNullable<ColumnShare["numbers"]>): SVGElement {
  const { width, height } = size;
  const svg = svg_element("svg", { class: "histogram", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const bin = width / counts.length;
  const tallest = Math.max(1, ...counts);
  counts.forEach((count, at) => {
    const tall = count === 0 ? 0 : Math.max(1, (count / tallest) * (height - 2));
    svg.append(svg_element("rect", { x: at * bin + 0.5, y: height - tall, width: bin - 1, height: tall }));
  });
  if (number !== null) {
    const x = Math.min(1, Math.max(0, (number - low) / (high - low))) * (width - 2) + 1;
    svg.append(svg_element("line", { x1: x, x2: x, y1: 0, y2: height }));
  }
  return svg;
}

function usual({ value, numbers, categories }: ColumnShare): string {
  if (numbers?.rank != null && numbers.equal != null) {
    const below = numbers.rank - numbers.equal / 2;
    const above = 1 - below - numbers.equal;
    if (numbers.equal >= Math.max(below, above)) return `as ${percent(numbers.equal)} of its kind`;
    return `${below >= above ? "higher" : "lower"} than ${percent(Math.max(below, above))} of its kind`;
  }
  const found = categories?.find((category) => category.value === value);
  return found ? `as ${percent(found.share)} of its kind` : "";
}

function column_row(column: ColumnShare, largest: number): HTMLElement {
  const cell = column.has ? (column.value ?? "empty") : (column.type ?? "others");
  return element(
    "li",
    { class: "column-row" },
    element("span", { class: "name", title: column.name }, column.name),
    element("span", { class: column.has ? "cell" : "cell quiet", title: cell }, cell),
    column.numbers ? histogram(column.numbers) : null,
    usual(column) ? element("span", { class: "quiet about" }, usual(column)) : null,
    share_bar(column.own + column.others, largest),
    element(
      "span",
      { class: "shares quiet" },
      column.has ? `own ${share(column.own)}` : "",
      column.has && Math.abs(column.others) >= 0.0005 ? ", " : "",
      Math.abs(column.others) >= 0.0005 ? `along the paths ${share(column.others)}` : "",
    ),
  );
}

export function columns_card(features: FeatureShares | null): HTMLElement {
  if (features === null) {
    const why = "The data has too many features to say which of them decided.";
    return card("Which columns decided", element("p", { class: "quiet" }, why));
  }
  const largest = Math.max(...features.columns.map(({ own, others }) => Math.abs(own + others)), 0);
  const row = (column: ColumnShare) => column_row(column, largest);
  const [first, rest] = [features.columns.slice(0, columns_shown), features.columns.slice(columns_shown)];
  const about = `Shares add up to ${probability(features.score)} here less ${probability(features.typical)} with typical columns.`;
  const more = features.left_out > 0 ? ` and ${plural(features.left_out, "column")} with smaller shares` : "";
  return card(
    "Which columns decided",
    element("p", { class: "quiet" }, about),
    element("ul", { class: "column-rows" }, ...first.map(row)),
    rest.length > 0
      ? element(
          "details",
          { class: "rest" },
          element("summary", {}, `${plural(rest.length, "more column", "more columns")}${more}`),
          element("ul", { class: "column-rows" }, ...rest.map(row)),
        )
      : null,
  );
}
