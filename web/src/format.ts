// Formatting of numbers.

export const count = (value: number): string =>
  value >= 1e15 ? value.toExponential(1) : Math.round(value).toLocaleString("en");

export const probability = (value: number): string => value.toFixed(3);

// Weights span many orders of magnitude: three decimals, then two significant digits.
export function weight(value: number): string {
  if (value === 0) return "0";
  return value >= 0.01 ? value.toFixed(3) : value.toPrecision(2).replace(/e-(\d+)$/, "e−$1");
}

// A share in a score: with its sign.
export const share = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

export const percent = (value: number): string => `${(100 * value).toFixed(0).replace("-", "−")} %`;

// Classes without names are numbers.
export const class_text = (name: string): string => (/^[-+]?\d+$/.test(name) ? `class ${name}` : name);

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
