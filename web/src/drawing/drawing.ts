// The drawing: one panel (learned or Laplacian weights), or two side by side with the same zoom: both weights, or the same
// node in two runs. Drawn nodes take the keyboard focus: arrow keys move it, Enter does what a click does, E expands the
// node and P pins it.
import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from "d3-zoom";
import type { ReceptivePaths } from "../api";
import { plural, probability, weight } from "../format";
import type { Weightings } from "../view";
import { type Addition, with_additions } from "./additions";
import { draw_scene, layers, type World } from "./panel";
import { make_scene, type DrawnEdge, type DrawnNode } from "./scene";
import { node_towards } from "./steps";
import { Tooltip } from "./tooltip";
import { path_edges, type Weighting } from "./weights";

export interface Subject {
  paths: ReceptivePaths;
  other: { name: string; paths: ReceptivePaths } | null; // of the other run, while that is shown
  additions: Addition[];
  pins: string[];
  types: string[];
  show: Weightings;
  layer: number;
}

export type Action = "walk" | "expand" | "pin";
export type Act = (action: Action, id: string, trail: string[]) => void;

interface Panel {
  key: string;
  title: string;
  paths: ReceptivePaths;
  weighting: Weighting;
  left: number;
  top: number;
  width: number;
  height: number;
}

type PanelSelection = Selection<SVGSVGElement, Panel, SVGSVGElement, unknown>;

export const panel_titles: Record<Weighting, string> = { learned: "Learned paths", laplacian: "Graph Laplacian" };

export class Drawing {
  readonly svg: SVGSVGElement;
  private readonly tooltip: Tooltip;
  private readonly zoom = zoom<SVGSVGElement, Panel>()
    .scaleExtent([0.5, 12])
    .filter((event: MouseEvent) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : event.button === 0))
    .on("zoom", (event: D3ZoomEvent<SVGSVGElement, Panel>) => this.transform_worlds(event.transform));
  private subject: Subject | null = null;
  private transform: ZoomTransform = zoomIdentity;
  click: Action = "walk";

  constructor(
    private readonly stage: HTMLElement,
    private readonly act: Act,
  ) {
    this.svg = select(stage).append("svg").attr("class", "drawing").attr("role", "group").node() as SVGSVGElement;
    this.tooltip = new Tooltip(stage);
    new ResizeObserver(() => this.redraw()).observe(stage);
  }

  show(subject: Subject): void {
    if (subject.paths.node !== this.subject?.paths.node) this.transform = zoomIdentity;
    this.subject = subject;
    this.tooltip.hide();
    this.highlight(null);
    this.redraw();
  }

  // Only these edges and the nodes at their ends stay bright; null: all.
  highlight(edges: Set<string> | null, nodes: Set<string> = new Set()): void {
    const svg = select(this.svg).classed("dimmed", edges !== null);
    svg.selectAll(".lit").classed("lit", false);
    if (edges === null) return;
    svg.selectAll<SVGPathElement, DrawnEdge>("path.edge").filter(({ key }) => edges.has(key)).classed("lit", true);
    svg.selectAll<SVGPathElement, DrawnNode>("path.node").filter(({ node }) => nodes.has(node.id)).classed("lit", true);
  }

  zoom_by(factor: number): void {
    this.zoom.scaleBy(this.first_panel(), factor);
  }

  reset_zoom(): void {
    this.zoom.transform(this.first_panel(), zoomIdentity);
  }

  private first_panel(): PanelSelection {
    return this.panels().filter((_, index) => index === 0);
  }

  private panels(): PanelSelection {
    return select(this.svg).selectAll<SVGSVGElement, Panel>("svg.panel");
  }

  private redraw(): void {
    const { width, height } = this.stage.getBoundingClientRect();
    if (!this.subject || width === 0 || height === 0) return;
    const subject = this.subject;
    select(this.svg).attr("viewBox", `0 0 ${width} ${height}`).attr("aria-label", description(subject));
    this.join_panels(shown_panels(subject, width, height)).each((panel, index, elements) => {
      const world = select(elements[index] as SVGSVGElement).select<SVGGElement>("g.world");
      const scene = make_scene(panel.paths, subject.types, panel.weighting, subject.layer, panel);
      draw_scene(world, scene, new Set(subject.pins));
      this.listen(world, panel, scene.nodes);
    });
    this.transform_worlds(this.transform);
  }

  private join_panels(panels: Panel[]): PanelSelection {
    const joined = select(this.svg)
      .selectAll<SVGSVGElement, Panel>("svg.panel")
      .data(panels, ({ key }) => key)
      .join((enter) => {
        const panel = enter.append("svg").attr("class", "panel");
        panel.append("rect").attr("class", "ground");
        const world = panel.append("g").attr("class", "world");
        for (const layer of layers) world.append("g").attr("class", layer);
        panel.append("line").attr("class", "divider");
        panel.append("text").attr("class", "panel-title");
        return panel;
      })
      .attr("x", ({ left }) => left)
      .attr("y", ({ top }) => top)
      .attr("width", ({ width }) => width)
      .attr("height", ({ height }) => height)
      .attr("viewBox", ({ width, height }) => `${-width / 2} ${-height / 2} ${width} ${height}`);
    joined
      .select("rect.ground")
      .attr("x", ({ width }) => -width / 2)
      .attr("y", ({ height }) => -height / 2)
      .attr("width", ({ width }) => width)
      .attr("height", ({ height }) => height);
    joined
      .select("line.divider")
      .attr("x1", ({ width }) => -width / 2)
      .attr("y1", ({ height }) => -height / 2)
      .attr("x2", ({ width, top }) => (top > 0 ? width / 2 : -width / 2))
      .attr("y2", ({ height, top }) => (top > 0 ? -height / 2 : height / 2));
    joined
      .select("text.panel-title")
      .text(({ title }) => title)
      .attr("x", ({ width }) => 18 - width / 2)
      .attr("y", ({ height }) => 28 - height / 2);
    this.zoom.extent(({ width, height }) => [
      [-width / 2, -height / 2],
      [width / 2, height / 2],
    ]);
    return joined.call(this.zoom).on("dblclick.zoom", null);
  }

  private transform_worlds(transform: ZoomTransform): void {
    this.transform = transform;
    this.panels()
      .property("__zoom", transform) // where d3-zoom stores it: both panels zoom together
      .select("g.world")
      .attr("transform", transform.toString());
  }

  private listen(world: World, panel: Panel, nodes: DrawnNode[]): void {
    const light = (point: { clientX: number; clientY: number }, drawn: DrawnNode) => {
      this.tooltip.show(point, node_lines(drawn));
      if (drawn.node.hop > 0) this.highlight(new Set(path_edges(drawn.trail)), new Set(drawn.trail));
    };
    const dark = () => {
      this.tooltip.hide();
      this.highlight(null);
    };
    world
      .selectAll<SVGPathElement, DrawnNode>("path.node")
      .on("click", (_event, { node, trail }) => this.act(this.click, node.id, trail))
      .on("keydown", (event: KeyboardEvent, drawn) => this.on_key(event, drawn, world, nodes))
      .on("pointerenter", light)
      .on("focus", (event: FocusEvent, drawn) => {
        const { left, bottom } = (event.target as Element).getBoundingClientRect();
        light({ clientX: left, clientY: bottom }, drawn);
      })
      .on("pointerleave", dark)
      .on("blur", dark);
    world
      .selectAll<SVGPathElement, DrawnEdge>("path.edge")
      .on("pointerenter", (event: PointerEvent, edge) => this.tooltip.show(event, this.edge_lines(edge, panel)))
      .on("pointerleave", () => this.tooltip.hide());
  }

  private on_key(event: KeyboardEvent, drawn: DrawnNode, world: World, nodes: DrawnNode[]): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = ({ Enter: this.click, e: "expand", p: "pin" } as Record<string, Action>)[event.key];
    const next = node_towards(nodes, drawn, event.key);
    if (!action && !next) return;
    event.preventDefault();
    if (action) return this.act(action, drawn.node.id, drawn.trail);
    world
      .selectAll<SVGPathElement, DrawnNode>("path.node")
      .attr("tabindex", (node) => (node === next ? 0 : -1))
      .filter((node) => node === next)
      .node()
      ?.focus();
  }

  private edge_lines({ source, target, importance }: DrawnEdge, { paths, title }: Panel): string[] {
    const edge = paths.edges.find((other) => other.source === source && other.target === target);
    const alphas = (edge?.alpha ?? []).map((alpha, at) => `layer ${at + 1}: α ${weight(alpha)}`);
    return [
      `${target} listens to ${source}`,
      ...(importance > 0 ? [`${title}: importance ${weight(importance)}`] : []),
      ...alphas,
      ...(edge?.laplacian ? [`Laplacian: ${weight(edge.laplacian)}`] : []),
    ];
  }
}

