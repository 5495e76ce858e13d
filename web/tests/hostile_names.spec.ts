// Ids and classes from a user's tables are treated only as text, whatever they look like.
import { readFileSync } from "node:fs";
import { hostile_class, hostile_ids } from "./runs";
import { expect, test } from "./server";

test.use({ run: "names" });

test.beforeEach(({ page }) => {
  page.on("dialog", (dialog) => expect(dialog.message()).toBe("no dialog"));
  page.on("pageerror", (error) => expect(error).toBeNull());
});

for (const id of hostile_ids) {
  test(`searched, shown, drawn and exported: ${id.slice(0, 40)}`, async ({ page }) => {
    await page.goto("/");
    await page.getByRole("combobox").fill(id.slice(0, 100));
    await expect(page.getByRole("option").first().locator(".id")).toHaveText(id);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(id);
    expect(new URL(page.url()).searchParams.get("node")).toBe(id);
    await expect(page.locator(".headline")).toContainText(hostile_class);
    await expect(page.locator("main").locator("img, script, b")).toHaveCount(0);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export as SVG" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^paths-of-[\p{L}\p{N}._-]+\.svg$/u);
    const broken = await page.evaluate(
      (text) =>
        new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror, img, script").length,
      readFileSync(await file.path()).toString(),
    );
    expect(broken).toBe(0);
  });
}

test("all of them stand in the lists of the hub", async ({ page }) => {
  await page.goto("/?node=hub&hops=1&top=500");
  await page.getByRole("tab", { name: "Neighbours" }).click();
  for (const id of hostile_ids) await expect(page.locator(`a[data-walk=${CSS_string(id)}]`).first()).toContainText(id);
  await page
    .locator(`a[data-walk=${CSS_string(hostile_ids[0] as string)}]`)
    .last()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(hostile_ids[0] as string);
});

test("a queue of nodes of one kind has no column for their types", async ({ page }) => {
  await page.goto("/?queue=");
  await expect(page.getByRole("columnheader", { name: "Predicted" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Type" })).toHaveCount(0);
  const cells = await page.locator(".nodes tbody tr").first().locator("th, td").count();
  expect(cells).toBe(await page.getByRole("columnheader").count());
});

test("a node without edges is said to have no paths", async ({ page }) => {
  await page.goto("/?node=alone");
  await expect(page.locator(".verdict")).toContainText("It has no neighbours: its own columns alone decide.");
  await expect(page.getByRole("tabpanel")).toHaveText(/^No edge leads to this node, so there are no paths to follow/);
  await expect(page.locator(".note")).toHaveText("No edge leads to this node.");
  for (const name of ["Do these paths decide?", "How evenly it listens"]) {
    await expect(page.getByRole("heading", { name })).toHaveCount(0);
  }
});

const CSS_string = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
