"""Data sets as tensors: those that `geniepath datasets` lists, graph files, published formats and tables."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import torch
from torch import Tensor

from . import _arguments, _core, _options
from ._targets import node_numbers


@dataclasses.dataclass
class Dataset:
    """A graph, or several side by side, with features, labels and splits; N nodes in all."""

    name: str
    task: str  # multi-class, multi-label or binary
    x: Tensor  # f32 [N, P], sparse where the data is
    edge_index: Tensor  # int64 [2, E], sources above targets
    y: Tensor  # int64 [N], -1 where unknown; or f32 [N, L], rows of NaN where unknown
    train: Tensor  # nodes; valid and test alike
    valid: Tensor
    test: Tensor
    class_names: list[str]
    node_names: list[str]
    first_nodes: list[int]  # of each graph, and N

    def graphs(self, nodes: Tensor) -> list[dict[str, Tensor]]:
        """The graphs that hold these nodes, each with x, edge_index and y of its own, as PyG's Data takes them."""
        nodes = torch.tensor(node_numbers("graphs: nodes", nodes, self.first_nodes[-1]), dtype=torch.long)
        begins = torch.tensor(self.first_nodes)
        of_edge = torch.bucketize(self.edge_index[1], begins, right=True) - 1
        found = []
        for graph in torch.unique(torch.bucketize(nodes, begins, right=True) - 1).tolist():
            begin, end = self.first_nodes[graph], self.first_nodes[graph + 1]
            edges = self.edge_index[:, of_edge == graph] - begin
            x = self.x.index_select(0, torch.arange(begin, end)) if self.x.is_sparse else self.x[begin:end]
            found.append({"x": x, "edge_index": edges, "y": self.y[begin:end]})
        return found


def dataset(data: str | os.PathLike[str], **options: Any) -> Dataset:
    """A data set by name, or a file or folder in a known format; options as in `train` (`data_dir`, `size`, ...)."""
    name = _options.path("dataset: data", data, "a name, or the path of a file or folder")
    given = _options.grouped({"data": name, **options}, "dataset")
    for group, found in given.items():
        if group not in ("data", "tables"):
            _arguments.refuse([*found], "it is about training", "dataset")
    if name != "tables":
        _arguments.check_no_options_of_tables(given.get("tables", {}), f"the data is '{name}'", "dataset")
    read = _core.read_data(_options.texts(given))
    offset, source, *_ = read.pop("graph")._own_tensors()
    target = torch.arange(offset.numel() - 1).repeat_interleave(offset.diff())
    return Dataset(edge_index=torch.stack([source.long(), target]), **read)
