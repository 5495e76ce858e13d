// The real program serving the run the tests trained, on a port nobody uses.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test as base } from "@playwright/test";

export const program = process.env.GENIEPATH ?? fileURLToPath(new URL("../../build/bin/geniepath", import.meta.url));
export const run_folder = (process.env.GENIEPATH_TEST_RUN ??= join(tmpdir(), `geniepath-explorer-${process.pid}`));
export const run_options = ["--data", "account-device", "--size", "2000"];

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
  fetch(`${address}/api/v1/health`).then((response) => response.ok, () => false);

export class Server {
  private process: ChildProcess | null = null;
  private constructor(readonly port: number) {}

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  static async started(): Promise<Server> {
    const server = new Server(await free_port());
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const options = ["--run", run_folder, "--port", String(this.port)];
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

// One server for all tests of a worker; a test that stops it starts its own.
export const test = base.extend<object, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await Server.started();
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.address),
});
export { expect } from "@playwright/test";
