// Exports the drawing. Computed styles are written into a copy of the SVG, so that the file is self-contained.
import { save } from "../save";

const properties = [
  "fill",
  "stroke",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "paint-order",
  "stroke-linejoin",
];
const colours = new Set(["fill", "stroke"]);

// Any CSS colour as rgb(…), since viewers other than browsers do not support color-mix().
class PlainColours {
  private readonly known = new Map([["none", "none"]]);
  private readonly canvas = context_of(1, 1);

  of(colour: string): string {
    const plain = this.known.get(colour) ?? this.painted(colour);
    this.known.set(colour, plain);
    return plain;
  }

  private painted(colour: string): string {
    this.canvas.clearRect(0, 0, 1, 1);
    this.canvas.fillStyle = colour;
    this.canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = this.canvas.getImageData(0, 0, 1, 1).data;
    return alpha === 0 ? "none" : `rgb(${red},${green},${blue})`;
  }
}

function context_of(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("this browser cannot draw");
  return context;
}

function inline_styles(original: SVGElement, copy: SVGElement, plain: PlainColours): void {
  const style = getComputedStyle(original);
  for (const name of properties) {
    const value = style.getPropertyValue(name);
    copy.setAttribute(name, colours.has(name) ? plain.of(value) : value);
  }
  if (!copy.hasAttribute("stroke-width")) copy.setAttribute("stroke-width", style.strokeWidth);
  copy.removeAttribute("class");
  copy.removeAttribute("style");
}

export function svg_text(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.getBoundingClientRect();
  const plain = new PlainColours();
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  [copy, ...copy.querySelectorAll<SVGElement>("*")].forEach((element, at) =>
    inline_styles(originals[at] as SVGElement, element, plain),
  );
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const ground = document.createElementNS(copy.namespaceURI, "rect") as SVGRectElement;
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", plain.of(getComputedStyle(svg).backgroundColor));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

async function png_blob(svg: SVGSVGElement, scale: number): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg_text(svg))}`;
  await image.decode();
  const context = context_of(width * scale, height * scale);
  context.drawImage(image, 0, 0, width * scale, height * scale);
  return new Promise((resolve, reject) =>
    context.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no PNG could be made"))), "image/png"),
  );
}

// A node's id may contain any character, a file name may not.
const file_name = (id: string, extension: string): string =>
  `paths-of-${id.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80)}.${extension}`;

export function export_svg(svg: SVGSVGElement, id: string): void {
  save(new Blob([svg_text(svg)], { type: "image/svg+xml" }), file_name(id, "svg"));
}

export async function export_png(svg: SVGSVGElement, id: string): Promise<void> {
  save(await png_blob(svg, 2), file_name(id, "png"));
}
