import { defineConfig } from "@playwright/test";
import { browser } from "./scripts/browser.mjs";

// One worker, since the machine's cores are for the server.
export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  globalSetup: "./tests/train_once.ts",
  workers: 1,
  timeout: 60_000, // for slow machines that compile at the same time
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    trace: "off",
    acceptDownloads: true,
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: browser,
  },
});
