// The page's main loop: an address gives a view, the view is requested, and the answer is shown.
import { api, ApiError, type Model, ServerGone } from "./api";
import { by_id, element } from "./dom";
import { being_scored, error_page, gone_notice, token_page } from "./messages";
import { NodePage } from "./node_page";
import { SearchBox } from "./search_box";
import { start_page } from "./start_page";
import { theme_switch } from "./theme";
import { keep_token, kept_token, take_token_from_address } from "./token";
import { address_of, needs_new_paths, parse_view, type View } from "./view";

const suggestions = 24;
const asking_pause = 150; // milliseconds: a moving slider does not request every position
const recheck = 4000;

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
    if (this.page && link.dataset.walk) this.walk(link.dataset.walk);
    else this.push(parse_view(link.search));
  }

  private walk(id: string): void {
    if (id !== this.view.node) this.push({ ...this.view, node: id });
  }

  private push(view: View): void {
    history.pushState(null, "", address_of(view));
    this.go(view);
  }

  private go(view: View): void {
    clearTimeout(this.timer);
    this.page = view.node === null ? null : this.page;
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
      await (this.view.node === null
        ? this.load_start(this.model, signal)
        : this.load_node(this.model, this.view.node, signal));
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

  private async load_node(model: Model, id: string, signal: AbortSignal): Promise<void> {
    const [node, paths] = await Promise.all([api.node(id, signal), api.paths(id, this.view, signal)]);
    if (signal.aborted) return;
    document.title = `${node.id} · geniepath explorer`;
    const before = this.content.querySelector("h1");
    const walked = before !== null && before.textContent !== node.id;
    this.page ??= new NodePage(
      model,
      (part) => this.change(part),
      (to) => this.walk(to),
    );
    if (!this.page.root.isConnected) this.content.replaceChildren(this.page.root);
    this.page.show(node, paths, this.view);
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
