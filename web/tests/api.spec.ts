// The server complies with openapi.json for valid and invalid requests; only that file is used.
import { connect } from "node:net";
import {
  type Answer,
  complaints,
  type Endpoint,
  endpoints,
  type Json,
  lookup,
  type Parameter,
  resolved,
  type ResponseSpec,
  send,
  target_of,
  validator,
} from "./openapi";
import { invalid_bodies, invalid_values, valid_values } from "./openapi_requests";
import { expect, type Server, test } from "./server";

const example_of = ({ operation }: Endpoint): Json =>
  operation.requestBody?.content["application/json"].example ?? null;
const body_of = (endpoint: Endpoint): string | undefined =>
  endpoint.operation.requestBody ? JSON.stringify(example_of(endpoint)) : undefined;
const parameters_in = ({ operation }: Endpoint, where: string) =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === where);
// Ids in the query must exist, like those in the path.
const is_id = ({ schema }: Parameter): boolean => schema.$ref === "#/components/schemas/NodeId";

// Path parameters, from the links of other operations' answers.
async function values_for(server: Server, { operation }: Endpoint): Promise<Record<string, string>> {
  for (const source of endpoints) {
    const response = resolved<ResponseSpec>(source.operation.responses["200"] as ResponseSpec);
    for (const link of Object.values(response.links ?? {})) {
      if (link.operationId !== operation.operationId) continue;
      const { text } = await send(server.address, source.method, source.path);
      const found = Object.entries(link.parameters).map(([name, expression]) => [
        name,
        String(lookup(expression.split("#")[1] as string, JSON.parse(text) as Json)),
      ]);
      return Object.fromEntries(found) as Record<string, string>;
    }
  }
  return {};
}

function keeps_contract(endpoint: Endpoint, answer: Answer, status: number, what: string): void {
  expect.soft(answer.status, `${endpoint.method} ${what}: ${answer.text.slice(0, 300)}`).toBe(status);
  expect.soft(complaints(endpoint, answer), what).toEqual([]);
}

test("the document's examples fit its schemas", () => {
  const check = (where: string, content: { schema: object; example?: Json }) => {
    const validate = validator(content.schema);
    expect.soft(content.example, where).toBeDefined();
    expect.soft(validate(content.example), `${where}: ${JSON.stringify(validate.errors)}`).toBe(true);
  };
  for (const { path, operation } of endpoints) {
    if (operation.requestBody) check(path, operation.requestBody.content["application/json"]);
    for (const [status, response] of Object.entries(operation.responses)) {
      const { content } = resolved<ResponseSpec>(response as ResponseSpec);
      check(`${path} ${status}`, content["text/csv"] ?? content["application/json"]);
    }
  }
  expect(endpoints.length).toBeGreaterThan(6);
});

