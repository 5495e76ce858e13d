// The page's main loop: an address gives a view, the view is requested, and the answer is shown.
import { api, ApiError, type Model, type Routes, ServerGone } from "./api";
import { by_id, element } from "./dom";
import { expansion, way_to } from "./drawing/additions";
import type { Action } from "./drawing/drawing";
import { being_scored, error_page, gone_notice, token_page } from "./messages";
import { type NodeAnswer, NodePage } from "./node_page";
import { is_bad_search, queue_page, queue_query } from "./queue_page";
import { SearchBox } from "./search_box";
import { start_page } from "./start_page";
import { theme_switch } from "./theme";
import { keep_token, kept_token, take_token_from_address } from "./token";
import { address_of, needs_new_paths, parse_view, type View, with_pin } from "./view";

const suggestions = 24;
const expanded_at_most = 12; // neighbours of an expanded node
const ways_at_most = 3; // to a pinned node
const asking_pause = 150; // milliseconds: a moving slider does not request every position
const recheck = 4000;

// The problem with the way to a pinned node; null: none.
const no_way = (from: string, to: string, routes: Routes | null): string | null =>
  routes === null ? `No node is called ${to}.` : routes.paths.length === 0 ? `No path leads from ${to} to ${from}.` : null;

// Null where the server has no such node.
const if_there = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });

class Explorer {
  private view: View = parse_view(location.search);
  private model: Model | null = null;
  private page: NodePage | null = null;
  private request = new AbortController();
  private timer = 0;
  private recheck_timer = 0;
  private readonly content = by_id("content");
  private readonly notice = by_id("notice");
  private readonly search = new SearchBox(
    by_id("search"),
    (id) => this.walk(id),
    (error) => this.failed(error),
  );

  constructor() {
    take_token_from_address();
    theme_switch(by_id("theme"));
    document.addEventListener("click", (event) => this.on_click(event));
    window.addEventListener("popstate", () => this.go(parse_view(location.search)));
    void this.load();
  }

