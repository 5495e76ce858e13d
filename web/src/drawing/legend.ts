// What thickness, colour and shape mean.
import { select } from "d3-selection";
import { element } from "../dom";
import { shape_path } from "./panel";
import { stroke_width } from "./weights";

function sample(width: number): ReturnType<typeof select<SVGSVGElement, unknown>> {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  return select<SVGSVGElement, unknown>(svg)
    .attr("width", width)
    .attr("height", 16)
    .attr("viewBox", `0 -8 ${width} 16`);
}

function level_entry(level: string, weight: number, text: string): HTMLElement {
  const svg = sample(28);
  svg.append("path").attr("class", `edge ${level}`).attr("stroke-width", stroke_width(weight)).attr("d", "M4,0H24");
  return element("li", {}, svg.node(), text);
}

function type_entry(type: string, shape: number): HTMLElement {
  const svg = sample(16);
  svg.append("path").attr("class", "node plain").attr("transform", "translate(8,0)").attr("d", shape_path(shape, 5.5));
  return element("li", {}, svg.node(), type);
}

export function legend(types: string[], class_name: string): HTMLElement {
  return element(
    "ul",
    { class: "legend", "aria-label": "Legend" },
    level_entry("low", 0.03, "w < 0.1"),
    level_entry("middle", 0.14, "0.1 to 0.2"),
    level_entry("high", 0.4, "w ≥ 0.2"),
    ...types.map(type_entry),
    element("li", {}, "0", element("span", { class: "score-ramp", "aria-hidden": "true" }), `1  ${class_name}`),
  );
}
