// Chooses the nodes to label with their id: most important first, without overlaps.
import type { DrawnNode } from "./scene";

export interface Label {
  id: string;
  text: string;
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const longest = 18;
const letter = 6.9; // upper bound of a letter's width at the labels' 11 pixels
const height = 14;

export const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

// Outward from the middle; below the explained node.
function label_of({ node, x, y, radius }: DrawnNode): Label {
  const text = shorten(node.id);
  if (node.hop === 0) return { id: node.id, text, x, y: y + radius + 15, anchor: "middle" };
  const distance = Math.hypot(x, y) || 1;
  const gap = radius + 5;
  const anchor = Math.abs(x) < 0.35 * distance ? "middle" : x > 0 ? "start" : "end";
  const down = anchor === "middle" ? (y > 0 ? 13 : -5) * 0.9 : 4;
  return { id: node.id, text, x: x + (gap * x) / distance, y: y + (gap * y) / distance + down, anchor };
}

function box_of({ text, x, y, anchor }: Label): Box {
  const width = text.length * letter;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - height + 3, bottom: y + 3 };
}

const node_box = ({ x, y, radius }: DrawnNode): Box => ({
  left: x - radius,
  right: x + radius,
  top: y - radius,
  bottom: y + radius,
});

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export function choose_labels(nodes: DrawnNode[]): Label[] {
  const taken = nodes.map(node_box);
  const chosen: Label[] = [];
  const by_importance = [...nodes].sort((a, b) =>
    a.node.hop === 0 ? -1 : b.node.hop === 0 ? 1 : b.node.importance - a.node.importance,
  );
  for (const node of by_importance) {
    const label = label_of(node);
    const box = box_of(label);
    if (node.node.hop > 0 && taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    chosen.push(label);
  }
  return chosen;
}
