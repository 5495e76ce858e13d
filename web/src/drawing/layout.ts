// Where nodes stand: the explained node in the middle, the others on one ring a hop, each near the node through which
// its strongest path runs. The same paths give the same picture.
import { type HierarchyPointNode, stratify, tree } from "d3-hierarchy";
import type { Path, ReceptivePaths } from "../api";

export interface Place {
  id: string;
  parent: string | null;
  ring: number; // steps to the middle
  angle: number; // clockwise from the top
  x: number; // the outermost ring has radius 1
  y: number;
}

// For every node the one before it on its shortest listed path; of several the strongest, as paths come sorted.
function parents_of(root: string, paths: Path[]): Map<string, string> {
  const steps = new Map([[root, 0]]);
  const parents = new Map<string, string>();
  for (const { nodes } of paths) {
    nodes.forEach((id, step) => {
      if (step >= (steps.get(id) ?? Infinity)) return;
      steps.set(id, step);
      parents.set(id, nodes[step - 1] as string);
    });
  }
  return parents;
}

const place_of = (point: HierarchyPointNode<string>): Place => ({
  id: point.data,
  parent: point.parent?.data ?? null,
  ring: point.depth,
  angle: point.x,
  x: point.y * Math.sin(point.x),
  y: -point.y * Math.cos(point.x),
});

export function place_nodes({ node, paths }: Pick<ReceptivePaths, "node" | "paths">): Map<string, Place> {
  const parents = parents_of(node, paths);
  const root = stratify<string>()
    .id((id) => id)
    .parentId((id) => parents.get(id) ?? null)([node, ...parents.keys()]);
  const placed = tree<string>()
    .size([2 * Math.PI, 1])
    .separation((a, b) => (a.parent === b.parent ? 1 : 1.6) / Math.max(1, a.depth))(root);
  return new Map(placed.descendants().map((point) => [point.data, place_of(point)]));
}
