// Chooses the nodes to label with their id: most important first, without overlaps.
import type { DrawnNode, Size } from "./scene";

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

const shortest = 4; // with room for fewer letters, a label says nothing

export const shorten = (text: string, most = longest): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

// Outward from the middle, beside the node or above and below it; below the explained node.
function label_of({ node, x, y, radius }: DrawnNode): Label {
  const text = shorten(node.id);
  if (node.hop === 0) return { id: node.id, text, x, y: y + radius + 15, anchor: "middle" };
  const distance = Math.hypot(x, y) || 1;
  const gap = radius + 5;
  if (Math.abs(x) < 0.35 * distance) return { id: node.id, text, x, y: y + (y > 0 ? gap + 9 : -gap), anchor: "middle" };
  const aside = x > 0 ? gap : -gap;
  return { id: node.id, text, x: x + aside, y: y + 4 + (0.5 * gap * y) / distance, anchor: x > 0 ? "start" : "end" };
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

// Shortened to end within the panel; null if there is no room.
function within(label: Label, { width }: Size): Label | null {
  const room = { start: width / 2 - label.x, end: label.x + width / 2, middle: width - 2 * Math.abs(label.x) };
  const letters = Math.floor((room[label.anchor] - 2) / letter);
  if (label.text.length <= letters) return label;
  return letters < shortest ? null : { ...label, text: shorten(label.text, letters) };
}

export function choose_labels(nodes: DrawnNode[], size: Size): Label[] {
  const taken = new Map<string, Box[]>(nodes.map((node) => [node.node.id, [node_box(node)]]));
  const chosen: Label[] = [];
  const by_importance = [...nodes].sort((a, b) =>
    a.node.hop === 0 ? -1 : b.node.hop === 0 ? 1 : b.node.importance - a.node.importance,
  );
  for (const node of by_importance) {
    const label = within(label_of(node), size);
    if (!label) continue;
    const box = box_of(label);
    const is_taken = [...taken].some(([id, boxes]) => id !== label.id && boxes.some((other) => overlap(box, other)));
    if (node.node.hop > 0 && is_taken) continue;
    taken.get(label.id)?.push(box);
    chosen.push(label);
  }
  return chosen;
}
