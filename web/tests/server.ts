// The real program serving a run, on a port chosen by the system.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { test as base } from "@playwright/test";
import { program, runs } from "./runs";

// Reads the port from the program's output; an error if it ends without printing one.
async function listening_port(output: Readable): Promise<number> {
  for await (const line of createInterface({ input: output })) {
    const port = /^listening on http:\/\/.*:(\d+)\/$/.exec(line)?.[1];
    if (port) return Number(port);
  }
  throw new Error("geniepath serve ended before it listened");
}

// Waits until the nodes are scored; until then the server is not healthy.
async function scored(address: string): Promise<void> {
  while ((await fetch(`${address}/api/v1/health`)).status !== 200) await new Promise((done) => setTimeout(done, 50));
}

export class Server {
  port = 0;
  private process: ChildProcess | null = null;
  private constructor(
    private readonly run: string,
    private readonly options: string[],
  ) {}

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  static async started(run = runs.accounts, options: string[] = []): Promise<Server> {
    const server = new Server(run, options);
    await server.start();
    return server;
  }

  // After stop(), uses the same port again, as an open page expects.
  async start(): Promise<void> {
    const options = ["--run", this.run, "--port", String(this.port), ...this.options];
    const started = spawn(program, ["serve", ...options], { stdio: ["ignore", "pipe", "inherit"] });
    this.process = started;
    process.on("exit", () => started.kill()); // the server ends with the tests, however these end
    this.port = await listening_port(started.stdout);
    await scored(this.address);
  }

  // Stopped, it must exit cleanly; exiting earlier by itself is a failure.
  async stop(): Promise<void> {
    const running = this.process;
    this.process = null;
    if (!running) return;
    if (running.exitCode === null && running.signalCode === null) {
      const ended = once(running, "exit");
      running.kill("SIGTERM");
      await ended;
    }
    if (running.exitCode !== 0) throw new Error(`geniepath serve ended with ${running.exitCode ?? running.signalCode}`);
  }
}

// One server for all tests of a file; a test that stops it starts its own.
export const test = base.extend<object, { server: Server; run: keyof typeof runs; token: string }>({
  run: ["accounts", { scope: "worker", option: true }],
  token: ["", { scope: "worker", option: true }],
  server: [
    async ({ run, token }, use) => {
      const options = [...(token ? ["--token", token] : []), ...(run === "accounts" ? ["--other", runs.other] : [])];
      const server = await Server.started(runs[run], options);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.address),
});
export { expect } from "@playwright/test";
