// The node that an arrow key leads to: the nearest one in that direction, within 60 degrees of it.
import type { DrawnNode } from "./scene";

const directions: Record<string, [number, number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

export function node_towards(nodes: DrawnNode[], from: DrawnNode, key: string): DrawnNode | null {
  const direction = directions[key];
  if (!direction) return null;
  let best: DrawnNode | null = null;
  let nearest = Infinity;
  for (const node of nodes) {
    const [x, y] = [node.x - from.x, node.y - from.y];
    const ahead = x * direction[0] + y * direction[1];
    const away = Math.hypot(x, y);
    if (away === 0 || ahead < 0.5 * away || away >= nearest) continue;
    [best, nearest] = [node, away];
  }
  return best;
}
