// A user's own tables: their columns beside the node, and search by any of them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Reasons } from "../src/api";
import { expect, test } from "./server";

test.use({ run: "tables" });

const table = readFileSync(fileURLToPath(new URL("../../examples/own_tables/accounts.csv", import.meta.url)), "utf8");
const [heading, ...accounts] = table.trim().split("\n").map((line) => line.split(","));

test("the cells beside a node are those of its table", async ({ page }) => {
  const account = accounts.find(([id]) => id === "m095") as string[];
  await page.goto("/?node=m095");
  await expect(page.locator(".verdict")).toContainText("Flagged as malicious");
  for (const name of ["age_days", "logins", "night_share", "country"]) {
    const row = page.locator(".column-row", { has: page.getByText(name, { exact: true }) });
    await expect(row.locator(".cell")).toHaveText(account[heading?.indexOf(name) as number] as string);
    await expect(row.locator(".histogram")).toHaveCount(name === "country" ? 0 : 1);
    await expect(row.locator(".about")).toHaveText(/(higher|lower) than \d+ % of its kind|as \d+ % of its kind/);
  }
  const answer = await page.request.get("/api/v1/nodes/m095/reasons");
  const { neighbours, without, verdict } = (await answer.json()) as Reasons;
  expect(neighbours.length).toBeGreaterThan(0);
  for (const id of neighbours) expect(verdict).toContain(id);
  expect(verdict).toContain((without as number).toFixed(3));
});

test("the queue is searched by any column", async ({ page }) => {
  await page.goto("/?queue=");
  const search = page.getByLabel("Search any column");
  const expected = (matches: (account: string[]) => boolean) => `${accounts.filter(matches).length} nodes`;
  const at = (name: string) => heading?.indexOf(name) as number;
  const status = page.locator(".pager [role=status]");
  for (const [text, matches] of [
    ["country:fr", (account: string[]) => account[at("country")] === "fr"],
    ["logins>10", (account: string[]) => Number(account[at("logins")]) > 10],
    ["age_days<100", (account: string[]) => Number(account[at("age_days")]) < 100],
    ["label:malicious", (account: string[]) => account[at("label")] === "malicious"],
  ] as const) {
    await search.fill(text);
    await page.keyboard.press("Enter");
    await expect(status).toHaveText(new RegExp(`^${expected(matches)}`));
  }
});

test("a search that cannot find anything says so beside the field", async ({ page }) => {
  await page.goto("/?queue=");
  const search = page.getByLabel("Search any column");
  for (const [text, said] of [
    ["lgins>100", /^no column is called 'lgins'; did you mean 'logins'\? Expected: one of the columns id, type, label, /],
    ["logins>abc", /^'abc' is not a number, as 'logins' holds\. Expected: logins>10, <10 or :10\.$/],
  ] as const) {
    await search.fill(text);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toHaveText(said);
    await expect(search).toHaveAttribute("aria-invalid", "true");
    await expect(search).toHaveAccessibleDescription(said);
    await expect(search).toBeFocused();
    await expect(search).toHaveValue(text);
    await expect(page.locator(".nodes")).toHaveCount(0);
  }
  await search.fill("logins>10");
  await page.keyboard.press("Enter");
  await expect(page.locator(".nodes tbody tr").first()).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the queue is sorted by any of its columns", async ({ page }) => {
  await page.goto("/?queue=");
  const at = (name: string) => heading?.indexOf(name) as number;
  const numbers = accounts.map((account) => Number(account[at("logins")])).sort((a, b) => a - b);
  const button = page.getByRole("button", { name: "logins", exact: true });
  const header = page.getByRole("columnheader", { name: "logins", exact: true });
  const column = async () => (await page.getByRole("columnheader").allTextContents()).findIndex((text) => text.startsWith("logins"));
  const first = async () => page.locator(".nodes tbody tr").first().locator("th, td").nth(await column());
  await expect(header).toHaveAttribute("aria-sort", "none");
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(header).toHaveAttribute("aria-sort", "descending");
  await expect(button).toBeFocused();
  await expect(await first()).toHaveText(String(numbers.at(-1)));
  await page.keyboard.press("Enter");
  await expect(header).toHaveAttribute("aria-sort", "ascending");
  await expect(await first()).toHaveText(String(numbers[0]));
  await page.getByRole("button", { name: "Label", exact: true }).click();
  await expect(page.getByRole("columnheader", { name: "Label", exact: true })).toHaveAttribute("aria-sort", "ascending");
});
