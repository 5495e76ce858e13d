// Makes docs/images/explorer.png: trains on the example of a user's own tables, serves the run, and opens the malicious
// account of the test split whose score changes most without its paths. Prints its id and verdict, for the captions.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { browser } from "./browser.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const program = process.env.GENIEPATH ?? here("../../build/bin/geniepath");
const tables = here("../../examples/own_tables/");
const folder = mkdtempSync(join(tmpdir(), "geniepath-picture-"));

async function address_of(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const found = /^listening on (http:.*)\/$/.exec(line);
    if (found) return found[1];
  }
  throw new Error("geniepath serve ended before it listened");
}

async function take(address) {
  const get = async (path) => (await fetch(`${address}/api/v1/${path}`)).json();
  const { nodes } = await get("decided?limit=100");
  const node = nodes.find(({ label, predicted }) => label?.[0] === "malicious" && predicted[0] === "malicious");
  const opened = await chromium.launch(browser);
  const page = await opened.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1.5, reducedMotion: "reduce" });
  await page.goto(`${address}/?node=${encodeURIComponent(node.id)}&view=both`);
  await page.locator(".column-row").first().waitFor();
  await page.screenshot({ path: here("../../docs/images/explorer.png") });
  await opened.close();
  console.log(`${node.id}: ${(await get(`nodes/${node.id}/reasons`)).verdict}`);
}

let server;
try {
  const nodes = `${tables}accounts.csv,${tables}devices.csv`;
  const options = ["--edges", `${tables}edges.csv`, "--nodes", nodes, "--positive", "malicious", "--threads", "1"];
  execFileSync(program, ["train", ...options, "--out", join(folder, "own")], { stdio: ["ignore", "ignore", "inherit"] });
  server = spawn(program, ["serve", "--run", join(folder, "own"), "--port", "0", "--threads", "1"], { stdio: ["ignore", "pipe", "inherit"] });
  await take(await address_of(server));
} finally {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
}
