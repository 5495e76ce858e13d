// The depth function's profile: each hop's share of the final memory (bars, together 100 %) and the means of the gates
// i, f and o (lines). A table repeats the numbers for screen readers.
import { scaleLinear, scalePoint } from "d3-scale";
import { select, type Selection } from "d3-selection";
import { line } from "d3-shape";
import type { Gate } from "./api";
import { element } from "./dom";
import { percent, plural, probability } from "./format";

const size = { width: 300, height: 150, left: 40, right: 10, top: 10, bottom: 24 };
const gates = ["input", "forget", "output"] as const;

const few_hops = 5; // with more, only numbers
const hop_name = (hop: number, short: boolean): string =>
  short ? String(hop) : hop === 0 ? "itself" : plural(hop, "hop");

type Chart = Selection<SVGSVGElement, unknown, null, undefined>;

function scales(profile: Gate[]) {
  const lowest = Math.min(0, ...profile.map(({ contribution }) => contribution));
  const highest = Math.max(1, ...profile.map(({ contribution }) => contribution));
  return {
    x: scalePoint<number>()
      .domain(profile.map(({ hop }) => hop))
      .range([size.left, size.width - size.right])
      .padding(0.6),
    y: scaleLinear([lowest, highest], [size.height - size.bottom, size.top]).nice(4),
  };
}
type Scales = ReturnType<typeof scales>;

function draw_axes(chart: Chart, profile: Gate[], { x, y }: Scales): void {
  const ticks = chart.append("g").attr("class", "ticks").selectAll("g").data(y.ticks(4)).join("g");
  ticks
    .append("line")
    .attr("x1", size.left)
    .attr("x2", size.width - size.right)
    .attr("y1", y)
    .attr("y2", y);
  ticks
    .append("text")
    .attr("x", size.left - 6)
    .attr("y", (tick) => y(tick) + 3.5)
    .attr("text-anchor", "end")
    .text(percent);
  chart
    .append("g")
    .selectAll("text")
    .data(profile)
    .join("text")
    .attr("x", ({ hop }) => x(hop) ?? 0)
    .attr("y", size.height - 7)
    .attr("text-anchor", "middle")
    .text(({ hop }) => hop_name(hop, profile.length > few_hops));
}

function draw_bars(chart: Chart, profile: Gate[], { x, y }: Scales): void {
  const width = Math.min(44, 0.5 * (x.step() || 44));
  chart
    .append("g")
    .selectAll("rect")
    .data(profile)
    .join("rect")
    .attr("class", "contribution")
    .attr("x", ({ hop }) => (x(hop) ?? 0) - width / 2)
    .attr("width", width)
    .attr("y", ({ contribution }) => Math.min(y(contribution), y(0)))
    .attr("height", ({ contribution }) => Math.abs(y(contribution) - y(0)))
    .attr("rx", 2);
}

function draw_gates(chart: Chart, profile: Gate[], { x, y }: Scales): void {
  for (const gate of gates) {
    const path = line<Gate>(
      ({ hop }) => x(hop) ?? 0,
      (update) => y(update[gate]),
    );
    const group = chart.append("g").attr("class", `gate ${gate}`);
    group.append("path").attr("d", path(profile));
    group
      .selectAll("circle")
      .data(profile)
      .join("circle")
      .attr("cx", ({ hop }) => x(hop) ?? 0)
      .attr("cy", (update) => y(update[gate]))
      .attr("r", 3);
  }
}

function table(profile: Gate[]): HTMLElement {
  const head = ["hop", "contribution", ...gates].map((name) => element("th", { scope: "col" }, name));
  const rows = profile.map((update) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, String(update.hop)),
      element("td", {}, percent(update.contribution)),
      ...gates.map((gate) => element("td", {}, probability(update[gate]))),
    ),
  );
  return element(
    "table",
    {},
    element("caption", {}, "Contribution of every hop to the memory, and the means of the gates"),
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
}

export function depth_chart(profile: Gate[]): HTMLElement {
  if (profile.length === 0) return element("p", { class: "quiet" }, "This model's depth function has no gates.");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const chart: Chart = select(svg)
    .attr("class", "chart")
    .attr("aria-hidden", "true")
    .attr("viewBox", `0 0 ${size.width} ${size.height}`);
  const made = scales(profile);
  draw_axes(chart, profile, made);
  draw_bars(chart, profile, made);
  draw_gates(chart, profile, made);
  const keys = ["contribution", ...gates].map((name) =>
    element(
      "li",
      {},
      element("span", { class: `key ${name}`, "aria-hidden": "true" }),
      name === "contribution" ? "share of the memory" : `${name} gate`,
    ),
  );
  return element(
    "div",
    {},
    svg,
    element("ul", { class: "keys" }, ...keys),
    element("div", { class: "unseen" }, table(profile)),
  );
}
