"""What the widely copied stand-ins for GeniePath cost, beside the paper's models: the same loop, width, depth and epochs.

    python3 stand_in.py --data known-paths [--size 20000]      # test accuracy
    python3 stand_in.py --data FOLDER --graphs 4               # PPI, that many of its graphs to train on; micro F1

The stand-ins attend as GAT does, give every layer a recurrent LSTM, and in the lazy model let every breadth function read the
first hidden units, so that it reaches one hop. Scores are those of the epoch that the validation nodes choose.
"""

import argparse
import json

import torch
from torch.nn import LSTM, Linear, ModuleList
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

import geniepath
from geniepath.nn import GATConv, GeniePath, GeniePathLazy


class StandIn(torch.nn.Module):
    """tanh(GATConv) in place of the breadth function, an LSTM per layer that also reads its last output."""

    def __init__(self, features: int, width: int, layers: int, outputs: int, lazy: bool = False) -> None:
        super().__init__()
        self.lin1, self.lin2, self.lazy = Linear(features, width), Linear(width, outputs), lazy
        self.breadth = ModuleList(GATConv(width, width) for _ in range(layers))
        self.depth = ModuleList(LSTM(2 * width if lazy else width, width, bias=False) for _ in range(layers))

    def forward(self, x: torch.Tensor, graph: geniepath.Graph) -> torch.Tensor:
        h = h_0 = self.lin1(x)
        state = (torch.zeros(1, *h.shape), torch.zeros(1, *h.shape))
        for breadth, depth in zip(self.breadth, self.depth):
            read = torch.tanh(breadth(h_0 if self.lazy else h, graph))
            out, state = depth((torch.cat([read, h], 1) if self.lazy else read).unsqueeze(0), state)
            h = out.squeeze(0)
        return self.lin2(h)


def model_named(name: str, *sizes: int) -> torch.nn.Module:
    if name.startswith("stand-in"):
        return StandIn(*sizes, lazy=name.endswith("lazy"))
    return (GeniePathLazy if name.endswith("lazy") else GeniePath)(*sizes, bias=True)


def score(scores: torch.Tensor, y: torch.Tensor) -> float:
    """Accuracy, or micro-averaged F1 of several labels per node."""
    if y.dim() == 1:
        return float((scores.argmax(1) == y).float().mean())
    found, truth = scores > 0, y > 0
    return 2 * int((found & truth).sum()) / max(1, int(found.sum()) + int(truth.sum()))


def parts_of(data: geniepath.Dataset, graphs: int) -> dict:
    """(x, graph, nodes, y) of each graph to train on, to choose by and to test on."""
    if graphs == 0:
        whole = geniepath.Graph(data.edge_index, data.x.size(0))
        return {name: [(data.x, whole, nodes, data.y[nodes])]
                for name, nodes in (("train", data.train), ("valid", data.valid), ("test", data.test))}
    parts = {}
    for name, nodes, most in (("train", data.train, graphs), ("valid", data.valid, 2), ("test", data.test, 2)):
        parts[name] = [(g["x"], geniepath.Graph(g["edge_index"], len(g["x"])), torch.arange(len(g["x"])), g["y"])
                       for g in data.graphs(nodes)[:most]]
    return parts


def trained(name: str, parts: dict, sizes: tuple, epochs: int, learning_rate: float, seed: int) -> dict:
    torch.manual_seed(seed)
    model = model_named(name, *sizes)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    best = {"model": name, "seed": seed, "valid": -1.0}
    for epoch in range(1, epochs + 1):
        for x, graph, nodes, y in parts["train"]:
            optimizer.zero_grad()
            scores = model(x, graph)[nodes]
            (cross_entropy if y.dim() == 1 else binary_cross_entropy_with_logits)(scores, y).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
            optimizer.step()
        with torch.no_grad():
            found = {part: [(model(x, graph)[nodes], y) for x, graph, nodes, y in parts[part]] for part in ("valid", "test")}
        valid, test = (score(*map(torch.cat, zip(*pairs))) for pairs in found.values())
        if valid > best["valid"]:
            best |= {"valid": valid, "test": test, "epoch": epoch}
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default="known-paths", help="known-paths, or the folder of PPI")
    parser.add_argument("--models", default="geniepath,stand-in,geniepath-lazy,stand-in-lazy")
    parser.add_argument("--size", type=int, default=20000, help="nodes of known-paths")
    parser.add_argument("--graphs", type=int, default=4, help="graphs of PPI to train on")
    for name, value in (("width", 64), ("layers", 3), ("epochs", 300), ("seeds", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--learning-rate", type=float, default=0.01)
    given = parser.parse_args()
    generated = given.data == "known-paths"
    data = geniepath.dataset(given.data, **({"size": given.size} if generated else {}))
    parts = parts_of(data, 0 if generated else given.graphs)
    outputs = len(data.class_names) if data.y.dim() == 1 else data.y.size(1)
    for name in given.models.split(","):
        for seed in range(1, given.seeds + 1):
            sizes = (data.x.size(1), given.width, given.layers, outputs or int(data.y.max()) + 1)
            print(json.dumps(trained(name, parts, sizes, given.epochs, given.learning_rate, seed)), flush=True)


if __name__ == "__main__":
    main()
