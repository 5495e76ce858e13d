// A server with a token: no data without it, and the token stays where it was typed.
import AxeBuilder from "@axe-core/playwright";
import { complaints, endpoints, send, target_of } from "./openapi";
import { expect, test } from "./server";

const token = "correct-horse-battery-staple";
test.use({ token });

for (const endpoint of endpoints) {
  const open = endpoint.operation.security?.length === 0;
  test(`${endpoint.method} ${endpoint.path} ${open ? "needs no token" : "is refused without the token"}`, async ({ server }) => {
    const body = endpoint.operation.requestBody ? "{}" : undefined;
    for (const headers of [{}, { Authorization: `Bearer ${token}x` }, { Authorization: token }] as Record<string, string>[]) {
      const answer = await send(server.address, endpoint.method, target_of(endpoint.path, { id: "0" }), { headers, body });
      expect(answer.status).toBe(open ? 200 : 401);
      expect(complaints(endpoint, answer)).toEqual([]);
    }
  });
}

test("the page asks for the token, keeps it for this tab and shows it nowhere", async ({ page, context }) => {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The server asks for its token");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.getByLabel("Token").fill("wrong");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The server refused this token");
  await page.keyboard.type(token); // the field has the focus
  await page.keyboard.press("Enter");
  await expect(page.locator(".start .rows li")).toHaveCount(24);
  await page.reload();
  await expect(page.locator(".start .rows li")).toHaveCount(24);
  expect(addresses.join(" ") + page.url()).not.toContain(token);
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("The server asks for its token");
});

test("an address may bring the token, and loses it at once", async ({ page }) => {
  await page.goto(`/?node=0#token=${token}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("0");
  expect(page.url()).not.toContain("token");
});
