"""Graphs of layers: whatever PyG passes as `edge_index`, converted once per tensor."""

from __future__ import annotations

import weakref
from typing import Any

import torch
from torch import Tensor

from .._core import Error
from ..graph import Graph, check_integers
from ..ops import is_compiling
from ._module import check_size

MOST_NODES = 2**31 - 2  # of a graph

# Graphs of edge_index tensors in use, by id: (tensor, its state, number of nodes, graph).
_made: dict[tuple[int, int], tuple[weakref.ref[Tensor], tuple[Any, ...], int, Graph]] = {}


class TracedEdges:
    """The graph of an `edge_index` in a compiled function: operators convert it when the function runs."""

    def __init__(self, edge_index: Tensor) -> None:
        self._tensors = [edge_index]

    @property
    def edge_index(self) -> Tensor:
        raise Error(
            "return_attention_weights: in a compiled function the graph must be a geniepath.Graph, whose edges are known"
        )


def union_graph(edge_index: Tensor, num_sources: int, num_targets: int) -> Graph:
    """The graph of a layer's input `(x_src, x_dst)`: targets, each attending to itself, then sources.

    The ids of sources and targets in `edge_index` [2, E] are unrelated.
    """
    check_size("union_graph: num_sources", num_sources, 0, MOST_NODES)
    check_size("union_graph: num_targets", num_targets, 0, MOST_NODES - num_sources)
    check_integers("union_graph: edge_index", edge_index, "[2, E]")
    if edge_index.dim() != 2 or edge_index.size(0) != 2:
        raise Error(f"union_graph: edge_index has shape {list(edge_index.shape)}, expected [2, E]")
    edges = edge_index.cpu().long()  # ids of the union may not fit into narrower ones
    for row, name, size in ((0, "source", num_sources), (1, "target", num_targets)):
        ids = edges[row]
        if ids.numel() > 0 and (int(ids.min()) < 0 or int(ids.max()) >= size):
            raise Error(f"union_graph: edge_index has a {name} outside 0 to below {size}")
    loops = torch.arange(num_targets).repeat(2, 1)
    shifted = torch.stack([edges[0] + num_targets, edges[1]])
    return Graph(torch.cat([loops, shifted], 1), num_sources + num_targets, self_loops="keep")


def as_graph(edges: Any, num_nodes: int, num_targets: int = -1) -> Any:
    """The graph of `num_nodes` nodes, or the union with `num_targets` targets, kept for as long as the tensor lives."""
    if isinstance(edges, Graph):
        return edges
    if is_compiling():
        return _traced(edges, num_nodes, num_targets)
    if not isinstance(edges, Tensor):
        return _from_sparse(edges, num_nodes, num_targets)
    if edges.is_inference():  # has no version, by which a change would show
        return _converted(edges, num_nodes, num_targets)
    key = (id(edges), num_targets)
    known = _made.get(key)
    state = _state(edges)
    if known is not None and known[0]() is edges and known[1:3] == (state, num_nodes):
        return known[3]
    graph = _converted(edges, num_nodes, num_targets)
    gone = weakref.ref(edges, lambda _: _made.pop(key, None))
    _made[key] = (gone, state, num_nodes, graph)
    return graph


def _state(edges: Tensor) -> tuple[Any, ...]:
    """What changes when the tensor does; resize_ and `edges.data = other` leave its version as it is."""
    if edges.layout != torch.strided:
        return (edges._version,)
    return edges._version, edges.data_ptr(), edges.shape, edges.stride()


def _converted(edges: Tensor, num_nodes: int, num_targets: int) -> Graph:
    if edges.layout == torch.sparse_csr:
        return _from_rows(edges.crow_indices(), edges.col_indices(), list(edges.shape), num_nodes, num_targets)
    return Graph(edges, num_nodes) if num_targets < 0 else union_graph(edges, num_nodes, num_targets)


def _from_rows(offset: Tensor, source: Tensor, shape: list[int], num_nodes: int, num_targets: int) -> Graph:
    """From rows of targets (`adj_t`)."""
    if num_targets < 0:
        return Graph.from_csr(offset, source)
    if shape != [num_targets, num_nodes]:
        raise Error(
            f"edge_index has shape {shape}, expected {[num_targets, num_nodes]}: a row per target, a column per source")
    offset = offset.cpu()
    target = torch.arange(num_targets).repeat_interleave(offset.diff())
    return union_graph(torch.stack([source.cpu().long(), target]), num_nodes, num_targets)


def _traced(edges: Any, num_nodes: int, num_targets: int) -> TracedEdges:
    if not isinstance(edges, Tensor) or edges.layout != torch.strided:
        raise Error(f"edge_index is a {type(edges).__name__}; a compiled function takes a tensor [2, E] or a Graph")
    if num_targets < 0:
        return TracedEdges(edges)
    edges = edges.long()
    # An id outside its side stays outside both, where the operator finds it.
    source = torch.where(edges[0] < 0, edges[0], edges[0] + num_targets)
    target = torch.where(edges[1] < num_targets, edges[1], edges[1] + num_nodes)
    return TracedEdges(torch.stack([source, target]))


def _from_sparse(edges: Any, num_nodes: int, num_targets: int) -> Graph:
    """From torch_sparse's SparseTensor, whose rows are targets."""
    if not hasattr(edges, "csr"):
        raise Error(f"edge_index is a {type(edges).__name__}, expected a tensor [2, E], a sparse adj_t or a Graph")
    offset, source, _ = edges.csr()
    shape = [offset.numel() - 1, num_nodes] if num_targets < 0 else list(edges.sparse_sizes())
    return _from_rows(offset, source, shape, num_nodes, num_targets)
