// The real program serving a run, on a port nobody uses.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test as base } from "@playwright/test";
import { program, runs } from "./runs";

const patience = 30_000; // milliseconds until the server must answer

async function free_port(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

const answers = (address: string): Promise<boolean> =>
  fetch(`${address}/api/v1/health`).then(
    (response) => response.ok,
    () => false,
  );

export class Server {
  private process: ChildProcess | null = null;
  private constructor(
    private readonly run: string,
    readonly port: number,
  ) {}

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  static async started(run = runs.accounts): Promise<Server> {
    const server = new Server(run, await free_port());
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const options = ["--run", this.run, "--port", String(this.port)];
    this.process = spawn(program, ["serve", ...options], { stdio: ["ignore", "ignore", "inherit"] });
    const begin = Date.now();
    while (!(await answers(this.address))) {
      if (this.process.exitCode !== null) throw new Error(`geniepath serve ended with ${this.process.exitCode}`);
      if (Date.now() - begin > patience) throw new Error("geniepath serve does not answer");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop(): Promise<void> {
    const running = this.process;
    this.process = null;
    if (!running || running.exitCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGTERM");
    await ended;
  }
}

// One server for all tests of a file; a test that stops it starts its own.
export const test = base.extend<object, { server: Server; run: keyof typeof runs }>({
  run: ["accounts", { scope: "worker", option: true }],
  server: [
    async ({ run }, use) => {
      const server = await Server.started(runs[run]);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.address),
});
export { expect } from "@playwright/test";
