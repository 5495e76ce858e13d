// Search by id: an ARIA combobox. Arrow keys select, Enter opens the selection or a fully typed id, "/" focuses it.
import { api, type NodeSummary, ServerGone } from "./api";
import { element } from "./dom";
import { plural, probability } from "./format";

const limit = 8;
const pause = 120; // milliseconds without typing before a request

export class SearchBox {
  private readonly list = element("ul", { id: "found", role: "listbox", "aria-label": "Nodes found", hidden: true });
  private readonly status = element("p", { class: "unseen", role: "status" });
  private readonly input = element("input", {
    type: "search",
    id: "query",
    role: "combobox",
    placeholder: "Search a node by its id",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 512,
    "aria-label": "Search a node",
    "aria-controls": "found",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
  });
  private found: NodeSummary[] = [];
  private chosen = -1;
  private timer = 0;
  private request = new AbortController();

  constructor(
    place: HTMLElement,
    private readonly go: (id: string) => void,
    private readonly gone: (error: ServerGone) => void,
  ) {
    place.append(this.input, element("kbd", { "aria-hidden": "true" }, "/"), this.list, this.status);
    this.input.addEventListener("input", () => this.ask_soon());
    this.input.addEventListener("keydown", (event) => this.on_key(event));
    this.input.addEventListener("focus", () => this.ask_soon());
    this.input.addEventListener("blur", () => this.close());
    document.addEventListener("keydown", (event) => {
      const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.input.focus();
    });
  }

  focus(): void {
    this.input.focus();
  }

  private ask_soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), pause);
  }

  private async ask(): Promise<void> {
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      const result = await api.search(this.input.value.trim(), limit, signal);
      if (document.activeElement === this.input) this.open(result.nodes, result.total);
    } catch (error) {
      if (error instanceof ServerGone) this.gone(error);
      else if (!signal.aborted) this.open([], 0, "The search was refused; try again");
    }
  }

  private open(found: NodeSummary[], total: number, nothing = "No id contains this"): void {
    this.found = found;
    this.chosen = -1;
    this.list.replaceChildren(...found.map((node, at) => this.option(node, at)));
    if (found.length === 0)
      this.list.append(
        element("li", { class: "none", role: "option", "aria-disabled": "true", "aria-selected": "false" }, nothing),
      );
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.input.removeAttribute("aria-activedescendant");
    this.status.textContent = plural(total, "node") + " found";
  }

  private option(node: NodeSummary, at: number): HTMLElement {
    const made = element(
      "li",
      { id: `found-${at}`, role: "option", "aria-selected": "false" },
      element("span", { class: "id" }, node.id),
      element("span", { class: "quiet" }, node.type ?? ""),
      element("span", { class: "number" }, probability(node.score)),
    );
    made.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // the input keeps the focus until the selection is made
      this.leave_to(node.id);
    });
    return made;
  }

  private close(): void {
    clearTimeout(this.timer);
    this.request.abort();
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  private choose(at: number): void {
    this.chosen = at;
    [...this.list.children].forEach((option, index) => option.setAttribute("aria-selected", String(index === at)));
    this.input.setAttribute("aria-activedescendant", `found-${at}`);
    this.list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  private leave_to(id: string): void {
    this.input.value = "";
    this.close();
    this.input.blur();
    this.go(id);
  }

  private on_key(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length > 0) {
      event.preventDefault();
      this.choose((this.chosen + step + this.found.length) % this.found.length);
    } else if (event.key === "Escape") {
      this.close();
    } else if (event.key === "Enter") {
      const id = this.found[this.chosen]?.id ?? this.input.value.trim();
      if (id) this.leave_to(id);
    }
  }
}
