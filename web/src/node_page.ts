// The page of one node. Built once and refilled for every node, so that drawings animate and controls keep their focus.
import type { GraphNode, Model, ReceptivePaths } from "./api";
import { type Change, controls } from "./controls";
import { depth_chart } from "./depth_chart";
import { element } from "./dom";
import { Drawing } from "./drawing/drawing";
import { export_png, export_svg } from "./drawing/export";
import { legend } from "./drawing/legend";
import { plural, weight } from "./format";
import { attention_card, faithfulness_card, node_card } from "./node_card";
import { card } from "./parts";
import { path_lists } from "./path_lists";
import { address_of, type View } from "./view";

const button = (text: string, label: string, click: () => void): HTMLButtonElement =>
  element("button", { type: "button", class: "plain", "aria-label": label, title: label, click }, text);

// Summarises the drawing and what it leaves out of the neighbourhood.
function left_out({ paths, omitted, reached, hops, threshold }: ReceptivePaths): string {
  const within = `within ${plural(hops, "hop")}`;
  if (omitted.paths === 0) return `All ${plural(paths.length, "path")} ${within}, from ${plural(reached, "node")}.`;
  const reach =
    threshold > 0
      ? `Paths of at least ${weight(threshold)} reach ${plural(reached, "node")}.`
      : `All together reach ${plural(reached, "node")}.`;
  const rest = `${plural(omitted.paths, "path")} (${weight(omitted.product)} in all)`;
  const around = `${plural(omitted.nodes, "node")}, ${plural(omitted.edges, "edge")}`;
  return `The strongest ${plural(paths.length, "path")} ${within}. Left out: ${rest}, ${around}. ${reach}`;
}

// Over plain HTTP from another machine, browsers offer no clipboard.
const copy = (text: string): Promise<void> =>
  navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error("no clipboard"));

export class NodePage {
  readonly root = element("div", { class: "node-page" });
  private readonly about = element("div", { class: "column about" });
  private readonly why = element("div", { class: "column why" });
  private readonly stage = element("div", { class: "stage" });
  private readonly toolbar = element("div");
  private readonly note = element("p", { class: "note", role: "status" });
  private readonly legend = element("div");
  private readonly drawing = new Drawing(this.stage, (id) => this.walk(id));
  private readonly types: string[];
  private readonly tab = { chosen: 0 };
  private shown: { node: GraphNode; paths: ReceptivePaths } | null = null;

  constructor(
    private readonly model: Model,
    private readonly change: Change,
    private readonly walk: (id: string) => void,
  ) {
    this.types = model.dataset.types.map(({ name }) => name);
    const middle = element(
      "section",
      { class: "middle card", "aria-label": "Drawing" },
      this.toolbar,
      this.stage,
      this.buttons(),
      this.legend,
      this.note,
    );
    this.root.append(this.about, middle, this.why);
  }

  private buttons(): HTMLElement {
    const id = () => this.shown?.node.id ?? "";
    return element(
      "div",
      { class: "buttons", role: "group", "aria-label": "The drawing" },
      button("+", "Zoom in", () => this.drawing.zoom_by(1.4)),
      button("−", "Zoom out", () => this.drawing.zoom_by(1 / 1.4)),
      button("Fit", "Fit the drawing", () => this.drawing.reset_zoom()),
      element("span", { class: "space" }),
      button("SVG", "Export as SVG", () => export_svg(this.drawing.svg, id())),
      button("PNG", "Export as PNG", () => void export_png(this.drawing.svg, id())),
      this.share_button(),
    );
  }

  private share_button(): HTMLElement {
    const share = element("button", { type: "button", class: "plain", "aria-live": "polite" }, "Copy link");
    share.addEventListener("click", () => {
      copy(location.href).then(
        () => {
          share.textContent = "Copied";
          setTimeout(() => (share.textContent = "Copy link"), 2000);
        },
        () => prompt("The link to this view", location.href),
      );
    });
    return share;
  }

  // Controls are rebuilt only for another node or model depth, since a slider must not be replaced while it is moved.
  show(node: GraphNode, paths: ReceptivePaths, view: View): void {
    const another = node.id !== this.shown?.node.id;
    this.shown = { node, paths };
    if (another) {
      this.toolbar.replaceChildren(controls(view, this.model.depth, this.change));
      this.legend.replaceChildren(legend(this.types, paths.class));
    }
    this.about.replaceChildren(node_card(node, this.model), faithfulness_card(paths), attention_card(paths.entropy));
    const hooks = { view, highlight: this.drawing.highlight.bind(this.drawing), tab: this.tab };
    const depth = card("How far it listens", depth_chart(paths.gates));
    this.why.replaceChildren(path_lists(paths, hooks), depth);
    this.note.textContent = left_out(paths);
    this.redraw(view);
  }

  redraw(view: View): void {
    if (!this.shown) return;
    const { paths } = this.shown;
    for (const link of this.root.querySelectorAll<HTMLAnchorElement>("a[data-walk]")) {
      link.setAttribute("href", address_of({ ...view, node: link.dataset.walk ?? null }));
    }
    this.drawing.show({ paths, types: this.types, show: view.show, layer: view.layer > paths.depth ? 0 : view.layer });
  }

  focus_heading(): void {
    this.root.querySelector<HTMLElement>("h1")?.focus();
  }
}
