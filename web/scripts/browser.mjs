// How to launch the system's Chromium, not Playwright's: $CHROMIUM, or Debian's without windows, or Debian's.
import { existsSync } from "node:fs";

const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export const browser = {
  executablePath: process.env.CHROMIUM ?? installed.find(existsSync) ?? "chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [], // Chromium's sandbox refuses to run as root
};
