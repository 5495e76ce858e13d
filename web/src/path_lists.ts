// The ranked paths and the neighbours as lists of links, for navigation by keyboard and for sharing.
import type { PathEdge, PathNode, ReceptivePaths } from "./api";
import { element, fresh_id } from "./dom";
import { edge_key, path_edges } from "./drawing/weights";
import { probability, weight } from "./format";
import { bar } from "./parts";
import type { View } from "./view";

export interface ListHooks {
  view: View;
  address: (view: View) => string;
  highlight: (edges: Set<string> | null, nodes?: Set<string>) => void;
  tab: { chosen: number }; // kept while the lists are refilled
}

function walking_link(
  id: string,
  edges: string[],
  nodes: string[],
  hooks: ListHooks,
  ...children: HTMLElement[]
): HTMLElement {
  const light = () => hooks.highlight(new Set(edges), new Set(nodes));
  const dark = () => hooks.highlight(null);
  const href = hooks.address({ ...hooks.view, node: id });
  return element(
    "a",
    { href, class: "row", "data-walk": id, mouseenter: light, mouseleave: dark, focus: light, blur: dark },
    ...children,
  );
}

function path_row(
  { nodes, product, laplacian }: ReceptivePaths["paths"][number],
  strongest: number,
  hooks: ListHooks,
): HTMLElement {
  const chain = nodes
    .slice(1)
    .flatMap((id, step) => [
      ...(step > 0 ? [element("span", { class: "step", "aria-hidden": "true" }, "‹")] : []),
      element("span", { class: id === nodes[0] ? "id back" : "id" }, id),
    ]);
  const link = walking_link(
    nodes[nodes.length - 1] as string,
    path_edges(nodes),
    nodes,
    hooks,
    element("span", { class: "chain" }, ...chain),
    element("span", { class: "number", title: `Laplacian: ${weight(laplacian)}` }, weight(product)),
    bar(product / strongest, "path"),
  );
  return element("li", {}, link);
}

const quiet = (text: string): HTMLElement => element("p", { class: "quiet" }, text);

// Whether the node has no neighbours to attend to.
export const is_alone = ({ paths, omitted }: ReceptivePaths): boolean => paths.length + omitted.paths === 0;

// Said in place of both lists.
const alone = (): HTMLElement =>
  quiet("No edge leads to this node, so there are no paths to follow: its own columns alone decide.");

function path_list({ paths }: ReceptivePaths, hooks: ListHooks): HTMLElement {
  if (paths.length === 0) return quiet("No path is this strong. Lower the threshold to see more.");
  const strongest = paths[0]?.product || 1;
  return element("ol", { class: "rows" }, ...paths.map((path) => path_row(path, strongest, hooks)));
}

// The α with which the explained node attends to the neighbour.
const last_alpha = ({ alpha }: PathEdge): number => alpha[alpha.length - 1] ?? 0;

function neighbour_row(edge: PathEdge, node: PathNode, hooks: ListHooks): HTMLElement {
  const key = edge_key(edge.source, edge.target);
  const link = walking_link(
    node.id,
    [key],
    [edge.source, edge.target],
    hooks,
    element(
      "span",
      { class: "chain" },
      element("span", { class: "id" }, node.id),
      element("span", { class: "quiet" }, node.type ?? ""),
    ),
    element("span", { class: "number" }, `α ${weight(last_alpha(edge))}`),
    element("span", { class: "quiet about" }, `score ${probability(node.score)}`),
  );
  return element("li", {}, link);
}

function neighbour_list({ node, nodes, edges }: ReceptivePaths, hooks: ListHooks): HTMLElement {
  const by_id = new Map(nodes.map((entry) => [entry.id, entry]));
  const incoming = edges.filter(({ target }) => target === node).sort((a, b) => last_alpha(b) - last_alpha(a));
  const rows = incoming.flatMap((edge) => {
    const neighbour = by_id.get(edge.source);
    return neighbour ? [neighbour_row(edge, neighbour, hooks)] : [];
  });
  if (rows.length === 0) return quiet("It has no neighbour among these paths.");
  return element("ul", { class: "rows" }, ...rows);
}

// Two tabs; arrow keys switch between them.
export function path_lists(paths: ReceptivePaths, hooks: ListHooks): HTMLElement {
  const lists = is_alone(paths) ? [alone(), alone()] : [path_list(paths, hooks), neighbour_list(paths, hooks)];
  const panels = lists.map((list) =>
    element("div", { id: fresh_id("list"), role: "tabpanel", class: "scroll", tabindex: "0" }, list),
  );
  const tabs = ["Paths", "Neighbours"].map((name, at) =>
    element(
      "button",
      { type: "button", role: "tab", id: fresh_id("tab"), "aria-controls": (panels[at] as HTMLElement).id },
      name,
    ),
  );
  const choose = (chosen: number) => {
    hooks.tab.chosen = chosen;
    tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === chosen));
      tab.tabIndex = at === chosen ? 0 : -1;
      (panels[at] as HTMLElement).hidden = at !== chosen;
    });
  };
  tabs.forEach((tab, at) => {
    panels[at]?.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => choose(at));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      choose(1 - at);
      tabs[1 - at]?.focus();
    });
  });
  choose(hooks.tab.chosen);
  return element(
    "section",
    { class: "card lists" },
    element("div", { class: "tabs", role: "tablist", "aria-label": "What is drawn" }, ...tabs),
    ...panels,
  );
}
