// A client generated from openapi.json alone.
import { readFileSync } from "node:fs";
import { request as http_request } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Object_ = { [name: string]: Json };

export interface Schema {
  type?: string | string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minLength?: number;
  enum?: Json[];
  default?: Json;
  examples?: Json[];
  $ref?: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  schema: Schema;
  example?: Json;
}

export interface Sample {
  schema: Schema;
  example?: Json;
}

// JSON, or a CSV table.
interface Content {
  "application/json": Sample;
  "text/csv"?: Sample;
}

export interface ResponseSpec {
  content: Content;
  links?: Record<string, { operationId: string; parameters: Record<string, string> }>;
}

export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, ResponseSpec | { $ref: string }>;
  security?: object[];
  "x-max-body-bytes"?: number;
}

export interface Endpoint {
  path: string;
  method: string;
  operation: Operation;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

export const document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8")) as Document &
  Object_;

export const endpoints: Endpoint[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(document, "openapi.json");

// The target of a JSON pointer ("#/components/…") in the document.
export const lookup = (pointer: string, root: Json = document): Json =>
  pointer
    .split("/")
    .slice(1)
    .reduce((at, part) => (at as Object_)[part] as Json, root);

export const resolved = <Kind>(item: Kind | { $ref: string }): Kind =>
  item !== null && typeof item === "object" && "$ref" in item ? (lookup(item.$ref as string) as Kind) : (item as Kind);

export function validator(schema: Schema): ValidateFunction {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')) as object;
  return ajv.compile(absolute);
}

export interface Answer {
  status: number;
  type: string;
  text: string;
}

export interface Sending {
  headers?: Record<string, string>;
  body?: string;
}

// Sends a request without normalising it, so that hostile addresses arrive.
export function send(
  address: string,
  method: string,
  target: string,
  { headers = {}, body }: Sending = {},
): Promise<Answer> {
  const { hostname, port } = new URL(address);
  const length: Record<string, string> =
    body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)), "Content-Type": "application/json" };
  return new Promise((resolve, reject) => {
    const request = http_request(
      { hostname, port, method, path: target, headers: { ...length, ...headers }, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"] ?? "",
            text: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

export function target_of(path: string, values: Record<string, string>, query: [string, string][] = []): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

// Violations of the contract by an answer; empty if none.
export function complaints({ operation }: Endpoint, { status, type, text }: Answer): string[] {
  const documented = operation.responses[String(status)];
  if (!documented) return [`status ${status} is not documented for ${operation.operationId}: ${text}`];
  const content = resolved<ResponseSpec>(documented).content;
  if (content["text/csv"]) return /^text\/csv\b/.test(type) ? [] : [`content type ${type}`];
  if (!/^application\/json\b/.test(type)) return [`content type ${type}`];
  const validate = validator(content["application/json"].schema);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [`not JSON: ${text.slice(0, 200)}`];
  }
  return validate(body) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
