// The page's arithmetic, without a browser.
import { expect, test } from "@playwright/test";
import { expansion, way_to, with_additions } from "../src/drawing/additions";
import { place_nodes } from "../src/drawing/layout";
import { choose_labels } from "../src/drawing/labels";
import { node_towards } from "../src/drawing/steps";
import { edge_key, edge_strengths, level_of } from "../src/drawing/weights";
import { class_text, percent, share, weight as weight_text } from "../src/format";
import { known_paths } from "../src/known_paths";
import {
  address_of,
  default_view,
  needs_new_paths,
  parse_view,
  position_of,
  threshold_at,
  threshold_positions,
  with_pin,
} from "../src/view";

const path = (nodes: string[], alpha: number[], product: number, laplacian: number) => ({
  nodes,
  product,
  laplacian,
  alpha,
  layers: [],
});
const edge = (source: string, target: string, alpha: number[], best: number, laplacian: number) => ({
  source,
  target,
  alpha,
  laplacian,
  importance: { best, total: best },
});

const paths = [
  path(["a", "b"], [0.6], 0.6, 0.3),
  path(["a", "b", "c"], [0.6, 0.5], 0.3, 0.12),
  path(["a", "d"], [0.2], 0.2, 0.4),
  path(["a", "d", "c"], [0.2, 0.75], 0.15, 0.2),
  path(["a", "b", "a"], [0.6, 1 / 6], 0.1, 0.09),
];
const edges = [
  edge("b", "a", [0.1, 0.6], 0.6, 0.3),
  edge("c", "b", [0.5, 0.5], 0.3, 0.4),
  edge("d", "a", [0.3, 0.2], 0.2, 0.4),
  edge("c", "d", [0.75, 0.1], 0.15, 0.5),
  edge("a", "b", [1 / 6, 0], 0.1, 0.3),
];

test("a node stands a ring beyond the one its strongest path comes through", () => {
  const places = place_nodes({ node: "a", paths });
  expect([...places.values()].map(({ id, parent, ring }) => [id, parent, ring])).toEqual([
    ["a", null, 0],
    ["b", "a", 1],
    ["d", "a", 1],
    ["c", "b", 2],
  ]);
  for (const { x, y, ring } of places.values()) expect(Math.hypot(x, y)).toBeCloseTo(ring / 2, 12);
});

test("a node without paths stands alone in the middle", () => {
  expect([...place_nodes({ node: "a", paths: [] }).values()]).toMatchObject([{ id: "a", x: 0, ring: 0 }]);
});

test("edges are as important as their strongest path, or as one layer has it", () => {
  const drawn = (weighting: "learned" | "laplacian", layer: number) => {
    const strengths = [...edge_strengths({ edges, paths }, weighting, layer).values()];
    return { importance: strengths.map(({ importance }) => importance), weight: strengths.map(({ weight }) => weight) };
  };
  expect(drawn("learned", 0)).toEqual({ importance: [0.6, 0.3, 0.2, 0.15, 0.1], weight: [0.6, 0.5, 0.2, 0.75, 1 / 6] });
  expect(drawn("laplacian", 0)).toEqual({ importance: [0.3, 0.12, 0.4, 0.2, 0.09], weight: [0.3, 0.4, 0.4, 0.5, 0.3] });
  const first = [0.1, 0.5, 0.3, 0.75, 1 / 6];
  expect(drawn("learned", 1)).toEqual({ importance: first, weight: first });
  const laplacian = [0.3, 0.4, 0.4, 0.5, 0.3];
  expect(drawn("laplacian", 2)).toEqual({ importance: laplacian, weight: laplacian });
  expect(edge_key('a","b', "c")).not.toBe(edge_key("a", 'b","c'));
});

test("the paper's levels begin at 0.1 and 0.2", () => {
  expect([0, 0.0999, 0.1, 0.1999, 0.2, 1].map(level_of)).toEqual(["low", "low", "middle", "middle", "high", "high"]);
});

test("labels do not overlap, and the explained node always has one", () => {
  const at = (id: string, x: number, importance: number, hop: number) => ({
    node: { id, importance, hop } as never,
    x,
    y: 0,
    radius: 5,
    shape: 0,
    trail: [],
  });
  const chosen = choose_labels([
    at("middle", 0, 1, 0),
    at("strong", 100, 0.5, 1),
    at("hidden", 104, 0.1, 1),
    at("apart", -100, 0.2, 1),
  ], { width: 600, height: 400 });
  expect(chosen.map(({ id }) => id)).toEqual(["middle", "strong", "apart"]);
  const narrow = choose_labels(
    [at("middle", 0, 1, 0), at("a long name to the right", 80, 0.5, 1), at("gone", -155, 0.5, 1)],
    { width: 320, height: 400 },
  );
  expect(narrow.map(({ text }) => text)).toEqual(["middle", "a long n…"]); // as far as the panel reaches
});

