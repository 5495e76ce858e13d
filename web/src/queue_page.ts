// All nodes as a queue to work through: filters, a table that can be sorted, pages, and the table as CSV.
import { api, ApiError, type Model, type NodeSummary, type Queue } from "./api";
import { element, fresh_id } from "./dom";
import { class_text, count, plural, probability } from "./format";
import { error_text } from "./messages";
import { save } from "./save";
import { address_of, default_view } from "./view";

const page_size = 50;

type Filters = Record<string, string>;

const filters_of = (queue: string): Filters => Object.fromEntries(new URLSearchParams(queue));
const queue_of = (filters: Filters): string =>
  new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== "")).toString();

// The filters sent to the server, without unknown names in a hand-written address.
const known = ["q", "type", "split", "label", "predicted", "from", "to", "disagree", "decided", "sort", "order", "offset"];
const asked = (filters: Filters): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([name, value]) => known.includes(name) && value !== ""));

export function queue_query(queue: string): URLSearchParams {
  return new URLSearchParams({ ...asked(filters_of(queue)), limit: String(page_size) });
}

type Go = (queue: string) => void;

// A search that the server refuses: its error stands beside the search field, in place of the table.
export const is_bad_search = (error: unknown): error is ApiError => error instanceof ApiError && error.code === "bad_search";

const search_problem = (error: ApiError, id: string): HTMLElement =>
  element("p", { class: "search-problem", role: "alert", id }, error_text(error).replace(/^q: /, ""));

function field(name: string, input: HTMLElement): HTMLElement {
  input.id = fresh_id("filter");
  input.dataset.keep = name;
  return element("div", { class: "filter" }, element("label", { for: input.id }, name), input);
}

function options(name: string, choices: [string, string][], filters: Filters): HTMLSelectElement {
  const chosen = filters[name] ?? "";
  return element(
    "select",
    { name },
    ...choices.map(([value, text]) => element("option", { value, selected: value === chosen }, text)),
  );
}

const any: [string, string] = ["", "any"];

function filter_form(model: Model, filters: Filters, problem: ApiError | null, go: Go): HTMLElement {
  const classes = model.classes.map((name): [string, string] => [name, class_text(name)]);
  const types = model.dataset.types.map(({ name }): [string, string] => [name, name]);
  const number = (name: string, otherwise: string) =>
    element("input", { name, type: "number", min: 0, max: 1, step: "any", value: filters[name] ?? otherwise });
  const check = (name: string) =>
    element("input", { name, type: "checkbox", value: "yes", checked: filters[name] === "yes" });
  const text = element("input", {
    name: "q",
    type: "search",
    maxlength: 512,
    value: filters.q ?? "",
    placeholder: "a text, column:text, column>10",
    ...(problem ? { "aria-invalid": "true", "aria-describedby": "search-problem" } : {}),
  });
  const form = element(
    "form",
    { class: "filters", role: "search", "aria-label": "Filters" },
    field("Search any column", text),
    types.length > 0 ? field("Type", options("type", [any, ...types], filters)) : null,
    field("Split", options("split", [any, ["train", "train"], ["valid", "valid"], ["test", "test"], ["none", "none"]], filters)),
    field("Label", options("label", [any, ...classes, ["-", "unknown"]], filters)),
    field("Predicted", options("predicted", [any, ...classes], filters)),
    field("Score from", number("from", "0")),
    field("to", number("to", "1")),
    field("Label disagrees", check("disagree")),
    field("Decided by paths", check("decided")),
    element("button", { class: "primary" }, "Filter"),
    problem ? search_problem(problem, "search-problem") : null,
  );
  const send = () => {
    const given = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    if (Number(given.from) === 0) delete given.from;
    if (Number(given.to) === 1) delete given.to;
    const { sort = "", order = "" } = filters;
    go(queue_of({ ...given, sort, order }));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  form.addEventListener("change", (event) => {
    if (event.target instanceof HTMLElement && event.target.matches("select, [type=checkbox]")) send();
  });
  return form;
}

// A column of the table. `text`: begins with its smallest when it is sorted by.
interface Heading {
  name: string;
  sort: string;
  text: boolean;
}

const facts: Heading[] = [
  { name: "Node", sort: "id", text: true },
  { name: "Type", sort: "type", text: true },
  { name: "Split", sort: "split", text: true },
  { name: "Label", sort: "label", text: true },
  { name: "Predicted", sort: "predicted", text: true },
  { name: "Score", sort: "score", text: false },
  { name: "Neighbours", sort: "degree", text: false },
];

const headings = (has_types: boolean, { columns }: Queue): Heading[] => [
  ...facts.filter(({ sort }) => has_types || sort !== "type"),
  ...columns.map(({ name, kind }) => ({ name, sort: `column:${name}`, text: kind === "category" })),
];

// A heading sorts by its column, and the other way round if that is already so.
function heading({ name, sort, text }: Heading, filters: Filters, go: Go): HTMLElement {
  const sorted = (filters.sort ?? "score") === sort;
  const up = filters.order === "up";
  const order = sorted ? (up ? "down" : "up") : text ? "up" : "down";
  const button = element(
    "button",
    { type: "button", class: "sort", "data-keep": sort, click: () => go(queue_of({ ...filters, sort, order, offset: "" })) },
    name,
    element("span", { "aria-hidden": "true" }, sorted ? (up ? " ▲" : " ▼") : ""),
  );
  return element("th", { scope: "col", "aria-sort": sorted ? (up ? "ascending" : "descending") : "none" }, button);
}

const class_names = (names: string[] | null): string =>
  names === null ? "" : names.length > 3 ? plural(names.length, "class", "classes") : names.map(class_text).join(", ");

function row(node: NodeSummary, cells: HTMLElement[], has_types: boolean): HTMLElement {
  const disagrees = node.label !== null && node.label.join("\n") !== node.predicted.join("\n");
  const link = element("a", { href: address_of({ ...default_view, node: node.id }), "data-walk": node.id }, node.id);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, link),
    has_types ? element("td", {}, node.type ?? "") : null,
    element("td", {}, node.split ?? ""),
    element("td", {}, class_names(node.label)),
    element("td", disagrees ? { class: "differs" } : {}, class_names(node.predicted)),
    element("td", { class: "number" }, probability(node.score)),
    element("td", { class: "number" }, count(node.degree)),
    ...cells,
  );
}

