"""A training step of geniepath.nn.GeniePath with PyTorch's own Adam on a GPU, beside the model as PyTorch users write it.

    PYTHONPATH=build/python python3 bench/python_gpu.py [--out NAME.json] [--parts 20] [--only tf32]

Shape PPI: 44,900 nodes in 20 graphs, 1,212,300 edges with self-loops, 50 features, K 256, T 3, 121 labels. Ours plain and
under torch.compile (fullgraph), without and with the loss, and the same by CUDA graphs (mode="reduce-overhead", a Graph on the
GPU), in each precision; the paper's formulas in plain PyTorch and under torch.compile; the model with PyG's GATv2Conv where
PyG is installed. Fused Adam, TF32 products. Prints one JSON object: medians of 9 rounds
of 10 steps, and the peak of PyTorch's memory.
"""

import argparse
import datetime
import json
import pathlib
import sys
from typing import Any, Callable, NamedTuple

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent / "rivals"))

import rivals  # noqa: E402

import geniepath  # noqa: E402


def ours(precision: str) -> torch.nn.Module:
    return geniepath.nn.GeniePath(rivals.FEATURES, rivals.K, rivals.T, rivals.LABELS, output_bias=False, precision=precision)


class Subject(NamedTuple):
    """A case: a model, the options of torch.compile, whether the loss is compiled with it, and its form of a graph."""

    name: str
    model: Callable[[], torch.nn.Module]
    compiled: dict[str, Any] | None = None
    whole_step: bool = False
    graph_of: Callable[[torch.Tensor], Any] = lambda edges: edges


def subjects() -> list[Subject]:
    found = []
    for precision in ("tf32", "bf16", "f32"):
        name, model = f"geniepath.nn.GeniePath, {precision}", lambda precision=precision: ours(precision)
        recorded = {"fullgraph": True, "mode": "reduce-overhead"}
        found += [Subject(name, model),
                  Subject(f"{name}, torch.compile", model, {"fullgraph": True}),
                  Subject(f"{name}, torch.compile with the loss", model, {"fullgraph": True}, True),
                  Subject(f"{name}, reduce-overhead", model, recorded, False, placed),
                  Subject(f"{name}, reduce-overhead with the loss", model, recorded, True, placed)]
    plain = lambda: rivals.GeniePath(rivals.PaperBreadth)  # noqa: E731
    found += [Subject("plain PyTorch", plain), Subject("plain PyTorch, torch.compile", plain, {}),
              Subject("plain PyTorch, torch.compile with the loss", plain, {}, True),
              Subject("plain PyTorch, reduce-overhead with the loss", plain, {"mode": "reduce-overhead"}, True)]
    try:
        from torch_geometric.nn import GATv2Conv
    except ImportError:
        print("no torch_geometric: GATv2Conv is left out", file=sys.stderr)
    else:
        found.append(Subject("PyG GATv2Conv", lambda: rivals.GeniePath(lambda: rivals.PygBreadth(GATv2Conv))))
    return found


def placed(edges: torch.Tensor) -> geniepath.Graph:
    return geniepath.Graph(edges).to("cuda")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="also write the JSON to a file")
    parser.add_argument("--parts", type=int, default=20, help="graphs side by side")
    parser.add_argument("--only", default="", help="only what has this in its name")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("python_gpu.py: PyTorch finds no GPU")
    torch.set_float32_matmul_precision("high")
    results = []
    for subject in subjects():
        if arguments.only not in subject.name:
            continue
        torch.compiler.reset()
        try:
            results.append(rivals.measure(subject.name, subject.model, arguments.parts, *subject[2:]))
        except (RuntimeError, geniepath.Error) as error:  # one subject's failure does not lose the others
            results.append({"name": subject.name, "parts": arguments.parts, "error": str(error)[:500]})
        print(json.dumps(results[-1]), file=sys.stderr)
    record = {"date": datetime.date.today().isoformat(), "gpu": torch.cuda.get_device_name(), "torch": torch.__version__,
              "cuda": torch.version.cuda, "geniepath": geniepath.__version__, "results": results}
    text = json.dumps(record, indent=1)
    print(text)
    if arguments.out:
        pathlib.Path(arguments.out).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
