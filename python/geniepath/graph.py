"""Graphs as layers and operations take them."""

from __future__ import annotations

import numbers
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from . import _core

SelfLoops = Literal["add", "keep", "remove"]


def check_integers(what: str, value: Any, shape: str) -> None:
    """That it is a tensor of integers, dense, on a CPU or GPU; named in the message otherwise."""
    if not isinstance(value, Tensor):
        raise _core.Error(f"{what} is a {type(value).__name__}, expected a tensor {shape}")
    if value.device.type not in ("cpu", "cuda"):
        raise _core.Error(f"{what} is on {value.device}, expected cpu or cuda")
    if value.layout != torch.strided:
        raise _core.Error(f"{what} is {kind_name(value.layout)}, expected a dense tensor {shape}")
    if value.is_floating_point() or value.is_complex() or value.is_quantized or value.dtype == torch.bool:
        raise _core.Error(f"{what} has dtype {kind_name(value.dtype)}, expected integers")


def kind_name(kind: torch.dtype | torch.layout) -> str:
    return str(kind).replace("torch.", "")


def _place(device: Any) -> torch.device:
    """A CPU or GPU that is there, with its number."""
    try:
        place = torch.empty(0, device=torch.device(device)).device
    except (AssertionError, RuntimeError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise _core.Error(f"Graph: device is {device!r}, expected cpu or a GPU that is there: {reason}") from None
    if place.type not in ("cpu", "cuda"):
        raise _core.Error(f"Graph: device is {device!r}, expected cpu or cuda")
    return place


def _check_options(symmetrise: Any, self_loops: Any, merge_duplicates: Any) -> None:
    if not isinstance(self_loops, str):  # the library checks the texts
        raise _core.Error(f"Graph: self_loops is {self_loops!r}, expected add, keep or remove")
    for name, value in (("symmetrise", symmetrise), ("merge_duplicates", merge_duplicates)):
        if not isinstance(value, (int, np.bool_)):
            raise _core.Error(f"Graph: {name} is {value!r}, expected a truth value")


class Graph(_core.Graph):
    """A graph in compressed rows, checked once and reused: what layers and operations take.

    edge_index: integers [2, E], sources above targets. num_nodes: -1: one more than the largest id.
    symmetrise adds the reverse of every edge; self_loops: "add", "keep" or "remove"; parallel edges are merged.
    """

    _tensors: list[Tensor]  # of torch.ops.geniepath.*; an attribute, which compilers can read

    def __init__(
        self,
        edge_index: Tensor,
        num_nodes: int = -1,
        *,
        symmetrise: bool = False,
        self_loops: SelfLoops = "add",
        merge_duplicates: bool = True,
    ) -> None:
        check_integers("Graph: edge_index", edge_index, "[2, E]")
        _check_options(symmetrise, self_loops, merge_duplicates)
        if not isinstance(num_nodes, numbers.Integral) or abs(num_nodes) >= 2**63:
            raise _core.Error(f"Graph: num_nodes is {num_nodes!r}, expected a whole number of 32 bits")
        super().__init__(
            edge_index, num_nodes, symmetrise=symmetrise, self_loops=self_loops, merge_duplicates=merge_duplicates
        )
        self._tensors = self._own_tensors()

    @classmethod
    def from_csr(
        cls,
        offset: Tensor,
        source: Tensor,
        *,
        symmetrise: bool = False,
        self_loops: SelfLoops = "add",
        merge_duplicates: bool = True,
    ) -> Graph:
        """Rows by target: offset [N + 1], and the source of each edge [E], in any order within a row."""
        check_integers("Graph: offset", offset, "[N + 1]")
        check_integers("Graph: source", source, "[E]")
        _check_options(symmetrise, self_loops, merge_duplicates)
        graph = cls.__new__(cls)
        graph._begin(offset, source, symmetrise, self_loops, merge_duplicates)
        return graph

    def _begin(self, *rows: Any) -> None:
        super().__init__(*rows)
        self._tensors = self._own_tensors()

    def to(self, device: torch.device | str) -> Graph:
        """The same graph, with its tensors on `device`.

        Layers take a graph from anywhere. On a GPU, `torch.compile(mode="reduce-overhead")` needs it there, so that a CUDA
        graph reads nothing else.
        """
        place = _place(device)
        self.check_made()
        moved = type(self).__new__(type(self))
        _core.Graph.__init__(moved, self)
        moved._tensors = self._own_tensors(str(place))
        if place.type == "cuda" and hasattr(torch, "_dynamo"):
            for tensor in moved._tensors:
                torch._dynamo.mark_static_address(tensor, guard=False)
        return moved

    def tensors(self, device: torch.device | str = "cpu") -> list[Tensor]:
        """The graph as `torch.ops.geniepath.*` take it on `device`: copies, the same ones in every call."""
        self.check_made()
        return super().tensors(str(_place(device)))

    @property
    def num_nodes(self) -> int:
        self.check_made()
        return super().num_nodes

    @property
    def num_edges(self) -> int:
        self.check_made()
        return super().num_edges

    @property
    def edge_index(self) -> Tensor:
        """[2, E], by target and then by source."""
        self.check_made()
        offset, source = self._tensors[:2]
        nodes = torch.arange(offset.numel() - 1, device=offset.device)
        target = nodes.repeat_interleave(offset.diff(), output_size=source.numel())
        return torch.stack([source.long(), target])

    @property
    def _is_made(self) -> bool:
        """False of a graph that was refused, or made by __new__ alone: it has nothing for the library to read."""
        return "_tensors" in self.__dict__

    def check_made(self) -> None:
        if not self._is_made:
            raise _core.Error("graph is a Graph that was never made, expected one of Graph(edge_index)")

    def __repr__(self) -> str:
        return super().__repr__() if self._is_made else "Graph()"

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, _: Any) -> Graph:
        return self

    def __getstate__(self) -> list[Tensor]:
        self.check_made()
        return self._own_tensors()[:2]

    def __setstate__(self, state: list[Tensor]) -> None:
        self._begin(*state, False, "keep", False)
