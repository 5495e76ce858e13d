// Light and dark theme: the system's until the user chooses; the choice is kept in the browser.
import { element } from "./dom";

const key = "geniepath-theme";
const system_dark = matchMedia("(prefers-color-scheme: dark)");

// Without storage, a choice lasts as long as the page.
function storage(action: (place: Storage) => string | null | void): string | null {
  try {
    return action(localStorage) ?? null;
  } catch {
    return null;
  }
}

export function theme_switch(place: HTMLElement): void {
  let chosen = storage((kept) => kept.getItem(key));
  const button = element("button", { type: "button", class: "plain" });
  const apply = () => {
    const dark = (chosen ?? (system_dark.matches ? "dark" : "light")) === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    button.textContent = dark ? "Light" : "Dark";
    button.setAttribute("aria-label", `${dark ? "Light" : "Dark"} colours`);
  };
  button.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    chosen = next;
    storage((kept) => kept.setItem(key, next));
    apply();
  });
  system_dark.addEventListener("change", apply);
  apply();
  place.append(button);
}
