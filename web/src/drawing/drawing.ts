// The drawing: one panel (learned or Laplacian weights), or both side by side with the same layout and zoom.
import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from "d3-zoom";
import type { ReceptivePaths } from "../api";
import { plural, probability, weight } from "../format";
import type { Weightings } from "../view";
import { draw_scene, layers, type World } from "./panel";
import { make_scene, type DrawnEdge, type DrawnNode } from "./scene";
import { Tooltip } from "./tooltip";
import { path_edges, type Weighting } from "./weights";

export interface Subject {
  paths: ReceptivePaths;
  types: string[];
  show: Weightings;
  layer: number;
}

interface Panel {
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

  constructor(
    private readonly stage: HTMLElement,
    private readonly walk: (id: string) => void,
  ) {
    this.svg = select(stage).append("svg").attr("class", "drawing").attr("role", "img").node() as SVGSVGElement;
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
    svg.selectAll<SVGPathElement, DrawnEdge>("path.edge").classed("lit", ({ key }) => edges?.has(key) ?? false);
    svg.selectAll<SVGPathElement, DrawnNode>("path.node").classed("lit", ({ node }) => nodes.has(node.id));
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
    this.join_panels(shown_panels(subject.show, width, height)).each((panel, index, elements) => {
      const world = select(elements[index] as SVGSVGElement).select<SVGGElement>("g.world");
      draw_scene(world, make_scene(subject.paths, subject.types, panel.weighting, subject.layer, panel));
      this.listen(world, panel.weighting);
    });
    this.transform_worlds(this.transform);
  }

  private join_panels(panels: Panel[]): PanelSelection {
    const joined = select(this.svg)
      .selectAll<SVGSVGElement, Panel>("svg.panel")
      .data(panels, ({ weighting }) => weighting)
      .join((enter) => {
        const panel = enter.append("svg").attr("class", "panel");
        panel.append("rect").attr("class", "ground");
        const world = panel.append("g").attr("class", "world");
        for (const layer of layers) world.append("g").attr("class", layer);
        panel.append("line").attr("class", "divider");
        panel
          .append("text")
          .attr("class", "panel-title")
          .text(({ weighting }) => panel_titles[weighting]);
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

  private listen(world: World, weighting: Weighting): void {
    world
      .selectAll<SVGPathElement, DrawnNode>("path.node")
      .on("click", (_event, { node }) => this.walk(node.id))
      .on("pointerenter", (event: PointerEvent, drawn) => {
        this.tooltip.show(event, node_lines(drawn));
        if (drawn.node.hop > 0) this.highlight(new Set(path_edges(drawn.trail)), new Set(drawn.trail));
      })
      .on("pointerleave", () => {
        this.tooltip.hide();
        this.highlight(null);
      });
    world
      .selectAll<SVGPathElement, DrawnEdge>("path.edge")
      .on("pointerenter", (event: PointerEvent, edge) => this.tooltip.show(event, this.edge_lines(edge, weighting)))
      .on("pointerleave", () => this.tooltip.hide());
  }

  private edge_lines({ source, target, importance }: DrawnEdge, weighting: Weighting): string[] {
    const edge = this.subject?.paths.edges.find((other) => other.source === source && other.target === target);
    const alphas = (edge?.alpha ?? []).map((alpha, at) => `layer ${at + 1}: α ${weight(alpha)}`);
    return [
      `${target} listens to ${source}`,
      `${panel_titles[weighting]}: importance ${weight(importance)}`,
      ...alphas,
      `Laplacian: ${weight(edge?.laplacian ?? 0)}`,
    ];
  }
}

function shown_panels(show: Weightings, width: number, height: number): Panel[] {
  const weightings: Weighting[] = show === "both" ? ["laplacian", "learned"] : [show];
  const stacked = width < height; // on a narrow screen one above the other
  const part = (at: number): Omit<Panel, "weighting"> =>
    stacked
      ? { left: 0, top: (at * height) / weightings.length, width, height: height / weightings.length }
      : { left: (at * width) / weightings.length, top: 0, width: width / weightings.length, height };
  return weightings.map((weighting, at) => ({ weighting, ...part(at) }));
}

function description({ paths, show, layer }: Subject): string {
  const what = show === "both" ? "the graph Laplacian beside the learned paths" : panel_titles[show].toLowerCase();
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
    node.hop === 0 ? "explained here" : `importance ${weight(node.importance)}`,
  ];
}
