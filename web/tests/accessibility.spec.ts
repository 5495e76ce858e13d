// Contrast, names, roles and keyboard access, checked by axe, in both themes and on a narrow screen.
import AxeBuilder from "@axe-core/playwright";
import type { SearchResult } from "../src/api";
import { expect, test } from "./server";

const states = [
  { name: "start", address: () => "/" },
  { name: "node", address: (id: string) => `/?node=${id}` },
  { name: "side by side", address: (id: string) => `/?node=${id}&view=both&hops=3` },
  { name: "nothing above the threshold", address: (id: string) => `/?node=${id}&threshold=1` },
  { name: "two runs", address: (id: string) => `/?node=${id}&view=runs&hops=1&pin=0` },
  { name: "queue", address: () => "/?queue=split%3Dtest" },
  { name: "refused search", address: () => "/?queue=q%3Dnone%253Asuch" },
  { name: "not found", address: () => "/?node=nobody" },
];

for (const colorScheme of ["light", "dark"] as const) {
  for (const { name, address } of states) {
    test(`${name}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      const response = await page.request.get("/api/v1/search?limit=1");
      const { nodes } = (await response.json()) as SearchResult;
      await page.goto(address(encodeURIComponent(nodes[0]?.id as string)));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("body.loading")).toHaveCount(0);
      const axe = new AxeBuilder({ page });
      if (colorScheme === "dark") axe.withRules(["color-contrast"]); // names and roles are those of the light one
      const { violations } = await axe.analyze();
      expect(
        violations.map(({ id, nodes: found }) => [id, found.map(({ html, failureSummary }) => [html, failureSummary])]),
      ).toEqual([]);
    });
  }
}

test("an open search list", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("combobox").fill("1");
  await expect(page.getByRole("option").first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
});

test("nothing sticks out of a narrow screen", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const response = await page.request.get("/api/v1/search?limit=1");
  const { nodes } = (await response.json()) as SearchResult;
  await page.goto(`/?node=${encodeURIComponent(nodes[0]?.id as string)}&view=both`);
  await expect(page.locator(".drawing path.focus").first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const beyond = await page.locator(".drawing .labels text").evaluateAll((labels) =>
    labels.filter((label) => {
      const { left, right } = label.getBoundingClientRect();
      return left < 0 || right > 360;
    }).length,
  );
  expect(beyond).toBe(0);
  await page.goto("/?queue=");
  await expect(page.locator(".nodes tbody tr").first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
