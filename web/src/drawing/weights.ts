// How strong an edge is drawn. Over whole paths (layer 0): the largest product of a path that crosses the edge; in one
// layer: α of that layer, or the Laplacian's weight, which is the same in all.
import type { PathEdge, ReceptivePaths } from "../api";

export type Weighting = "learned" | "laplacian";
export type Level = "low" | "middle" | "high";

export const edge_key = (source: string, target: string): string => JSON.stringify([source, target]);

// The edges of a path are (v1 → v0), (v2 → v1), …
export const path_edges = (nodes: string[]): string[] =>
  nodes.slice(1).map((source, step) => edge_key(source, nodes[step] as string));

function best_laplacian_products(paths: ReceptivePaths["paths"]): Map<string, number> {
  const best = new Map<string, number>();
  for (const path of paths) {
    for (const key of path_edges(path.nodes)) best.set(key, Math.max(best.get(key) ?? 0, path.laplacian));
  }
  return best;
}

export function edge_weights(
  { edges, paths }: Pick<ReceptivePaths, "edges" | "paths">,
  weighting: Weighting,
  layer: number,
): Map<string, number> {
  const products = weighting === "laplacian" && layer === 0 ? best_laplacian_products(paths) : null;
  const weight_of = (edge: PathEdge, key: string): number => {
    if (products) return products.get(key) ?? 0;
    if (weighting === "laplacian") return edge.laplacian;
    return layer === 0 ? edge.importance.best : (edge.alpha[layer - 1] ?? 0);
  };
  return new Map(
    edges.map((edge) => {
      const key = edge_key(edge.source, edge.target);
      return [key, weight_of(edge, key)];
    }),
  );
}

// The paper's three levels.
export const level_of = (weight: number): Level => (weight < 0.1 ? "low" : weight < 0.2 ? "middle" : "high");

export const stroke_width = (weight: number): number => 0.8 + 8 * Math.sqrt(weight);
