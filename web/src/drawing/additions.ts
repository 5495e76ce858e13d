// The user's additions to a drawing: neighbours of an expanded node, and the shortest ways to pinned nodes.
import type { Neighbours, NodeSummary, Path, PathEdge, PathNode, ReceptivePaths, Routes } from "../api";
import { edge_key } from "./weights";

export interface Addition {
  nodes: NodeSummary[];
  edges: Pick<PathEdge, "source" | "target" | "alpha" | "laplacian">[];
  ways: string[][]; // from the explained node to each of the nodes
}

// `trail`: from the explained node to the expanded one.
export const expansion = ({ nodes, edges }: Neighbours, trail: string[]): Addition => ({
  nodes,
  edges,
  ways: edges.map(({ source }) => [...trail, source]),
});

export const way_to = ({ nodes, paths }: Routes): Addition => ({
  nodes,
  edges: paths.flatMap((way) =>
    way.slice(1).map((source, step) => ({ source, target: way[step] as string, alpha: [], laplacian: 0 })),
  ),
  ways: paths,
});

const as_path = (nodes: string[]): Path => ({ nodes, layers: [], alpha: [], product: 0, laplacian: 0 });

// The paths with all additions: their nodes and edges have no importance. `placed` is what the layout follows.
export function with_additions(paths: ReceptivePaths, additions: Addition[]): ReceptivePaths & { placed: Path[] } {
  const nodes = new Map(paths.nodes.map((node) => [node.id, node]));
  const edges = new Map(paths.edges.map((edge) => [edge_key(edge.source, edge.target), edge]));
  for (const addition of additions) {
    const hops = new Map(addition.ways.flatMap((way) => way.map((id, hop) => [id, hop] as const)));
    for (const node of addition.nodes) {
      if (nodes.has(node.id)) continue;
      const added: PathNode = { ...node, hop: Math.max(1, hops.get(node.id) ?? 1), importance: 0, self_alpha: [] };
      nodes.set(node.id, added);
    }
    for (const edge of addition.edges) {
      const key = edge_key(edge.source, edge.target);
      if (edge.source !== edge.target && !edges.has(key)) edges.set(key, { ...edge, importance: { best: 0, total: 0 } });
    }
  }
  const ways = additions.flatMap((addition) => addition.ways.map(as_path));
  return { ...paths, nodes: [...nodes.values()], edges: [...edges.values()], placed: [...paths.paths, ...ways] };
}
