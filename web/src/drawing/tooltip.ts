// A few lines beside the pointer. The lists have the same information, so it is hidden from screen readers.
import { element } from "../dom";

export class Tooltip {
  private readonly box = element("div", { class: "tooltip", "aria-hidden": "true", hidden: true });

  constructor(private readonly stage: HTMLElement) {
    stage.append(this.box);
  }

  show(event: { clientX: number; clientY: number }, lines: string[]): void {
    this.box.replaceChildren(...lines.map((line) => element("div", {}, line)));
    this.box.hidden = false;
    const stage = this.stage.getBoundingClientRect();
    const box = this.box.getBoundingClientRect();
    const x = Math.min(event.clientX - stage.left + 14, stage.width - box.width - 6);
    const y = event.clientY - stage.top + 14;
    const top = y + box.height > stage.height ? y - box.height - 24 : y;
    this.box.style.transform = `translate(${Math.max(6, x)}px, ${Math.max(6, top)}px)`;
  }

  hide(): void {
    this.box.hidden = true;
  }
}
