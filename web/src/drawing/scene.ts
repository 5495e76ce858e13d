// The contents of one panel, in pixels with (0, 0) in the middle.
import type { Path, PathNode, ReceptivePaths } from "../api";
import { type Place, place_nodes } from "./layout";
import { choose_labels, type Label } from "./labels";
import { edge_key, edge_strengths, type Strength, stroke_width, type Weighting } from "./weights";

export interface DrawnNode {
  node: PathNode;
  x: number;
  y: number;
  radius: number;
  shape: number; // index of the node's type
  trail: string[]; // from the middle to the node, along its strongest path
}

export interface DrawnEdge extends Strength {
  key: string;
  source: string;
  target: string;
  width: number;
  path: string; // SVG path data
}

export interface Ring {
  x: number;
  y: number;
  radius: number;
}

export interface Scene {
  rings: Ring[];
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  labels: Label[];
}

const focus_radius = 13;

// By importance; smaller in a small panel.
function radii(nodes: PathNode[], { width, height }: Size): (node: PathNode) => number {
  const shrink = Math.min(1, Math.max(0.6, Math.min(width, height) / 520));
  const largest = Math.max(1e-30, ...nodes.filter(({ hop }) => hop > 0).map(({ importance }) => importance));
  return ({ hop, importance }) =>
    shrink * (hop === 0 ? focus_radius : 4.5 + 6.5 * Math.sqrt(Math.min(1, importance / largest)));
}

export interface Size {
  width: number;
  height: number;
}

const margin = { x: 64, y: 44 }; // for labels; less in a narrow panel
const widest_ring = 210; // largest distance between rings in pixels

// Positions in pixels: as large as the panel allows, with all nodes centred in it.
function fitted(places: Map<string, Place>, depth: number, { width, height }: Size) {
  const xs = [...places.values()].map(({ x }) => x);
  const ys = [...places.values()].map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const fits = (room: number, extent: number) => Math.max(40, room) / Math.max(extent, 1e-9);
  const scale = Math.min(
    widest_ring * depth,
    fits(width - 2 * Math.min(margin.x, 0.15 * width), right - left),
    fits(height - 2 * margin.y, bottom - top),
  );
  const pixel_x = (x: number) => round((x - (left + right) / 2) * scale);
  const pixel_y = (y: number) => round((y - (top + bottom) / 2) * scale);
  const placed = new Map(
    [...places].map(([id, place]) => [id, { ...place, x: pixel_x(place.x), y: pixel_y(place.y) }]),
  );
  return { scale, middle: { x: pixel_x(0), y: pixel_y(0) }, places: placed };
}

// Straight between a node and its parent, curved otherwise, so that the two directions of an edge are distinct.
function curve(source: Place, target: Place): string {
  const [x0, y0, x1, y1] = [source.x, source.y, target.x, target.y];
  const bend = source.parent === target.id ? 0 : 0.16;
  const cx = (x0 + x1) / 2 - bend * (y1 - y0);
  const cy = (y0 + y1) / 2 + bend * (x1 - x0);
  return `M${[x0, y0].map(round)}Q${[cx, cy, x1, y1].map(round)}`;
}
const round = (value: number): number => Math.round(10 * value) / 10;

function trail_to(id: string | null, places: Map<string, Place>): string[] {
  if (id === null) return [];
  return [...trail_to(places.get(id)?.parent ?? null, places), id];
}

function drawn_edges(paths: ReceptivePaths, places: Map<string, Place>, strengths: Map<string, Strength>): DrawnEdge[] {
  const drawn = paths.edges.flatMap(({ source, target }): DrawnEdge[] => {
    const [from, to] = [places.get(source), places.get(target)];
    if (!from || !to) return [];
    const key = edge_key(source, target);
    const strength = strengths.get(key) ?? { importance: 0, weight: 0 };
    return [{ key, source, target, ...strength, width: stroke_width(strength.importance), path: curve(from, to) }];
  });
  return drawn.sort((a, b) => a.importance - b.importance); // strong ones on top
}

export function make_scene(
  paths: ReceptivePaths & { placed?: Path[] },
  types: string[],
  weighting: Weighting,
  layer: number,
  size: Size,
): Scene {
  const unit_places = place_nodes({ node: paths.node, paths: paths.placed ?? paths.paths });
  const depth = Math.max(...[...unit_places.values()].map(({ ring }) => ring));
  const { scale, middle, places } = fitted(unit_places, Math.max(1, depth), size);
  const radius = radii(paths.nodes, size);
  const nodes = paths.nodes.flatMap((node): DrawnNode[] => {
    const place = places.get(node.id);
    if (!place) return [];
    const shape = Math.max(0, types.indexOf(node.type ?? ""));
    return [{ node, x: place.x, y: place.y, radius: radius(node), shape, trail: trail_to(node.id, places) }];
  });
  return {
    rings: Array.from({ length: depth }, (_, ring) => ({ ...middle, radius: ((ring + 1) / depth) * scale })),
    nodes,
    edges: drawn_edges(paths, places, edge_strengths(paths, weighting, layer)),
    labels: choose_labels(nodes, size),
  };
}
