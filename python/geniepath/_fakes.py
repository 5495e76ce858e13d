"""Fake kernels of `torch.ops.geniepath.*`: the shapes of what they return, from which `torch.compile` plans.

NAME_forward returns what NAME does, then what NAME_backward reads again (src/ops/registered.h).
"""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor


def _per_edge(graph: list[Tensor], nodes: int) -> int:
    """Values per edge: a self-loop per node is added to an edge_index, and parallel edges are merged later."""
    return graph[0].size(1) + nodes if len(graph) == 1 else graph[1].numel()


def _empty(x: Tensor, *shape: int) -> Tensor:
    """An empty tensor in the dtype of the computation: operands of products in bf16 are converted already."""
    return x.new_empty(*shape, dtype=torch.float32 if x.dtype == torch.bfloat16 else x.dtype)


def operand(x: Tensor) -> Tensor:
    return x.new_empty(x.shape, dtype=torch.bfloat16 if x.dtype == torch.float32 else x.dtype)


def _attention(h: Tensor, v: Tensor, graph: list[Tensor], precision: str) -> tuple[Tensor, ...]:
    nodes, width = h.shape
    stored = torch.bfloat16 if precision == "bf16" and h.dtype == torch.float32 else h.dtype
    return (
        _empty(h, nodes, width),
        h.new_empty(nodes, 2 * width, dtype=stored),
        _empty(h, _per_edge(graph, nodes)),
        _empty(h, nodes if h.is_cuda else 0),
    )


def edge_attention(ab: Tensor, h: Tensor, v: Tensor, graph: list[Tensor], precision: str = "f32") -> tuple[Tensor, ...]:
    return _attention(h, v, graph, precision)


def projected_attention(
    h: Tensor, w: Tensor, v: Tensor, graph: list[Tensor], precision: str = "f32"
) -> tuple[Tensor, ...]:
    return _attention(h, v, graph, precision)


def edge_attention_weights(ab: Tensor, v: Tensor, graph: list[Tensor]) -> Tensor:
    return ab.new_empty(_per_edge(graph, ab.size(0)))


def linear(
    x: Tensor, w: Tensor, bias: Tensor | None = None, tanh: bool = False, precision: str = "f32"
) -> tuple[Tensor, ...]:
    return (_empty(x, x.size(0), w.size(1)),)


def gated_memory(
    x: Tensor,
    mu: Tensor | None,
    w: Tensor,
    bias: Tensor | None = None,
    memory: Tensor | None = None,
    precision: str = "f32",
) -> tuple[Tensor, ...]:
    gates = _empty(x, 0) if x.is_cuda else _empty(x, x.size(0), 4 * x.size(1))
    return _empty(x, *x.shape), _empty(x, *x.shape), gates


def dropout(x: Tensor, rate: float, key: Tensor) -> tuple[Tensor, ...]:
    return (x.new_empty(x.shape),)


def tanh(x: Tensor) -> tuple[Tensor, ...]:
    return (x.new_empty(x.shape),)


def neighbour_sum(
    h: Tensor, graph: list[Tensor], destination_scale: Tensor | None = None, source_scale: Tensor | None = None
) -> tuple[Tensor, ...]:
    return (h.new_empty(h.shape),)


def neighbour_max(h: Tensor, graph: list[Tensor], skip_self: bool = False) -> tuple[Tensor, ...]:
    return h.new_empty(h.shape), h.new_empty(h.shape, dtype=torch.int32)


def gat_attention(
    dst: Tensor,
    src: Tensor,
    h: Tensor,
    graph: list[Tensor],
    negative_slope: float = 0.2,
    dropout: float = 0.0,
    dropout_key: int = 0,
) -> tuple[Tensor, ...]:
    return h.new_empty(h.shape), dst.new_empty(dst.shape)


def sparse_linear(
    offset: Tensor,
    column: Tensor,
    value: Tensor,
    transposed_offset: Tensor,
    transposed_column: Tensor,
    transposed_value: Tensor,
    w: Tensor,
) -> tuple[Tensor, ...]:
    return (w.new_empty(offset.numel() - 1, w.size(1)),)


def backward(grads: list[Tensor], forward: list[Tensor], wanted: list[bool], *arguments: Any) -> list[Tensor]:
    """A gradient per floating-point argument; [0] where it is not wanted."""
    floating = [x for x in arguments if isinstance(x, Tensor) and x.is_floating_point()]
    return [_empty(x, *x.shape) if want else torch.empty(0) for x, want in zip(floating, wanted)]


def _results(forward: Callable[..., tuple[Tensor, ...]], count: int) -> Callable[..., Any]:
    """The first of what a forward pass returns."""
    if count == 1:
        return lambda *arguments, **named: forward(*arguments, **named)[0]
    return lambda *arguments, **named: forward(*arguments, **named)[:count]


# Operators by name, with how many tensors their forward pass returns, and how many of those they return.
OPERATORS: dict[Callable[..., tuple[Tensor, ...]], tuple[int, int]] = {
    dropout: (1, 1),
    edge_attention: (4, 1),
    gat_attention: (2, 1),
    gated_memory: (3, 2),
    linear: (1, 1),
    neighbour_max: (2, 1),
    neighbour_sum: (1, 1),
    projected_attention: (4, 1),
    sparse_linear: (1, 1),
    tanh: (1, 1),
}


def register() -> None:
    """Registers them where PyTorch has such kernels: 2.4 and later."""
    add = getattr(torch.library, "register_fake", None)
    if add is None:
        return
    for constant in (edge_attention_weights, operand):
        add(f"geniepath::{constant.__name__}", constant)
    for forward, (returned, results) in OPERATORS.items():
        name = f"geniepath::{forward.__name__}"
        add(name, _results(forward, results))
        add(f"{name}_forward", _results(forward, returned))
        add(f"{name}_backward", backward)