type Shown = Pick<Panel, "key" | "title" | "paths" | "weighting">;

function shown_panels(subject: Subject, width: number, height: number): Panel[] {
  const shown = panel_contents(subject);
  const stacked = width < height; // on a narrow screen one above the other
  const part = (at: number): Omit<Panel, keyof Shown> =>
    stacked
      ? { left: 0, top: (at * height) / shown.length, width, height: height / shown.length }
      : { left: (at * width) / shown.length, top: 0, width: width / shown.length, height };
  return shown.map((panel, at) => ({ ...panel, ...part(at) }));
}

function panel_contents({ paths, other, additions, show }: Subject): Shown[] {
  const own = with_additions(paths, additions);
  const panel = (weighting: Weighting): Shown => ({ key: weighting, title: panel_titles[weighting], paths: own, weighting });
  if (show === "both") return [panel("laplacian"), panel("learned")];
  if (show !== "runs") return [panel(show)];
  if (!other) return [panel("learned")];
  const beside: Shown = { key: "other", title: other.name, paths: with_additions(other.paths, []), weighting: "learned" };
  return [{ ...panel("learned"), title: "This run" }, beside];
}

function description({ paths, show, layer }: Subject): string {
  const what =
    show === "both"
      ? "the graph Laplacian beside the learned paths"
      : show === "runs"
        ? "the learned paths of two runs"
        : panel_titles[show].toLowerCase();
  const where = layer === 0 ? "over whole paths" : `in layer ${layer}`;
  const counts = `${plural(paths.nodes.length, "node")} and ${plural(paths.edges.length, "edge")}`;
  return `Neighbourhood of ${paths.node}: ${counts}, ${what}, ${where}`;
}

function node_lines({ node }: DrawnNode): string[] {
  const label = node.label === null ? [] : [`labelled ${node.label.join(", ") || "nothing"}`];
  return [
    node.id,
    `${node.type ?? "node"}, ${plural(node.degree, "neighbour")}`,
    `score ${probability(node.score)}`,
    ...label,
    node.hop === 0 ? "explained here" : node.importance > 0 ? `importance ${weight(node.importance)}` : "not on a listed path",
  ];
}
