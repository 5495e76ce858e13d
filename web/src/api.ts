// The server's JSON API, typed by openapi.json.
import type { components } from "./api_schema";
import { kept_token } from "./token";

type Schemas = components["schemas"];
export type Model = Schemas["Model"];
export type Metrics = Schemas["Metrics"];
export type GraphNode = Schemas["Node"];
export type NodeSummary = Schemas["NodeSummary"];
export type SearchResult = Schemas["SearchResult"];
export type DecidedNode = Schemas["DecidedNode"];
export type DecidedNodes = Schemas["DecidedNodes"];
export type ReceptivePaths = Schemas["ReceptivePaths"];
export type PathNode = Schemas["PathNode"];
export type PathEdge = Schemas["PathEdge"];
export type Path = Schemas["Path"];
export type Gate = Schemas["Gate"];
export type Entropy = Schemas["Entropy"];
export type Prediction = Schemas["Prediction"];
export type Queue = Schemas["Queue"];
export type Reasons = Schemas["Reasons"];
export type FeatureShares = Schemas["FeatureShares"];
export type ColumnShare = Schemas["ColumnShare"];
export type Neighbours = Schemas["Neighbours"];
export type Routes = Schemas["Routes"];

// An error answered by the server.
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly expected: string,
  ) {
    super(message);
  }
}

// No answer, or one that is not this server's.
export class ServerGone extends Error {}

async function answer(path: string, signal?: AbortSignal): Promise<Response> {
  const token = kept_token();
  const authorization: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  try {
    return await fetch(path, { signal, headers: { Accept: "application/json", ...authorization } });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ServerGone("the server does not answer");
  }
}

async function get<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  const response = await answer(path, signal);
  const body: unknown = await response.json().catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ServerGone(`the answer (status ${response.status}) is not JSON`);
  });
  if (response.ok) return body as Body;
  const { error } = body as Schemas["Error"];
  throw new ApiError(response.status, error.code, error.message, error.expected);
}

// The CSV table of the queue, for saving.
async function get_table(path: string): Promise<Blob> {
  const response = await answer(path);
  if (response.ok) return response.blob();
  const { error } = (await response.json()) as Schemas["Error"];
  throw new ApiError(response.status, error.code, error.message, error.expected);
}

// `other`: of the run that the served one is compared with.
const node_address = (id: string, other = false): string =>
  `/api/v1/${other ? "other/" : ""}nodes/${encodeURIComponent(id)}`;
const paths_query = ({ hops, top, threshold }: PathsQuery): string => `?hops=${hops}&top=${top}&threshold=${threshold}`;

export interface PathsQuery {
  hops: number;
  top: number;
  threshold: number;
}

export const api = {
  model: () => get<Model>("/api/v1/model"),
  metrics: () => get<Metrics>("/api/v1/metrics"),
  decided: (limit: number, signal: AbortSignal) => get<DecidedNodes>(`/api/v1/decided?limit=${limit}`, signal),
  node: (id: string, signal: AbortSignal) => get<GraphNode>(node_address(id), signal),
  paths: (id: string, query: PathsQuery, signal: AbortSignal, other = false) =>
    get<ReceptivePaths>(`${node_address(id, other)}/paths${paths_query(query)}`, signal),
  reasons: (id: string, query: PathsQuery, signal: AbortSignal, other = false) =>
    get<Reasons>(`${node_address(id, other)}/reasons${paths_query(query)}`, signal),
  neighbours: (id: string, limit: number, signal: AbortSignal) =>
    get<Neighbours>(`${node_address(id)}/neighbours?limit=${limit}`, signal),
  routes: (id: string, to: string, limit: number, signal: AbortSignal) =>
    get<Routes>(`${node_address(id)}/routes?to=${encodeURIComponent(to)}&limit=${limit}`, signal),
  queue: (query: URLSearchParams, signal: AbortSignal) => get<Queue>(`/api/v1/queue?${query}`, signal),
  queue_table: (query: URLSearchParams) => get_table(`/api/v1/queue.csv?${query}`),
  search: (text: string, limit: number, signal?: AbortSignal) =>
    get<SearchResult>(`/api/v1/search?q=${encodeURIComponent(text)}&limit=${limit}`, signal),
};
