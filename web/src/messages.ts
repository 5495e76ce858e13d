// Messages in place of a node: not found, refused, or no server.
import { ApiError, type Model, ServerGone } from "./api";
import { element } from "./dom";
import { count } from "./format";

export function message_page(heading: string, text: string, ...actions: HTMLElement[]): HTMLElement {
  return element(
    "section",
    { class: "message", role: "alert" },
    element("h1", {}, heading),
    element("p", {}, text),
    element("div", { class: "actions" }, ...actions),
  );
}

// Shown while a newly started server scores a large graph.
export const being_scored = ({ dataset }: Model): HTMLElement =>
  element("p", { class: "quiet", role: "status" }, `All ${count(dataset.nodes)} nodes are being scored, once.`);

// Shown until the first request for these nodes is answered.
export const being_tried = (): HTMLElement =>
  element("p", { class: "quiet", role: "status" }, "Taking the paths of some nodes away, to see which they decide.");

// Asks for the server's token. `refused`: the token sent was wrong.
export function token_page(refused: boolean, keep: (token: string) => void): HTMLElement {
  const input = element("input", {
    type: "password",
    id: "token",
    class: "token",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    "aria-label": "Token",
  });
  const send = (event: Event) => {
    event.preventDefault();
    keep(input.value.trim());
  };
  return element(
    "section",
    { class: "message", role: "alert" },
    element("h1", {}, refused ? "The server refused this token" : "The server asks for its token"),
    element("p", {}, "Whoever started geniepath serve has it. It is kept until this tab is closed."),
    element("form", { class: "actions", submit: send }, input, element("button", { class: "primary" }, "Go on")),
  );
}

const retry_button = (retry: () => void): HTMLElement =>
  element("button", { type: "button", class: "primary", click: retry }, "Try again");

// Shown above the current page, whose contents stay.
export function gone_notice(retry: () => void): HTMLElement {
  return element(
    "div",
    { class: "notice", role: "alert" },
    element("p", {}, element("strong", {}, "The server does not answer. "), "Is geniepath serve still running?"),
    retry_button(retry),
  );
}

// "No such thing. Expected: something else."
export const error_text = ({ message, expected }: ApiError): string =>
  `${message}${message.endsWith("?") ? "" : "."}${expected ? ` Expected: ${expected}.` : ""}`;

export function error_page(error: unknown, node: string | null, retry: () => void, search: () => void): HTMLElement {
  if (error instanceof ApiError && error.status === 404 && node !== null) {
    const button = element("button", { type: "button", class: "primary", click: search }, "Search another");
    return message_page("No such node", `The graph has no node with the id “${node}”.`, button);
  }
  if (error instanceof ApiError) {
    return message_page("The server refused this", error_text(error), retry_button(retry));
  }
  if (error instanceof ServerGone) {
    return message_page("The server does not answer", "Is geniepath serve still running?", retry_button(retry));
  }
  throw error;
}
