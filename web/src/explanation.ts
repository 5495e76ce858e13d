// An explanation as a page of its own, without a server: the JSON of `geniepath explain` stands in the page (explanation.html).
import type { Reasons, ReceptivePaths } from "./api";
import { by_id } from "./dom";
import { known_paths } from "./known_paths";
import { NodePage, without_server } from "./node_page";
import "./styles/explorer.css";
import { theme_switch } from "./theme";
import { default_view, type View } from "./view";

type Explanation = ReceptivePaths & { reasons: Reasons };

const first_drawn = 25; // paths, until the user asks for more

class ExplanationPage {
  private view: View;
  private readonly expanded = new Set<string>();
  private readonly page: NodePage;

  constructor(private readonly all: Explanation) {
    const { node, nodes, depth, hops } = all;
    const types = [...new Set(nodes.flatMap(({ type }) => (type === null ? [] : [type])))];
    const model = { depth, other: null, positive: all.class, dataset: { types: types.map((name) => ({ name })) } };
    this.view = { ...default_view, node, hops, top: first_drawn };
    const change = (part: Partial<View>) => this.change(part);
    this.page = new NodePage(model, change, (_action, id) => this.expand(id), { ...without_server, hops });
    document.title = `${node} · geniepath`;
    by_id("content").replaceChildren(this.page.root);
    this.show();
    this.page.show_reasons({ reasons: all.reasons, other: null });
  }

  // Links of the lists lead nowhere; they expand their node.
  follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link) return;
    event.preventDefault();
    if (link.dataset.walk) this.expand(link.dataset.walk);
  }

  private change(part: Partial<View>): void {
    this.view = { ...this.view, ...part };
    this.show();
  }

  // Shows all known paths through a node; once more: only those that the sliders leave.
  private expand(id: string): void {
    if (!this.expanded.delete(id)) this.expanded.add(id);
    this.show();
  }

  private show(): void {
    const paths = known_paths(this.all, this.view, this.expanded);
    const [summary] = this.all.nodes;
    if (!summary) throw new Error("the explanation has no nodes");
    const node = { ...summary, scores: this.all.faithfulness.full.scores };
    this.page.show({ node, paths, other: null, pinned: [], astray: [] }, { ...this.view, pins: [...this.expanded] });
  }
}

const page = new ExplanationPage(JSON.parse(by_id("explanation").textContent ?? "") as Explanation);
theme_switch(by_id("theme"));
document.addEventListener("click", (event) => page.follow(event));
