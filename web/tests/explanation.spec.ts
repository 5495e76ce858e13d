// An explanation as a page of its own (src/explanation.ts): from a file, without a server.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import type { ReceptivePaths } from "../src/api";
import { folder, hostile_ids, program, runs } from "./runs";

const built = fileURLToPath(new URL("../dist-explanation/explanation.html", import.meta.url));

// As python/geniepath/view.py fills the page.
function page_of(run: string, node: string, name: string): { address: string; explanation: ReceptivePaths } {
  const file = join(folder, `${name}.json`);
  execFileSync(program, ["explain", "--run", run, "--node", node, "--out", file], { stdio: "ignore" });
  const text = readFileSync(file, "utf-8");
  const place = '<script type="application/json" id="explanation">';
  const page = readFileSync(built, "utf-8").replace(`${place}null`, () => place + text.replaceAll("<", "\\u003c"));
  writeFileSync(join(folder, `${name}.html`), page);
  return { address: `file://${join(folder, `${name}.html`)}`, explanation: JSON.parse(text) as ReceptivePaths };
}

// Opens it and fails on any request, error or message.
async function open(page: Page, address: string): Promise<void> {
  page.on("request", (request) => expect(request.url()).toMatch(/^(file:|data:|blob:)/));
  page.on("pageerror", (error) => expect(error).toBeNull());
  page.on("console", (message) => expect(message.text()).toBe(""));
  await page.goto(address);
}

test("it shows the verdict, the columns and the strongest paths, and draws them", async ({ page }) => {
  const { address, explanation } = page_of(runs.tables, "m001", "shown");
  await open(page, address);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("m001");
  await expect(page.locator(".verdict.card")).toContainText(/lagged as malicious/);
  await expect(page.getByText("Which columns decided")).toBeVisible();
  const drawn = Math.min(25, explanation.paths.length);
  await expect(page.locator(".lists [role=tabpanel]").first().locator("li")).toHaveCount(drawn);
  expect(await page.locator("svg.drawing path.node").count()).toBeGreaterThan(5);
  for (const absent of ["Copy link", "The way to", "A click on a node"]) await expect(page.getByText(absent)).toHaveCount(0);
});

test("hovering lights a path, layers and thresholds change the drawing", async ({ page }) => {
  const { address } = page_of(runs.tables, "m001", "hovered");
  await open(page, address);
  await page.locator(".lists a.row").first().hover();
  await expect(page.locator("svg.drawing.dimmed path.edge.lit")).toHaveCount(1);
  await page.locator("svg.drawing path.node").nth(2).hover();
  await expect(page.locator(".tooltip")).toContainText("score");
  const widths = () => page.locator("svg.drawing path.edge").evaluateAll((edges) => edges.map((e) => e.getAttribute("stroke-width")));
  const before = await widths();
  await page.getByText("1", { exact: true }).first().click();
  await expect.poll(widths).not.toEqual(before);
  const rows = page.locator(".lists [role=tabpanel]").first().locator("li");
  const many = await rows.count();
  await page.getByLabel("Threshold").fill("35");
  await expect.poll(() => rows.count()).toBeLessThan(many);
});

test("a click shows all known paths through a node, and once more hides them", async ({ page }) => {
  const { address, explanation } = page_of(runs.tables, "m001", "expanded");
  await open(page, address);
  await page.getByRole("combobox", { name: "Paths" }).selectOption("10");
  const rows = page.locator(".lists [role=tabpanel]").first().locator("li");
  await expect(rows).toHaveCount(10);
  const through = (id: string) => explanation.paths.filter(({ nodes }, at) => at < 10 || nodes.slice(1).includes(id)).length;
  const [id] = explanation.paths.slice(0, 10).flatMap(({ nodes }) => nodes.slice(1)).sort((a, b) => through(b) - through(a));
  expect(through(id as string)).toBeGreaterThan(10);
  const node = page.locator(`svg.drawing path.node[aria-label^="${id}, "]`);
  await node.click();
  await expect(rows).toHaveCount(through(id as string));
  await node.click();
  await expect(rows).toHaveCount(10);
});

test("links of the lists lead nowhere", async ({ page }) => {
  const { address } = page_of(runs.tables, "m001", "linked");
  await open(page, address);
  await page.locator(".lists a.row").first().click();
  expect(page.url()).toBe(address);
});

test("names from the data stay text", async ({ page }) => {
  const { address } = page_of(runs.names, hostile_ids[1] as string, "hostile");
  await open(page, address);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(hostile_ids[1] as string);
  expect(await page.locator("script").count()).toBe(2);
});
