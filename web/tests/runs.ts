// The runs served in tests: small models, trained by the program as by a user.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const program = process.env.GENIEPATH ?? fileURLToPath(new URL("../../build/bin/geniepath", import.meta.url));
export const folder = (process.env.GENIEPATH_EXPLORER_RUNS ??= join(tmpdir(), `geniepath-explorer-${process.pid}`));

// accounts: the generated accounts and devices; other: the same data, to compare with. names: tables with ids and classes
// meant to break a page. tables: the example of a user's own tables.
export const runs = {
  accounts: join(folder, "accounts"),
  other: join(folder, "other"),
  names: join(folder, "names"),
  tables: join(folder, "tables"),
};

export const hostile_ids = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "a/b?c=d#e&f=g",
  "100%25",
  "ü ☃ 漢字 \u202eleft",
  '"quoted", and more',
  "' OR 1=1 --",
  "javascript:alert(1)",
  "..\\..\\x",
  "${1}{{2}}",
  "x".repeat(300),
];
export const hostile_class = '<b>bad</b> & "worse"';

function train(run: string, options: string[]): void {
  const small = ["--epochs", "20", "--hidden", "16", "--depth", "3", "--threads", "1", "--out", run];
  execFileSync(program, ["train", ...options, ...small], { stdio: ["ignore", "ignore", "inherit"] });
}

const csv = (rows: string[][]): string =>
  rows.map((row) => row.map((field) => `"${field.replaceAll('"', '""')}"`).join(",")).join("\n") + "\n";

// A hub connected to every node but one, and a chain.
function write_tables(): { nodes: string; edges: string } {
  const ids = ["hub", ...hostile_ids, ...Array.from({ length: 40 }, (_, at) => `plain ${at}`)];
  const nodes = [...ids, "alone"].map((id, at) => [id, String(at % 7), String((at * at) % 5), at % 3 === 0 ? hostile_class : "good"]);
  const edges = ids.slice(1).flatMap((id, at) => [
    ["hub", id],
    [ids[at] as string, id],
  ]);
  const files = { nodes: join(folder, "nodes.csv"), edges: join(folder, "edges.csv") };
  writeFileSync(files.nodes, csv([["id", "one", "two", "label"], ...nodes]));
  writeFileSync(files.edges, csv([["source", "target"], ...edges]));
  return files;
}

export function train_all(): void {
  mkdirSync(folder, { recursive: true });
  train(runs.accounts, ["--data", "account-device", "--size", "2000"]);
  train(runs.other, ["--data", "account-device", "--size", "2000", "--seed", "2"]);
  const example = (name: string) => fileURLToPath(new URL(`../../examples/own_tables/${name}`, import.meta.url));
  const tables = ["--edges", example("edges.csv"), "--nodes", `${example("accounts.csv")},${example("devices.csv")}`];
  train(runs.tables, [...tables, "--positive", "malicious"]);
  const { nodes, edges } = write_tables();
  train(runs.names, ["--data", "tables", "--edges", edges, "--nodes", nodes, "--positive", hostile_class]);
}
