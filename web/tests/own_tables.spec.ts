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
