// The real program serving a run, on a port the system chooses.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { test as base } from "@playwright/test";
import { program, runs } from "./runs";

// The line that says where it listens; an error where the program ends without one.
async function listening_port(output: Readable): Promise<number> {
  for await (const line of createInterface({ input: output })) {
    const port = /^listening on http:\/\/.*:(\d+)\/$/.exec(line)?.[1];
    if (port) return Number(port);
  }
  throw new Error("geniepath serve ended before it listened");
}

// Until its nodes are scored the server is not healthy.
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

  // Again after stop(): on the same port, as a page that is open expects it.
  async start(): Promise<void> {
    const options = ["--run", this.run, "--port", String(this.port), ...this.options];
    const started = spawn(program, ["serve", ...options], { stdio: ["ignore", "pipe", "inherit"] });
    this.process = started;
    process.on("exit", () => started.kill()); // however the tests end, the server does
    this.port = await listening_port(started.stdout);
    await scored(this.address);
  }

  // Asked to end, it must end well; one that ended before, by itself, has not.
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
      const server = await Server.started(runs[run], token ? ["--token", token] : []);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.address),
});
export { expect } from "@playwright/test";