for (const endpoint of endpoints) {
  const { path, method, operation } = endpoint;
  const body = body_of(endpoint);

  test(`${method} ${path}: valid requests`, async ({ server }) => {
    const values = await values_for(server, endpoint);
    const queries = parameters_in(endpoint, "query").flatMap((parameter) =>
      (is_id(parameter) ? Object.values(values) : valid_values(parameter)).map((value): [string, string] => [
        parameter.name,
        value,
      ]),
    );
    for (const query of [[], ...queries.map((pair) => [pair])]) {
      const target = target_of(path, values, query);
      keeps_contract(endpoint, await send(server.address, method, target, { body }), 200, target);
    }
  });

  test(`${method} ${path}: bad parameters`, async ({ server }) => {
    const values = await values_for(server, endpoint);
    const queries = parameters_in(endpoint, "query").flatMap((parameter) => [
      ...invalid_values(parameter).map((value): [string, string][] => [[parameter.name, value]]),
      [
        [parameter.name, "1"],
        [parameter.name, "1"],
      ] as [string, string][],
    ]);
    for (const query of [...queries, [["unheard_of", "1"]] as [string, string][]]) {
      const target = target_of(path, values, query);
      keeps_contract(endpoint, await send(server.address, method, target, { body }), 400, target);
    }
  });

  test(`${method} ${path}: a page of another origin is refused`, async ({ server }) => {
    const target = target_of(path, await values_for(server, endpoint));
    for (const headers of [
      { Origin: "http://elsewhere.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
      { Host: "elsewhere.example" },
    ] as Record<string, string>[]) {
      keeps_contract(
        endpoint,
        await send(server.address, method, target, { body, headers }),
        403,
        `${target} ${JSON.stringify(headers)}`,
      );
    }
    const own = await send(server.address, method, target, { body, headers: { Origin: server.address } });
    keeps_contract(endpoint, own, 200, `${target} from its own page`);
  });

  if (parameters_in(endpoint, "path").length > 0) {
    test(`${method} ${path}: ids that do not exist`, async ({ server }) => {
      for (const id of ["nobody", "-1", "1e9", "a/b", "../../etc/passwd", "%", "ü", "'\"<script>", "x".repeat(512)]) {
        const target = target_of(path, { id });
        keeps_contract(endpoint, await send(server.address, method, target), 404, target.slice(0, 80));
      }
      for (const malformed of ["%ff%fe", "%00", "%zz", "%"]) {
        const target = target_of(path, { id: "MARK" }).replace("MARK", malformed);
        const answer = await send(server.address, method, target);
        expect.soft([400, 404], target).toContain(answer.status);
        expect.soft(complaints(endpoint, answer), target).toEqual([]);
      }
    });
  }

  if (operation.requestBody) {
    test(`${method} ${path}: bodies that do not fit the schema`, async ({ server }) => {
      const bodies = invalid_bodies(
        operation.requestBody?.content["application/json"].schema ?? {},
        example_of(endpoint),
      );
      expect(bodies.length).toBeGreaterThan(60);
      for (const bad of bodies) {
        const text = JSON.stringify(bad);
        keeps_contract(endpoint, await send(server.address, method, path, { body: text }), 422, text.slice(0, 160));
      }
    });

    test(`${method} ${path}: bodies that are no JSON, or too large`, async ({ server }) => {
      for (const text of ["", "{", "nodes", "[1,]", "\u0000", '{"nodes": 1e}', "[".repeat(100_000), '"\ud800"']) {
        const answer = await send(server.address, method, path, { body: text });
        expect.soft([400, 422], text.slice(0, 40)).toContain(answer.status);
        expect.soft(complaints(endpoint, answer), text.slice(0, 40)).toEqual([]);
      }
      const form = { "Content-Type": "application/x-www-form-urlencoded" };
      keeps_contract(endpoint, await send(server.address, method, path, { body, headers: form }), 400, "a form");
      const large = " ".repeat((operation["x-max-body-bytes"] as number) + 1);
      keeps_contract(endpoint, await send(server.address, method, path, { body: large }), 413, "a large body");
    });
  }
}

test("addresses and methods that do not exist get an error of the same shape", async ({ server }) => {
  const validate = validator({ $ref: "#/components/schemas/Error" });
  const wrong: [string, string][] = [
    ["GET", "/api/v1/nothing"],
    ["GET", "/api/v2/health"],
    ["GET", "/api/v1/nodes/"],
    ["POST", "/api/v1/health"],
    ["DELETE", "/api/v1/nodes/0"],
    ["GET", "/api/v1/score"],
  ];
  for (const [method, target] of wrong) {
    const { status, text } = await send(server.address, method, target, { body: method === "POST" ? "{}" : undefined });
    expect.soft(status, `${method} ${target}`).toBe(404);
    expect.soft(validate(JSON.parse(text)), text).toBe(true);
  }
  for (const target of [
    "/../../../../etc/passwd",
    "/..%2f..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "//etc/passwd",
    "/explorer.js/../../etc/passwd",
  ]) {
    const { status, text } = await send(server.address, "GET", target);
    expect.soft([400, 404], target).toContain(status);
    expect.soft(text).not.toContain("root:");
  }
});

// Arbitrary bytes; the server must answer or hang up, and continue.
const raw = (port: number, text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end(text));
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
    socket.resume();
  });

test("malformed requests never stop the server", async ({ server }) => {
  const requests = [
    "\r\n\r\n",
    "GARBAGE\r\n\r\n",
    "GET\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    `GET /${"a".repeat(100_000)} HTTP/1.1\r\n\r\n`,
    "\u0000\u0001\u0002",
    "POST /api/v1/score HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "POST /api/v1/score HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
    "POST /api/v1/score HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    `GET / HTTP/1.1\r\n${"X: y\r\n".repeat(5000)}\r\n`,
  ];
  for (const text of requests) await raw(server.port, text);
  expect((await send(server.address, "GET", "/api/v1/health")).status).toBe(200);
});

test("many connections at once are answered or told to wait, soon", async ({ server }) => {
  test.setTimeout(15_000);
  const endpoint = endpoints.find(({ operation }) => operation.operationId === "search") as Endpoint;
  const answers = await Promise.all(Array.from({ length: 200 }, () => send(server.address, "GET", endpoint.path)));
  for (const answer of answers) {
    expect.soft([200, 429]).toContain(answer.status);
    expect.soft(complaints(endpoint, answer)).toEqual([]);
  }
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});
