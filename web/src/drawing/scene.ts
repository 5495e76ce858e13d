// What one panel draws, in its own pixels: the middle is (0, 0).
import type { PathNode, ReceptivePaths } from "../api";
import { type Place, place_nodes } from "./layout";
import { choose_labels, type Label } from "./labels";
import { edge_key, edge_weights, stroke_width, type Weighting } from "./weights";

export interface DrawnNode {
  node: PathNode;
  x: number;
  y: number;
  radius: number;
  shape: number; // index of the node's type
}

export interface DrawnEdge {
  key: string;
  source: string;
  target: string;
  weight: number;
  width: number;
  path: string; // SVG path data
}

export interface Scene {
  rings: number[]; // radii
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  labels: Label[];
}

const focus_radius = 13;

function radii(nodes: PathNode[]): (node: PathNode) => number {
  const largest = Math.max(1e-30, ...nodes.filter(({ hop }) => hop > 0).map(({ importance }) => importance));
  return ({ hop, importance }) => (hop === 0 ? focus_radius : 4.5 + 6.5 * Math.sqrt(Math.min(1, importance / largest)));
}

// Straight between a node and its parent, bent otherwise, so that the two directions of an edge stay apart.
function curve(source: Place, target: Place, scale: number): string {
  const [x0, y0, x1, y1] = [source.x * scale, source.y * scale, target.x * scale, target.y * scale];
  const bend = source.parent === target.id ? 0 : 0.16;
  const cx = (x0 + x1) / 2 - bend * (y1 - y0);
  const cy = (y0 + y1) / 2 + bend * (x1 - x0);
  return `M${[x0, y0].map(round)}Q${[cx, cy, x1, y1].map(round)}`;
}
const round = (value: number): number => Math.round(10 * value) / 10;

function drawn_edges(paths: ReceptivePaths, places: Map<string, Place>, scale: number, weights: Map<string, number>): DrawnEdge[] {
  const drawn = paths.edges.flatMap(({ source, target }): DrawnEdge[] => {
    const [from, to] = [places.get(source), places.get(target)];
    if (!from || !to) return [];
    const key = edge_key(source, target);
    const weight = weights.get(key) ?? 0;
    return [{ key, source, target, weight, width: stroke_width(weight), path: curve(from, to, scale) }];
  });
  return drawn.sort((a, b) => a.weight - b.weight); // strong ones on top
}

export function make_scene(
  paths: ReceptivePaths,
  types: string[],
  weighting: Weighting,
  layer: number,
  size: { width: number; height: number },
): Scene {
  const places = place_nodes(paths);
  const scale = Math.max(40, Math.min(size.width / 2 - 64, size.height / 2 - 42));
  const depth = Math.max(...[...places.values()].map(({ ring }) => ring));
  const radius = radii(paths.nodes);
  const nodes = paths.nodes.flatMap((node): DrawnNode[] => {
    const place = places.get(node.id);
    if (!place) return [];
    const shape = Math.max(0, types.indexOf(node.type ?? ""));
    return [{ node, x: round(place.x * scale), y: round(place.y * scale), radius: radius(node), shape }];
  });
  return {
    rings: Array.from({ length: depth }, (_, ring) => ((ring + 1) / depth) * scale),
    nodes,
    edges: drawn_edges(paths, places, scale, edge_weights(paths, weighting, layer)),
    labels: choose_labels(nodes),
  };
}
