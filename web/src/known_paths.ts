// The part of known paths that a view shows, without a server: what the sliders leave, and all paths through expanded nodes.
import type { Path, ReceptivePaths } from "./api";
import { edge_key, path_edges } from "./drawing/weights";
import type { View } from "./view";

type Limits = Pick<View, "hops" | "top" | "threshold">;

function chosen_paths(paths: Path[], { hops, top, threshold }: Limits, expanded: Set<string>): Path[] {
  const fitting = paths.filter(({ nodes, product }) => nodes.length <= hops + 1 && product >= threshold);
  const strongest = new Set(fitting.slice(0, top));
  return paths.filter((path) => strongest.has(path) || path.nodes.slice(1).some((id) => expanded.has(id)));
}

export function known_paths(all: ReceptivePaths, limits: Limits, expanded: Set<string>): ReceptivePaths {
  const paths = chosen_paths(all.paths, limits, expanded);
  const ids = new Set([all.node, ...paths.flatMap(({ nodes }) => nodes)]);
  const keys = new Set(paths.flatMap(({ nodes }) => path_edges(nodes)));
  const nodes = all.nodes.filter(({ id }) => ids.has(id));
  const edges = all.edges.filter(({ source, target }) => keys.has(edge_key(source, target)));
  const product = (list: Path[]) => list.reduce((sum, path) => sum + path.product, 0);
  return {
    ...all,
    hops: Math.min(all.hops, Math.max(limits.hops, ...paths.map((path) => path.nodes.length - 1))),
    threshold: Math.max(all.threshold, limits.threshold),
    nodes,
    edges,
    paths,
    omitted: {
      nodes: all.omitted.nodes + all.nodes.length - nodes.length,
      edges: all.omitted.edges + all.edges.length - edges.length,
      paths: all.omitted.paths + all.paths.length - paths.length,
      product: all.omitted.product + Math.max(0, product(all.paths) - product(paths)),
    },
  };
}
