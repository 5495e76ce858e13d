// Appearance of edges: importance is the thickness, and the paper's level of the edge's own weight the colour. Over
// whole paths (layer 0), importance is the largest product of a path that crosses the edge, and weight the α of that
// path's step; in a single layer both are the layer's α, or the Laplacian's weight, which is the same in all layers.
import type { PathEdge, ReceptivePaths } from "../api";

export type Weighting = "learned" | "laplacian";
export type Level = "low" | "middle" | "high";

export interface Strength {
  importance: number;
  weight: number;
}

export const edge_key = (source: string, target: string): string => JSON.stringify([source, target]);

// The edges of a path are (v1 → v0), (v2 → v1), …
export const path_edges = (nodes: string[]): string[] =>
  nodes.slice(1).map((source, step) => edge_key(source, nodes[step] as string));

// Over whole paths, for every edge on any of them. Paths come sorted by product.
function over_paths(paths: ReceptivePaths["paths"], weighting: Weighting): Map<string, Strength> {
  const strongest = new Map<string, Strength>();
  for (const { nodes, alpha, product, laplacian } of paths) {
    const importance = weighting === "learned" ? product : laplacian;
    path_edges(nodes).forEach((key, step) => {
      if (importance <= (strongest.get(key)?.importance ?? -1)) return;
      strongest.set(key, { importance, weight: alpha[step] ?? 0 });
    });
  }
  return strongest;
}

export function edge_strengths(
  { edges, paths }: Pick<ReceptivePaths, "edges" | "paths">,
  weighting: Weighting,
  layer: number,
): Map<string, Strength> {
  const whole = layer === 0 ? over_paths(paths, weighting) : null;
  const strength_of = (edge: PathEdge, key: string): Strength => {
    const weight = weighting === "laplacian" ? edge.laplacian : (edge.alpha[layer - 1] ?? 0);
    if (!whole) return { importance: weight, weight };
    const crossed = whole.get(key) ?? { importance: 0, weight: 0 };
    return weighting === "laplacian" ? { ...crossed, weight } : crossed;
  };
  return new Map(
    edges.map((edge) => {
      const key = edge_key(edge.source, edge.target);
      return [key, strength_of(edge, key)];
    }),
  );
}

// The paper's three levels.
export const level_of = (weight: number): Level => (weight < 0.1 ? "low" : weight < 0.2 ? "middle" : "high");

export const stroke_width = (importance: number): number => 0.4 + 8.4 * Math.sqrt(importance);
