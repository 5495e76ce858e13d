"""Three layers of attention on PPI with PyG, as in its own example: one line decides whose.

    python3 ppi_pyg.py --data FOLDER [--conv geniepath|gatv2] [--epochs 100] [--device cuda] [--compile] [--json]

FOLDER: PPI as GraphSAGE, PyG or DGL publish it. Training takes one graph per step, 20 per epoch. Prints the seconds of an
epoch (median), the peak memory of the GPU and micro-averaged F1 on the two test graphs, at the epoch that the two
validation graphs choose.
"""

import argparse
import json
import statistics
import time

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, elu

import geniepath
from geniepath.nn import GeniePathConv


def convolution(kind: str, width: int) -> torch.nn.Module:
    if kind == "geniepath":
        return GeniePathConv(width, precision="tf32")
    from torch_geometric.nn import GATv2Conv

    return GATv2Conv(width, width)


class Net(torch.nn.Module):
    """Layers of one width between two linear ones, each added to what it reads."""

    def __init__(self, kind: str, features: int, width: int, labels: int, layers: int = 3) -> None:
        super().__init__()
        self.first, self.last = torch.nn.Linear(features, width), torch.nn.Linear(width, labels)
        self.convs = torch.nn.ModuleList(convolution(kind, width) for _ in range(layers))

    def forward(self, x: torch.Tensor, edge_index: torch.Tensor) -> torch.Tensor:
        h = self.first(x)
        for conv in self.convs:
            h = h + elu(conv(h, edge_index))
        return self.last(h)


def micro_f1(model: torch.nn.Module, graphs: list) -> float:
    model.eval()
    with torch.no_grad():
        found = torch.cat([model(graph.x, graph.edge_index) > 0 for graph in graphs])
    truth = torch.cat([graph.y for graph in graphs]) > 0
    hits = int((found & truth).sum())
    return 2 * hits / max(1, int(found.sum()) + int(truth.sum()))


def epoch(model: torch.nn.Module, optimizer: torch.optim.Optimizer, graphs: list) -> None:
    model.train()
    for place in torch.randperm(len(graphs)).tolist():
        graph = graphs[place]
        optimizer.zero_grad()
        binary_cross_entropy_with_logits(model(graph.x, graph.edge_index), graph.y).backward()
        optimizer.step()


def pyg_data(values: dict, device: str):
    """PyG's Data, or without PyG something with the same attributes."""
    try:
        from torch_geometric.data import Data
    except ImportError:
        return argparse.Namespace(**{name: value.to(device) for name, value in values.items()})
    return Data(**values).to(device)


def run(arguments: argparse.Namespace) -> dict:
    torch.manual_seed(arguments.seed)
    torch.set_float32_matmul_precision("high")
    data = geniepath.dataset(arguments.data)
    train, valid, test = ([pyg_data(graph, arguments.device) for graph in data.graphs(nodes)]
                          for nodes in (data.train, data.valid, data.test))
    model = Net(arguments.conv, data.x.size(1), arguments.width, data.y.size(1)).to(arguments.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    step = torch.compile(model, dynamic=True) if arguments.compile else model
    on_gpu = arguments.device.startswith("cuda")
    times, best, score = [], -1.0, 0.0
    for _ in range(arguments.epochs):
        begun = time.perf_counter()
        epoch(step, optimizer, train)
        if on_gpu:
            torch.cuda.synchronize()
        times.append(time.perf_counter() - begun)
        found = micro_f1(model, valid)
        if found > best:
            best, score = found, micro_f1(model, test)
    peak = torch.cuda.max_memory_allocated() / 2**30 if on_gpu else None
    return {"conv": arguments.conv, "compile": arguments.compile, "width": arguments.width, "epochs": arguments.epochs,
            "device": torch.cuda.get_device_name() if on_gpu else "cpu", "torch": torch.__version__,
            "graphs": [len(train), len(valid), len(test)], "epoch_seconds": statistics.median(times),
            "peak_gib": peak, "valid_f1": best, "test_f1": score}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder of PPI")
    parser.add_argument("--conv", choices=["geniepath", "gatv2"], default="geniepath")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--compile", action="store_true", help="train under torch.compile")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    arguments = parser.parse_args()
    found = run(arguments)
    if arguments.json:
        print(json.dumps(found))
        return
    peak = f"{found['peak_gib']:.2f} GiB" if found["peak_gib"] is not None else "not measured on the CPU"
    print(f"{found['conv']}: {found['epoch_seconds']:.3f} s per epoch, peak memory {peak}, "
          f"micro F1 {found['test_f1']:.4f} (validation {found['valid_f1']:.4f})")


if __name__ == "__main__":
    main()
