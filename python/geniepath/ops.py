"""Fused, differentiable operations on float32 tensors, on the CPU or a GPU; float64 for checking, on the CPU.

N nodes, E edges, K columns. Operations over edges take a `Graph`, made once; the same operations as
`torch.ops.geniepath.*` take its `tensors()`, which they check at every call. A bad argument is a `geniepath.Error` that
names it. None has a second derivative, and asking for one is an error.
"""

from ._core import (
    dropout,
    edge_attention,
    edge_attention_weights,
    gat_attention,
    gated_memory,
    linear,
    neighbour_max,
    neighbour_sum,
    projected_attention,
    sigmoid,
    tanh,
)

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
