// The page of one node. Built once and refilled for every node, so that drawings animate and controls keep their focus.
import type { GraphNode, Model, Reasons, ReceptivePaths } from "./api";
import { columns_card } from "./columns_card";
import { type Change, controls } from "./controls";
import { depth_chart } from "./depth_chart";
import { element } from "./dom";
import type { Addition } from "./drawing/additions";
import { type Act, type Action, Drawing } from "./drawing/drawing";
import { export_png, export_svg } from "./drawing/export";
import { legend } from "./drawing/legend";
import { plural, weight } from "./format";
import { attention_card, faithfulness_card, node_card, not_in_other, other_card } from "./node_card";
import { card } from "./parts";
import { is_alone, path_lists } from "./path_lists";
import { address_of, type View, with_pin } from "./view";

const button = (text: string, label: string, click: () => void): HTMLButtonElement =>
  element("button", { type: "button", class: "plain", "aria-label": label, title: label, click }, text);

// Summarises the drawing and what it leaves out of the neighbourhood.
function left_out(answer: ReceptivePaths): string {
  if (is_alone(answer)) return "No edge leads to this node.";
  const { paths, omitted, reached, hops, threshold } = answer;
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

// Everything that is shown about a node, apart from its reasons, which take longer.
export interface NodeAnswer {
  node: GraphNode;
  paths: ReceptivePaths;
  other: ReceptivePaths | null; // in the other run; null without one, or if it has no such node
  pinned: Addition[]; // the ways to the pinned nodes
  astray: string[]; // why there is none to some of them
}

export interface NodeReasons {
  reasons: Reasons;
  other: Reasons | null;
}

// The parts of a model that the page of a node shows.
export type ShownModel = Pick<Model, "depth" | "other" | "positive"> & { dataset: { types: { name: string }[] } };

// The actions and links that the page offers.
export interface Offers {
  actions: Action[]; // of a click on a drawn node; the first one is chosen
  hops: number | null; // the most that can be shown; null: as many as the model has layers
  address: ((view: View) => string) | null; // of another view; null: there is none
}
export const with_server: Offers = { actions: ["walk", "expand", "pin"], hops: null, address: address_of };
export const without_server: Offers = { actions: ["expand"], hops: null, address: null };

export class NodePage {
  readonly root = element("div", { class: "node-page" });
  private readonly verdict = element("p", { class: "verdict card", role: "status" });
  private readonly about = element("div", { class: "column about" });
  private readonly columns = element("div");
  private readonly beside = element("div");
  private readonly why = element("div", { class: "column why" });
  private readonly stage = element("div", { class: "stage" });
  private readonly toolbar = element("div");
  private readonly pins = element("div");
  private readonly note = element("p", { class: "note", role: "status" });
  private readonly legend = element("div");
  private readonly drawing: Drawing;
  private readonly types: string[];
  private readonly tab = { chosen: 0 };
  private shown: NodeAnswer | null = null;
  private view: View | null = null;
  private expanded: Addition[] = [];

  constructor(
    private readonly model: ShownModel,
    private readonly change: Change,
    act: Act,
    private readonly offers: Offers = with_server,
  ) {
    this.drawing = new Drawing(this.stage, act);
    this.drawing.click = offers.actions[0] ?? "walk";
    this.types = model.dataset.types.map(({ name }) => name);
    const middle = element(
      "section",
      { class: "middle card", "aria-label": "Drawing" },
      this.toolbar,
      this.stage,
      this.buttons(),
      this.pins,
      this.legend,
      this.note,
    );
    this.root.append(this.verdict, this.about, middle, this.why);
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
      this.offers.address === null ? null : this.share_button(),
    );
  }

  private address(view: View): string {
    return this.offers.address === null ? "#" : this.offers.address(view);
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
  show(answer: NodeAnswer, view: View): void {
    const { node, paths } = answer;
    const another = node.id !== this.shown?.node.id;
    this.shown = answer;
    if (another) {
      this.expanded = [];
      const { actions: offered, hops } = this.offers;
      const clicks = { offered, chosen: this.drawing.click, choose: (action: Action) => (this.drawing.click = action) };
      this.toolbar.replaceChildren(controls(view, this.model, this.change, clicks, hops ?? undefined));
      this.legend.replaceChildren(legend(this.types, paths.class));
      this.verdict.textContent = "…";
      this.columns.replaceChildren();
      this.beside.replaceChildren();
    }
    const [decide, evenly] = is_alone(paths) ? [[], []] : [[faithfulness_card(paths)], [attention_card(paths.entropy)]];
    this.about.replaceChildren(node_card(node, this.model), this.columns, ...decide, this.beside, ...evenly);
    const address = (other: View) => this.address(other);
    const hooks = { view, address, highlight: this.drawing.highlight.bind(this.drawing), tab: this.tab };
    const depth = card("How far it listens", depth_chart(paths.gates));
    this.why.replaceChildren(path_lists(paths, hooks), depth);
    this.note.textContent = left_out(paths);
    if (this.offers.actions.includes("pin")) this.pins.replaceChildren(this.pin_row(view));
    this.redraw(view);
  }

  show_reasons({ reasons, other }: NodeReasons): void {
    this.verdict.textContent = reasons.verdict;
    this.columns.replaceChildren(columns_card(reasons.features));
    const { other: name } = this.model;
    if (name === null) return;
    const paths = this.shown?.other;
    this.beside.replaceChildren(paths && other ? other_card(name, paths, other) : not_in_other(name));
  }

  // Adds the neighbours of a drawn node, until another node is shown.
  expand(addition: Addition): void {
    this.expanded.push(addition);
    if (this.view) this.redraw(this.view);
  }

  // The pinned nodes, each with a button that lets it go, and a field for another one.
  private pin_row(view: View): HTMLElement {
    const input = element("input", { type: "text", maxlength: 512, placeholder: "id", "aria-label": "Show the way to" });
    const add = (event: Event) => {
      event.preventDefault();
      const id = input.value.trim();
      if (id && this.view && !this.view.pins.includes(id)) this.change({ pins: with_pin(this.view, id) });
    };
    const release = (id: string) => this.view && this.change({ pins: with_pin(this.view, id) });
    const pins = view.pins.map((id) =>
      element(
        "button",
        { type: "button", class: "plain pin", "aria-label": `Let go of ${id}`, click: () => release(id) },
        element("span", { class: "id" }, id),
        element("span", { "aria-hidden": "true" }, " ×"),
      ),
    );
    return element(
      "form",
      { class: "pins", submit: add },
      element("span", { class: "quiet" }, "The way to"),
      ...pins,
      input,
      element("button", { class: "plain" }, "Show"),
      element("span", { class: "quiet", role: "status" }, this.shown?.astray.join(" ") ?? ""),
    );
  }

  redraw(view: View): void {
    this.view = view;
    if (!this.shown) return;
    const { paths, other, pinned } = this.shown;
    for (const link of this.root.querySelectorAll<HTMLAnchorElement>("a[data-walk]")) {
      link.setAttribute("href", this.address({ ...view, node: link.dataset.walk ?? null }));
    }
    this.drawing.show({
      paths,
      other: other && this.model.other !== null ? { name: this.model.other, paths: other } : null,
      additions: [...this.expanded, ...pinned],
      pins: view.pins,
      types: this.types,
      show: view.show,
      layer: view.layer > paths.depth ? 0 : view.layer,
    });
  }

  focus_heading(): void {
    this.root.querySelector<HTMLElement>("h1")?.focus();
  }
}
