// Radial layout: the explained node in the middle, the others on one ring per hop, each near its predecessor on its
// strongest path. Deterministic: the same paths give the same picture.
import { type HierarchyPointNode, stratify, tree } from "d3-hierarchy";
import type { Path, ReceptivePaths } from "../api";

export interface Place {
  id: string;
  parent: string | null;
  ring: number; // steps to the middle
  x: number; // the outermost ring has radius 1
  y: number;
}

// Each node's predecessor on its shortest listed path, or on the strongest of several, as paths come sorted.
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

// If all nodes are behind one neighbour: a fan, so that no edge crosses the middle.
const narrow_fan = 0.8 * Math.PI;

function place_of(point: HierarchyPointNode<string>, turn: number): Place {
  const angle = point.x - turn;
  const x = point.y * Math.sin(angle);
  const y = -point.y * Math.cos(angle);
  return { id: point.data, parent: point.parent?.data ?? null, ring: point.depth, x, y };
}

export function place_nodes({ node, paths }: Pick<ReceptivePaths, "node" | "paths">): Map<string, Place> {
  const parents = parents_of(node, paths);
  const root = stratify<string>()
    .id((id) => id)
    .parentId((id) => parents.get(id) ?? null)([node, ...parents.keys()]);
  const spread = root.children?.length === 1 ? narrow_fan : 2 * Math.PI;
  const placed = tree<string>()
    .size([spread, 1])
    .separation((a, b) => (a.parent === b.parent ? 1 : 1.6) / Math.max(1, a.depth))(root);
  const turn = spread === narrow_fan ? spread / 2 : 0; // a fan opens upwards
  return new Map(placed.descendants().map((point) => [point.data, place_of(point, turn)]));
}
