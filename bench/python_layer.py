"""A layer of geniepath.nn beside the same layer of the C++ library, called in turn: what Python adds.

    PYTHONPATH=build/python python3 bench/python_layer.py [repeats]

9,000 nodes with 28 neighbours each, K 256: forward and backward of GeniePath with one layer, its input product included.
"""

import json
import statistics
import sys
import time

import torch

import geniepath
from geniepath import _core

NODES, NEIGHBOURS, WIDTH = 9000, 28, 256


def seconds_of(step) -> float:
    begun = time.perf_counter()
    step()
    return time.perf_counter() - begun


def main(repeats: int) -> None:
    geniepath.use_large_pages()
    torch.manual_seed(1)
    target = torch.arange(NODES).repeat_interleave(NEIGHBOURS - 1)
    graph = geniepath.Graph(torch.stack([torch.randint(NODES, target.shape), target]), NODES)
    x = torch.randn(NODES, WIDTH)
    theirs = _core.Model(json.dumps({"hidden": WIDTH, "depth": 1}), WIDTH, 1)
    ours = geniepath.nn.GeniePath(WIDTH, WIDTH, 1, 1)
    ours.load_state_dict(theirs.weights())
    whole = _core.ModelInput(x, graph)
    steps = {"python": lambda: ours(x, graph).sum().backward(), "c++": lambda: theirs.forward(whole).sum().backward()}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for turn in range(repeats + 3):
        for name in sorted(steps, reverse=turn % 2 == 1):
            taken = seconds_of(steps[name])
            if turn >= 3:
                times[name].append(taken)
    few = geniepath.Graph(torch.zeros(2, 0, dtype=torch.long), 2)
    tiny, tiny_input = x[:2].contiguous(), _core.ModelInput(x[:2].contiguous(), few)
    fixed = {
        "python": statistics.median(seconds_of(lambda: ours(tiny, few).sum().backward()) for _ in range(300)),
        "c++": statistics.median(seconds_of(lambda: theirs.forward(tiny_input).sum().backward()) for _ in range(300)),
    }
    for name, taken in times.items():
        print(f"{name:7} median {1e3 * statistics.median(taken):8.2f} ms   least {1e3 * min(taken):8.2f} ms   "
              f"of 2 nodes {1e6 * fixed[name]:6.0f} us")
    pairs = statistics.median(a / b for a, b in zip(times["python"], times["c++"]))
    print(f"python over c++, median of {repeats} pairs: {100 * (pairs - 1):+.2f} %")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
