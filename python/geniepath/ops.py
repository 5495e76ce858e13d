"""Fused, differentiable operations on float32 tensors, on the CPU or a GPU; float64 for checking, on the CPU.

N nodes, E edges, K columns. Operations over edges take a `Graph`, made once. A bad argument is a `geniepath.Error` that
names it. None has a second derivative, and asking for one is an error.

The same operations are registered as `torch.ops.geniepath.*`, where a graph is a list of tensors: `[edge_index]`, or
those of `Graph.tensors()`, on the CPU or on a GPU. These are what `torch.compile` and `torch.jit.trace` see of the
functions here.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import _core
from ._core import Error
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


_HAS_COMPILER = hasattr(torch, "compiler")  # PyTorch 2


def is_compiling() -> bool:
    """Whether torch.compile or torch.jit.trace records the caller: they see registered operators alone."""
    return (_HAS_COMPILER and torch.compiler.is_compiling()) or torch.jit.is_tracing()


_EXPECTED: dict[str, tuple[type | tuple[type, ...], str]] = {
    "graph": (_core.Graph, "a geniepath.Graph"),
    "precision": (str, "a text"),
    "rate": ((int, float), "a number"),
    "negative_slope": ((int, float), "a number"),
    "dropout": ((int, float), "a number"),
    "key": (int, "a whole number"),
    "tanh": (bool, "a truth value"),
    "skip_self": (bool, "a truth value"),
}
_OPTIONAL = ("bias", "mu", "memory", "destination_scale", "source_scale")


def _call(name: str, **arguments: Any) -> Any:
    """An operation of the library; an Error names an argument that is of another type."""
    graph = arguments.get("graph")
    if isinstance(graph, Graph):
        graph.check_made()
    try:
        return getattr(_core, name)(**arguments)
    except TypeError:
        for argument, value in arguments.items():
            kind, words = _EXPECTED.get(argument, (Tensor, "a tensor"))
            if not isinstance(value, kind) and not (value is None and argument in _OPTIONAL):
                raise Error(f"{name}: {argument} is a {type(value).__name__}, expected {words}") from None
            if isinstance(value, int) and argument == "key" and not 0 <= value < 2**64:
                raise Error(f"{name}: key is {value}, expected 0 to below 2^64") from None
        raise


def edge_attention(graph: Graph, ab: Tensor, h: Tensor, v: Tensor, precision: str = "f32") -> Tensor:
    """sum_j alpha_ij h[j] [N, K], alpha_i = softmax_j v . tanh(a[i] + b[j]); ab [N, 2K], h [N, K], v [K]."""
    if is_compiling():
        return _registered.edge_attention(ab, h, v, graph._tensors, precision)
    return _call("edge_attention", graph=graph, ab=ab, h=h, v=v, precision=precision)


def edge_attention_weights(graph: Graph, ab: Tensor, v: Tensor) -> Tensor:
    """The alpha of `edge_attention` [E], by `graph.edge_index`. Not differentiable."""
    if is_compiling():
        return _registered.edge_attention_weights(ab, v, graph._tensors)
    return _call("edge_attention_weights", graph=graph, ab=ab, v=v)


def projected_attention(graph: Graph, h: Tensor, w: Tensor, v: Tensor, precision: str = "f32") -> Tensor:
    """`edge_attention(graph, h @ w, h, v)`, fused; w [K, 2K]."""
    if is_compiling():
        return _registered.projected_attention(h, w, v, graph._tensors, precision)
    return _call("projected_attention", graph=graph, h=h, w=w, v=v, precision=precision)


def linear(x: Tensor, w: Tensor, bias: Tensor | None = None, tanh: bool = False, precision: str = "f32") -> Tensor:
    """x w + bias, squashed by tanh if asked; x [N, P], w [P, K], bias [K]."""
    if is_compiling():
        return _registered.linear(x, w, bias, tanh, precision)
    return _call("linear", x=x, w=w, bias=bias, tanh=tanh, precision=precision)


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
    return _call("gated_memory", x=x, w=w, mu=mu, bias=bias, memory=memory, precision=precision)


def dropout(x: Tensor, rate: float, key: int | Tensor) -> Tensor:
    """Zeroes elements with probability `rate`, divides the others by 1 - rate; key, also int64 [1], decides which."""
    if is_compiling():
        return _registered.dropout(x, rate, key if isinstance(key, Tensor) else torch.tensor([key]))
    return _call("dropout", x=x, rate=rate, key=key.item() if isinstance(key, Tensor) and key.numel() == 1 else key)


def tanh(x: Tensor) -> Tensor:
    """tanh of each element of a matrix; the bits do not depend on the number of threads."""
    return _registered.tanh(x) if is_compiling() else _call("tanh", x=x)


def sigmoid(x: Tensor) -> Tensor:
    """sigmoid of each element of a matrix; the bits do not depend on the number of threads."""
    return 0.5 * tanh(0.5 * x) + 0.5 if is_compiling() else _call("sigmoid", x=x)


def neighbour_sum(
    graph: Graph, h: Tensor, destination_scale: Tensor | None = None, source_scale: Tensor | None = None
) -> Tensor:
    """destination_scale[i] sum_j source_scale[j] h[j] over the edges (i <- j); scales [N] are constants."""
    if is_compiling():
        return _registered.neighbour_sum(h, graph._tensors, destination_scale, source_scale)
    return _call("neighbour_sum", graph=graph, h=h, destination_scale=destination_scale, source_scale=source_scale)


def neighbour_max(graph: Graph, h: Tensor, skip_self: bool = False) -> Tensor:
    """max_j h[j] over the edges (i <- j), 0 without any; skip_self leaves out i itself."""
    if is_compiling():
        return _registered.neighbour_max(h, graph._tensors, skip_self)
    return _call("neighbour_max", graph=graph, h=h, skip_self=skip_self)


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
    return _call("gat_attention",
                 graph=graph,
                 dst=dst,
                 src=src,
                 h=h,
                 negative_slope=negative_slope,
                 dropout=dropout,
                 key=key)
