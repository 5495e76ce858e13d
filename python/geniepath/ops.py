"""Fused, differentiable operations on float32 tensors, on the CPU or a GPU; float64 for checking, on the CPU.

N nodes, E edges, K columns. Operations over edges take a `Graph`, made once. A bad argument is a `geniepath.Error` that
names it. None has a second derivative, and asking for one is an error.

The same operations are registered as `torch.ops.geniepath.*`, where a graph is a list of tensors: `[edge_index]`, or the
five of `Graph.tensors()`. Those are what `torch.compile` sees of the functions here.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import _core
from .graph import Graph

__all__ = [
    "dropout",
    "edge_attention",
    "edge_attention_weights",
    "gat_attention",
    "gated_memory",
    "linear",
    "neighbour_max",
    "neighbour_sum",
    "projected_attention",
    "sigmoid",
    "tanh",
]

_registered: Any = torch.ops.geniepath


def _never() -> bool:
    return False


# Whether torch.compile traces the caller; PyTorch 1 has none.
is_compiling = torch.compiler.is_compiling if hasattr(torch, "compiler") else _never


def edge_attention(graph: Graph, ab: Tensor, h: Tensor, v: Tensor, precision: str = "f32") -> Tensor:
    """sum_j alpha_ij h[j] [N, K], alpha_i = softmax_j v . tanh(a[i] + b[j]); ab [N, 2K], h [N, K], v [K]."""
    if is_compiling():
        return _registered.edge_attention(ab, h, v, graph._tensors, precision)
    return _core.edge_attention(graph, ab, h, v, precision)


def edge_attention_weights(graph: Graph, ab: Tensor, v: Tensor) -> Tensor:
    """The alpha of `edge_attention` [E], by `graph.edge_index`. Not differentiable."""
    if is_compiling():
        return _registered.edge_attention_weights(ab, v, graph._tensors)
    return _core.edge_attention_weights(graph, ab, v)


def projected_attention(graph: Graph, h: Tensor, w: Tensor, v: Tensor, precision: str = "f32") -> Tensor:
    """`edge_attention(graph, h @ w, h, v)`, fused; w [K, 2K]."""
    if is_compiling():
        return _registered.projected_attention(h, w, v, graph._tensors, precision)
    return _core.projected_attention(graph, h, w, v, precision)


def linear(x: Tensor, w: Tensor, bias: Tensor | None = None, tanh: bool = False, precision: str = "f32") -> Tensor:
    """x w + bias, squashed by tanh if asked; x [N, P], w [P, K], bias [K]."""
    if is_compiling():
        return _registered.linear(x, w, bias, tanh, precision)
    return _core.linear(x, w, bias, tanh, precision)


def gated_memory(
    x: Tensor,
    w: Tensor,
    mu: Tensor | None = None,
    bias: Tensor | None = None,
    memory: Tensor | None = None,
    precision: str = "f32",
) -> tuple[Tensor, Tensor]:
    """The paper's gates: (out, memory'), both [N, K]; w [K, 4K], columns i f o c, or [2K, 4K] with mu."""
    if is_compiling():
        return _registered.gated_memory(x, mu, w, bias, memory, precision)
    return _core.gated_memory(x, w, mu, bias, memory, precision)


def dropout(x: Tensor, rate: float, key: int | Tensor) -> Tensor:
    """Zeroes elements with probability `rate`, divides the others by 1 - rate; key, also int64 [1], decides which."""
    if is_compiling():
        return _registered.dropout(x, rate, key if isinstance(key, Tensor) else torch.tensor([key]))
    return _core.dropout(x, rate, int(key))


def tanh(x: Tensor) -> Tensor:
    """Of a matrix; the bits do not depend on the number of threads."""
    return _registered.tanh(x) if is_compiling() else _core.tanh(x)


def sigmoid(x: Tensor) -> Tensor:
    """Of a matrix; the bits do not depend on the number of threads."""
    return 0.5 * tanh(0.5 * x) + 0.5 if is_compiling() else _core.sigmoid(x)


def neighbour_sum(
    graph: Graph, h: Tensor, destination_scale: Tensor | None = None, source_scale: Tensor | None = None
) -> Tensor:
    """destination_scale[i] sum_j source_scale[j] h[j] over the edges (i <- j); scales [N] are constants."""
    if is_compiling():
        return _registered.neighbour_sum(h, graph._tensors, destination_scale, source_scale)
    return _core.neighbour_sum(graph, h, destination_scale, source_scale)


def neighbour_max(graph: Graph, h: Tensor, skip_self: bool = False) -> Tensor:
    """max_j h[j] over the edges (i <- j), 0 without any; skip_self leaves out i itself."""
    if is_compiling():
        return _registered.neighbour_max(h, graph._tensors, skip_self)
    return _core.neighbour_max(graph, h, skip_self)


def gat_attention(
    graph: Graph,
    dst: Tensor,
    src: Tensor,
    h: Tensor,
    negative_slope: float = 0.2,
    dropout: float = 0.0,
    key: int = 0,
) -> Tensor:
    """sum_j alpha_ij h[j], alpha_i = softmax_j LeakyReLU(dst[i] + src[j]) per head of H; dst, src [N, H], h [N, H W]."""
    if is_compiling():
        return _registered.gat_attention(dst, src, h, graph._tensors, negative_slope, dropout, key)
    return _core.gat_attention(graph, dst, src, h, negative_slope, dropout, key)
