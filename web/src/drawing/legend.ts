// The meaning of thickness, colour and shape.
import { select } from "d3-selection";
import { element } from "../dom";
import { class_text } from "../format";
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

function level_entry(level: string, text: string): HTMLElement {
  const svg = sample(24);
  svg.append("path").attr("class", `edge ${level}`).attr("stroke-width", 4).attr("d", "M3,0H21");
  return element("li", {}, svg.node(), text);
}

function importance_entry(): HTMLElement {
  const svg = sample(40);
  [0.01, 0.1, 0.4].forEach((importance, at) => {
    const width = stroke_width(importance);
    svg
      .append("path")
      .attr("class", "edge plain")
      .attr("stroke-width", width)
      .attr("d", `M${5 + 12 * at},0h6`);
  });
  return element("li", {}, svg.node(), "importance");
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
    importance_entry(),
    level_entry("low", "weight < 0.1"),
    level_entry("middle", "0.1 to 0.2"),
    level_entry("high", "≥ 0.2"),
    ...types.map(type_entry),
    element(
      "li",
      {},
      `${class_text(class_name)} 0`,
      element("span", { class: "score-ramp", "aria-hidden": "true" }),
      "1",
    ),
  );
}
