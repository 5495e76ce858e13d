// One panel of the drawing: d3 synchronises its SVG elements with a scene, so that nodes that stay move to their new
// places when the user walks to a neighbour.
import { type BaseType, type Selection } from "d3-selection";
import { symbol, symbolCircle, symbolDiamond2, symbolSquare, symbolTriangle } from "d3-shape";
import "d3-transition";
import { probability } from "../format";
import type { DrawnEdge, DrawnNode, Ring, Scene } from "./scene";
import type { Label } from "./labels";
import { level_of } from "./weights";

export type World = Selection<SVGGElement, unknown, BaseType, unknown>;

const shapes = [symbolCircle, symbolSquare, symbolDiamond2, symbolTriangle];
export const shape_path = (shape: number, radius: number): string =>
  symbol(shapes[shape % shapes.length], Math.PI * radius * radius)() ?? "";

const duration = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 420);

export const layers = ["rings", "edges", "nodes", "labels"] as const;

function draw_rings(world: World, rings: Ring[]): void {
  world
    .select<SVGGElement>("g.rings")
    .selectAll("circle")
    .data(rings)
    .join("circle")
    .attr("cx", ({ x }) => x)
    .attr("cy", ({ y }) => y)
    .attr("r", ({ radius }) => radius);
}

function draw_edges(world: World, edges: DrawnEdge[]): void {
  world
    .select<SVGGElement>("g.edges")
    .selectAll<SVGPathElement, DrawnEdge>("path")
    .data(edges, (edge) => edge.key)
    .join((enter) => enter.append("path").attr("d", (edge) => edge.path))
    .order()
    .attr("class", (edge) => `edge ${edge.importance > 0 ? level_of(edge.weight) : "added"}`)
    .transition()
    .duration(duration())
    .attr("stroke-width", (edge) => edge.width)
    .attr("d", (edge) => edge.path);
}

const position = ({ x, y }: { x: number; y: number }): string => `translate(${x},${y})`;

// One node at a time can be reached by Tab: the explained one, until arrow keys move the focus.
function draw_nodes(world: World, nodes: DrawnNode[], pinned: Set<string>): void {
  const joined = world
    .select<SVGGElement>("g.nodes")
    .selectAll<SVGPathElement, DrawnNode>("path")
    .data(nodes, ({ node }) => node.id)
    .join((enter) => enter.append("path").attr("transform", position))
    .attr("class", ({ node }) => `node${node.hop === 0 ? " focus" : ""}${pinned.has(node.id) ? " pinned" : ""}`)
    .attr("role", "button")
    .attr("tabindex", ({ node }) => (node.hop === 0 ? 0 : -1))
    .attr("aria-label", ({ node }) => `${node.id}, ${node.type ?? "node"}, score ${probability(node.score)}`)
    .style("--score", ({ node }) => `${(100 * node.score).toFixed(1)}%`)
    .attr("d", ({ shape, radius }) => shape_path(shape, radius));
  joined.transition().duration(duration()).attr("transform", position);
}

function draw_labels(world: World, labels: Label[]): void {
  world
    .select<SVGGElement>("g.labels")
    .selectAll<SVGTextElement, Label>("text")
    .data(labels, (label) => label.id)
    .join((enter) => enter.append("text").attr("transform", position))
    .text((label) => label.text)
    .attr("text-anchor", (label) => label.anchor)
    .transition()
    .duration(duration())
    .attr("transform", position);
}

export function draw_scene(world: World, scene: Scene, pinned: Set<string>): void {
  draw_rings(world, scene.rings);
  draw_edges(world, scene.edges);
  draw_nodes(world, scene.nodes, pinned);
  draw_labels(world, scene.labels);
}