const cells_of = ({ columns, cells }: Queue, at: number): HTMLElement[] =>
  columns.map(({ kind }, column) => element("td", kind === "category" ? {} : { class: "number" }, cells[at]?.[column] ?? ""));

function pager({ total, offset, nodes }: Queue, filters: Filters, go: Go): HTMLElement {
  const turn = (text: string, to: number, possible: boolean) =>
    element(
      "button",
      {
        type: "button",
        class: "plain",
        "data-keep": text,
        disabled: !possible,
        click: () => go(queue_of({ ...filters, offset: String(to) })),
      },
      text,
    );
  const shown = nodes.length === 0 ? "none shown" : `${count(offset + 1)} to ${count(offset + nodes.length)}`;
  return element(
    "div",
    { class: "pager" },
    turn("Previous", Math.max(0, offset - page_size), offset > 0),
    element("span", { role: "status" }, `${plural(total, "node")}, ${shown}`),
    turn("Next", offset + page_size, offset + nodes.length < total),
  );
}

function node_table(model: Model, found: Queue, filters: Filters, go: Go): HTMLElement {
  const has_types = model.dataset.types.length > 0;
  return element(
    "div",
    { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Nodes" },
    element(
      "table",
      { class: "nodes" },
      element("thead", {}, element("tr", {}, ...headings(has_types, found).map((one) => heading(one, filters, go)))),
      element("tbody", {}, ...found.nodes.map((node, at) => row(node, cells_of(found, at), has_types))),
    ),
  );
}

function foot(found: Queue, filters: Filters, go: Go, failed: (error: unknown) => void): HTMLElement {
  const table = new URLSearchParams({ ...asked(filters), limit: "100000" });
  table.delete("offset");
  const save_table = () => api.queue_table(table).then((blob) => save(blob, "queue.csv"), failed);
  return element(
    "div",
    { class: "queue-foot" },
    pager(found, filters, go),
    element("button", { type: "button", class: "plain", click: () => void save_table() }, "Save as CSV"),
  );
}

// `found`: the answer, or the refusal of the search.
export function queue_page(
  model: Model,
  queue: string,
  found: Queue | ApiError,
  go: Go,
  failed: (error: unknown) => void,
): HTMLElement {
  const filters = filters_of(queue);
  const refused = found instanceof ApiError;
  return element(
    "div",
    { class: "queue" },
    element(
      "section",
      { class: "card" },
      element("h1", { tabindex: "-1" }, "Queue"),
      filter_form(model, filters, refused ? found : null, go),
      refused ? null : node_table(model, found, filters, go),
      refused ? null : foot(found, filters, go, failed),
    ),
  );
}
