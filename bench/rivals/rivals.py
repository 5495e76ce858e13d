"""The paper's model as PyTorch users would write it, measured beside `build/bin/geniepath-bench gpu` on the same GPU in the same run.

    python3 bench/rivals/rivals.py build/bin/geniepath-bench [--out bench/results/NAME.json]

Rivals: the paper's formulas in plain PyTorch, the same under torch.compile, and the popular stand-ins whose breadth
function is PyG's GATConv or GATv2Conv. Every rival gets the gates of the paper, fused Adam and TF32 products.
Prints a Markdown table; medians of 9 rounds of 10 calls, after warming up.
"""
import argparse
import datetime
import json
import statistics
import subprocess
import time

import torch
from torch import nn

K, T, FEATURES, LABELS = 256, 3, 50, 121


def ppi_shape(parts):
    """`parts` graphs of 2,245 nodes, each node with itself and 26 other neighbours of its graph: [2, E], source first."""
    generator = torch.Generator().manual_seed(4)
    nodes, rows = 2245, []
    for part in range(parts):
        scores = torch.rand(nodes, nodes, generator=generator)
        scores.fill_diagonal_(2.0)
        rows.append(scores.topk(27, dim=1).indices + part * nodes)
    source = torch.cat(rows)
    target = torch.arange(parts * nodes).unsqueeze(1).expand_as(source)
    return torch.stack([source.reshape(-1), target.reshape(-1)])


class PaperBreadth(nn.Module):
    def __init__(self):
        super().__init__()
        self.w_s, self.w_d, self.w = (nn.Linear(K, K, bias=False) for _ in range(3))
        self.v = nn.Parameter(torch.randn(K) * 0.1)

    def forward(self, h, edges):
        source, target = edges
        score = torch.tanh(self.w_s(h)[target] + self.w_d(h)[source]) @ self.v
        largest = torch.full((h.shape[0],), -torch.inf, device=h.device).scatter_reduce(0, target, score.detach(), "amax")
        weight = torch.exp(score - largest[target])
        alpha = weight / torch.zeros_like(largest).index_add(0, target, weight)[target]
        return torch.tanh(self.w(torch.zeros_like(h).index_add(0, target, alpha.unsqueeze(1) * h[source])))


class PygBreadth(nn.Module):
    def __init__(self, convolution):
        super().__init__()
        self.convolution = convolution(K, K, heads=1, add_self_loops=False, bias=False)

    def forward(self, h, edges):
        return torch.tanh(self.convolution(h, edges))


class GeniePath(nn.Module):
    def __init__(self, breadth):
        super().__init__()
        self.w_x, self.w_y = nn.Linear(FEATURES, K, bias=False), nn.Linear(K, LABELS, bias=False)
        self.breadth = nn.ModuleList([breadth() for _ in range(T)])
        self.gates = nn.ModuleList([nn.Linear(K, 4 * K, bias=False) for _ in range(T)])

    def forward(self, x, edges):
        h, memory = self.w_x(x), 0.0
        for breadth, gates in zip(self.breadth, self.gates):
            i, f, o, c = gates(breadth(h, edges)).chunk(4, dim=1)
            memory = torch.sigmoid(f) * memory + torch.sigmoid(i) * torch.tanh(c)
            h = torch.sigmoid(o) * torch.tanh(memory)
        return self.w_y(h)


def milliseconds(action):
    for _ in range(5):
        action()
    times = []
    for _ in range(9):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(10):
            action()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 100)
    return statistics.median(times)


def measure(name, make_model, parts, compiled, whole_step=False, graph_of=lambda edges: edges):
    """A training step. compiled: options of torch.compile; None: the model as it is. whole_step: the loss is compiled, too."""
    torch.manual_seed(1)
    torch.cuda.empty_cache()
    edges = ppi_shape(parts).cuda()
    nodes = parts * 2245
    x, labels = torch.randn(nodes, FEATURES).cuda(), (torch.rand(nodes, LABELS) < 0.3).float().cuda()
    model, graph = make_model().cuda(), graph_of(edges)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    run = model if compiled is None or whole_step else torch.compile(model, **compiled)

    def loss():
        return nn.functional.binary_cross_entropy_with_logits(run(x, graph), labels)

    if whole_step:
        loss = torch.compile(loss, **compiled)

    def step():
        adam.zero_grad(set_to_none=True)
        loss().backward()
        adam.step()

    torch.cuda.reset_peak_memory_stats()
    result = {"name": name, "parts": parts, "milliseconds": milliseconds(step)}
    result["peak_bytes"] = torch.cuda.max_memory_allocated()
    return result


def rivals():
    from torch_geometric.nn import GATConv, GATv2Conv
    kinds = [("plain PyTorch", PaperBreadth, None), ("torch.compile", PaperBreadth, {}),
             ("PyG GATv2Conv", lambda: PygBreadth(GATv2Conv), None), ("PyG GATConv", lambda: PygBreadth(GATConv), None)]
    return [measure(name, lambda breadth=breadth: GeniePath(breadth), parts, compiled)
            for parts in (20, 1) for name, breadth, compiled in kinds]


def markdown(ours, theirs):
    lines = ["| training step | ms | peak memory |", "|---|---|---|"]
    for shape, parts in (("shape PPI", 20), ("one graph", 1)):
        for r in ours:
            if r["name"].startswith("step") and shape in r["name"]:
                lines.append(f"| ours, {r['name']}, {r['precision']} | {r['milliseconds']:.2f} | {r['peak_bytes'] / 2**30:.2f} GiB |")
        for r in theirs:
            if r["parts"] == parts:
                lines.append(f"| {r['name']}, {shape} | {r['milliseconds']:.2f} | {r['peak_bytes'] / 2**30:.2f} GiB |")
    lines += ["", "| attention, forward and backward | ms | forward |", "|---|---|---|"]
    lines += [f"| ours, {r['name']}, {r['precision']} | {r['milliseconds']:.3f} | {r['forward_milliseconds']:.3f} |"
              for r in ours if r["name"].startswith("attention")]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("geniepath_bench", help="our program of benchmarks, built with CUDA")
    parser.add_argument("--out", help="also write what was measured as JSON")
    arguments = parser.parse_args()
    torch.set_float32_matmul_precision("high")
    ours = json.loads(subprocess.run([arguments.geniepath_bench, "gpu", "--json"], check=True, text=True,
                                     stdout=subprocess.PIPE).stdout)["results"]
    theirs = rivals()
    print(markdown(ours, theirs))
    if arguments.out:
        record = {"date": datetime.date.today().isoformat(), "gpu": torch.cuda.get_device_name(),
                  "torch": torch.__version__, "cuda": torch.version.cuda, "ours": ours, "rivals": theirs}
        with open(arguments.out, "w", encoding="utf-8") as out:
            json.dump(record, out, indent=1)
            out.write("\n")


if __name__ == "__main__":
    main()
