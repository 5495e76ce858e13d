// Before all tests: trains a small model on the embedded accounts and devices, as a user would.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { program, run_folder, run_options } from "./server";

export default function train_once(): () => void {
  const options = ["--epochs", "20", "--hidden", "16", "--depth", "3", "--threads", "1", "--out", run_folder];
  execFileSync(program, ["train", ...run_options, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  return () => rmSync(run_folder, { recursive: true, force: true });
}