test("additions are drawn beyond the nodes they belong to, and change no listed path", () => {
  const summary = (id: string) => ({ id, type: null, degree: 1, split: null, label: null, predicted: [], score: 0.5 });
  const listed = { node: "a", paths, edges, nodes: ["a", "b", "c", "d"].map((id) => ({ ...summary(id), hop: 1, importance: 1, self_alpha: [] })) };
  const neighbours = { node: "c", total: 2, edges: [{ source: "e", target: "c", alpha: [0.1, 0.2], laplacian: 0.3 }], nodes: [summary("e")] };
  const route = { from: "a", to: "f", all: true, paths: [["a", "d", "f"]], nodes: [summary("a"), summary("d"), summary("f")] };
  const drawn = with_additions(listed as never, [expansion(neighbours, ["a", "b", "c"]), way_to(route)]);
  expect(drawn.paths).toBe(paths);
  expect(drawn.nodes.map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(drawn.edges.slice(edges.length).map(({ source, target }) => [source, target])).toEqual([["e", "c"], ["f", "d"]]);
  const places = place_nodes({ node: "a", paths: drawn.placed });
  expect([places.get("e")?.parent, places.get("f")?.parent]).toEqual(["c", "d"]);
});

test("arrow keys lead to the nearest node in their direction", () => {
  const at = (id: string, x: number, y: number) => ({ node: { id }, x, y }) as never;
  const [middle, right, far, above] = [at("m", 0, 0), at("r", 50, 10), at("f", 200, 0), at("a", 5, -80)];
  const nodes = [middle, right, far, above];
  expect(node_towards(nodes, middle, "ArrowRight")).toBe(right);
  expect(node_towards(nodes, right, "ArrowRight")).toBe(far);
  expect(node_towards(nodes, middle, "ArrowUp")).toBe(above);
  expect(node_towards(nodes, middle, "ArrowDown")).toBeNull();
  expect(node_towards(nodes, middle, "x")).toBeNull();
});

test("a view survives its address", () => {
  const view = {
    node: "ü/&?=#%",
    hops: 3,
    top: 100,
    threshold: 0.013,
    layer: 2,
    show: "both" as const,
    pins: ["a b", "&"],
    queue: null,
  };
  expect(parse_view(new URL(address_of(view), "http://x").search)).toEqual(view);
  expect(address_of({ ...default_view, node: "a" })).toBe("/?node=a");
  expect(address_of(default_view)).toBe("/");
  const queue = { ...default_view, queue: "q=a%26b&sort=id" };
  expect(parse_view(new URL(address_of(queue), "http://x").search)).toEqual(queue);
  expect(with_pin({ ...default_view, pins: ["a"] }, "b")).toEqual(["a", "b"]);
  expect(with_pin({ ...default_view, pins: ["a", "b"] }, "a")).toEqual(["b"]);
  expect(parse_view("?node=a&hops=0&top=9999&threshold=nan&layer=-1&view=x")).toEqual({ ...default_view, node: "a" });
});

test("only what the server computes is asked for again", () => {
  const view = { ...default_view, node: "a" };
  expect(needs_new_paths(view, { ...view, layer: 1, show: "both" })).toBe(false);
  for (const part of [{ node: "b" }, { hops: 1 }, { top: 10 }, { threshold: 0.1 }, { pins: ["c"] }, { show: "runs" as const }])
    expect(needs_new_paths(view, { ...view, ...part })).toBe(true);
});

test("the threshold's slider covers 0 and 0.0001 to 1, and finds its way back", () => {
  expect([0, 10, 20, 30, 40].map(threshold_at)).toEqual([0, 0.001, 0.01, 0.1, 1]);
  for (let position = 0; position <= threshold_positions; ++position)
    expect(position_of(threshold_at(position))).toBe(position);
});

test("numbers are written so that they can be compared", () => {
  expect([0, 1, 0.25, 0.01, 0.0012, 1.5e-9].map(weight_text)).toEqual([
    "0",
    "1.000",
    "0.250",
    "0.010",
    "0.0012",
    "1.5e−9",
  ]);
  expect(["7", "-1", "7a", "malicious"].map(class_text)).toEqual(["class 7", "class -1", "7a", "malicious"]);
  expect([-0.031, 0.5].map(percent)).toEqual(["−3 %", "50 %"]);
  expect([-0.031, 0.5, 0].map(share)).toEqual(["−0.031", "+0.500", "+0.000"]);
});

test("known paths are narrowed by hops, number and product, and widened through expanded nodes", () => {
  const paths = [path(["m", "a"], [0.5], 0.5, 0.5), path(["m", "a", "b"], [0.5, 0.4], 0.2, 0.1), path(["m", "c"], [0.1], 0.1, 0.2)];
  const edges = [edge("a", "m", [0.5], 0.5, 0.5), edge("b", "a", [0.4], 0.2, 0.2), edge("c", "m", [0.1], 0.1, 0.2)];
  const nodes = ["m", "a", "b", "c"].map((id, at) => ({ id, hop: [0, 1, 2, 1][at] }));
  const omitted = { nodes: 4, edges: 5, paths: 6, product: 0.2 };
  const all = { node: "m", hops: 2, threshold: 0, nodes, edges, paths, omitted } as unknown as Parameters<typeof known_paths>[0];
  const ids = (shown: { nodes: { id: string }[] }) => shown.nodes.map(({ id }) => id).join("");
  const everything = { hops: 2, top: 50, threshold: 0 };
  expect(known_paths(all, everything, new Set())).toEqual(all);
  const short = known_paths(all, { ...everything, hops: 1 }, new Set());
  expect([ids(short), short.hops, short.omitted.paths, short.omitted.nodes, short.omitted.edges]).toEqual(["mac", 1, 7, 5, 6]);
  expect(short.omitted.product).toBeCloseTo(0.4);
  expect(ids(known_paths(all, { ...everything, threshold: 0.15 }, new Set()))).toBe("mab");
  const first = known_paths(all, { ...everything, top: 1 }, new Set());
  expect([ids(first), first.edges.length]).toEqual(["ma", 1]);
  expect(ids(known_paths(all, { ...everything, top: 1 }, new Set(["b"])))).toBe("mab");
});