  // Links within the page navigate without reloading; with a modifier key they open as usual.
  private on_click(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const modified = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || modified || link.pathname !== "/" || link.hash) return;
    event.preventDefault();
    if (link.dataset.walk && this.view.node !== null) this.walk(link.dataset.walk);
    else this.push(parse_view(link.search));
  }

  private walk(id: string): void {
    if (id !== this.view.node) this.push({ ...this.view, node: id, queue: null });
  }

  // Performs the action of a click on a drawn node, or of a key on it.
  private act(action: Action, id: string, trail: string[]): void {
    if (action === "walk") this.walk(id);
    else if (action === "pin") this.change({ pins: with_pin(this.view, id) });
    else void this.expand(id, trail);
  }

  private async expand(id: string, trail: string[]): Promise<void> {
    const { signal } = this.request;
    try {
      const neighbours = await api.neighbours(id, expanded_at_most, signal);
      if (!signal.aborted) this.page?.expand(expansion(neighbours, trail));
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    }
  }

  private push(view: View): void {
    history.pushState(null, "", address_of(view));
    this.go(view);
  }

  private go(view: View): void {
    clearTimeout(this.timer);
    this.page = view.node === null || view.queue !== null ? null : this.page;
    this.view = view;
    void this.load();
  }

  private change(part: Partial<View>): void {
    const before = this.view;
    this.view = { ...before, ...part };
    history.replaceState(null, "", address_of(this.view));
    if (!needs_new_paths(before, this.view)) {
      this.page?.redraw(this.view);
      return;
    }
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.load(), asking_pause);
  }

  private async load(): Promise<void> {
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    document.body.classList.add("loading");
    this.content.setAttribute("aria-busy", "true");
    try {
      this.model ??= await this.load_model(signal);
      if (this.view.queue !== null) await this.load_queue(this.model, this.view.queue, signal);
      else if (this.view.node === null) await this.load_start(this.model, signal);
      else await this.load_node(this.model, this.view.node, signal);
      this.notice.replaceChildren();
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    } finally {
      if (!signal.aborted) {
        document.body.classList.remove("loading");
        this.content.removeAttribute("aria-busy");
      }
    }
  }

  // The model's description is available at once; the nodes' scores may take a while after the server's start.
  private async load_model(signal: AbortSignal): Promise<Model> {
    const model = await api.model();
    by_id("served").textContent = `${model.name} on ${model.dataset.name}`;
    if (!signal.aborted) {
      const first = this.view.node === null ? start_page(model, null, null) : element("div", { class: "message" }, being_scored(model));
      this.content.replaceChildren(first);
    }
    return model;
  }

  private async load_start(model: Model, signal: AbortSignal): Promise<void> {
    const metrics = await api.metrics();
    if (signal.aborted) return;
    document.title = "geniepath explorer";
    this.content.replaceChildren(start_page(model, metrics, null));
    const decided = await api.decided(suggestions, signal);
    if (!signal.aborted) this.content.replaceChildren(start_page(model, metrics, decided));
  }

  private async load_queue(model: Model, queue: string, signal: AbortSignal): Promise<void> {
    const found = await api.queue(queue_query(queue), signal).catch((error: unknown) => {
      if (is_bad_search(error)) return error;
      throw error;
    });
    if (signal.aborted) return;
    document.title = "Queue · geniepath explorer";
    const go = (next: string) => this.push({ ...this.view, queue: next });
    const before = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.keep : undefined;
    this.content.replaceChildren(queue_page(model, queue, found, go, (error) => this.failed(error)));
    const again = [...this.content.querySelectorAll<HTMLElement>("[data-keep]")].find(({ dataset }) => dataset.keep === before);
    again?.focus(); // what was used keeps the focus while the table is replaced
  }

  private async load_node(model: Model, id: string, signal: AbortSignal): Promise<void> {
    const [node, paths, other, pinned] = await Promise.all([
      api.node(id, signal),
      api.paths(id, this.view, signal),
      model.other === null ? null : if_there(api.paths(id, this.view, signal, true)),
      Promise.all(this.view.pins.map((pin) => if_there(api.routes(id, pin, ways_at_most, signal)))),
    ]);
    if (signal.aborted) return;
    this.show_node(model, {
      node,
      paths,
      other,
      pinned: pinned.flatMap((routes) => (routes ? [way_to(routes)] : [])),
      astray: this.view.pins.flatMap((pin, at) => no_way(id, pin, pinned[at] ?? null) ?? []),
    });
    const [reasons, of_other] = await Promise.all([
      api.reasons(id, this.view, signal),
      other ? api.reasons(id, this.view, signal, true) : null,
    ]);
    if (!signal.aborted) this.page?.show_reasons({ reasons, other: of_other });
  }

  private show_node(model: Model, answer: NodeAnswer): void {
    document.title = `${answer.node.id} · geniepath explorer`;
    const before = this.content.querySelector("h1");
    const walked = before !== null && before.textContent !== answer.node.id;
    this.page ??= new NodePage(
      model,
      (part) => this.change(part),
      (action, id, trail) => this.act(action, id, trail),
    );
    if (!this.page.root.isConnected) this.content.replaceChildren(this.page.root);
    this.page.show(answer, this.view);
    if (walked) this.page.focus_heading();
  }

  private failed(error: unknown): void {
    const retry = () => void this.load();
    if (error instanceof ServerGone && this.content.querySelector("h1")) {
      this.notice.replaceChildren(gone_notice(retry));
      clearTimeout(this.recheck_timer);
      this.recheck_timer = window.setTimeout(() => void this.recheck(), recheck);
      return;
    }
    this.page = null;
    if (error instanceof ApiError && error.status === 401) return this.ask_for_token();
    this.content.replaceChildren(error_page(error, this.view.node, retry, () => this.search.focus()));
  }

  private ask_for_token(): void {
    const keep = (token: string) => {
      keep_token(token);
      void this.load();
    };
    this.content.replaceChildren(token_page(kept_token() !== null, keep));
    this.content.querySelector("input")?.focus();
  }

  // While the server is away: once it answers again, the page continues by itself.
  private async recheck(): Promise<void> {
    if (!this.notice.hasChildNodes()) return;
    try {
      await api.model();
      await this.load();
    } catch (error) {
      this.failed(error);
    }
  }
}

new Explorer();
