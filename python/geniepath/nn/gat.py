"""Attention as in GAT, which popular code by the name of GeniePath uses in place of the paper's."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .. import ops
from ._graphs import as_graph
from ._module import Layer, check_features, check_rate, check_size


class GATConv(Layer):
    """PyG's `GATConv` on the fused operation, no E x K array (Velickovic et al. 2018):

        out_i = sum_{j in N(i) + {i}} alpha_ij W' x_j + b        alpha_i = softmax_j LeakyReLU(a_dst' W' x_i + a_src' W' x_j)

    per head of `heads`; the heads side by side, or their mean without `concat`. dropout: of alpha, while training.
    """

    w: Tensor
    a_src: Tensor
    a_dst: Tensor
    b: Tensor | None

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        heads: int = 1,
        *,
        concat: bool = True,
        negative_slope: float = 0.2,
        dropout: float = 0.0,
        bias: bool = True,
        precision: str = "f32",
    ) -> None:
        super().__init__(precision)
        for name, size in (("in_channels", in_channels), ("out_channels", out_channels), ("heads", heads)):
            check_size(name, size)
        check_rate("dropout", dropout)
        self.in_channels, self.out_channels, self.heads, self.concat = in_channels, out_channels, heads, concat
        self.negative_slope, self.dropout = negative_slope, dropout
        self.add("w", in_channels, heads * out_channels)
        self.add("a_src", heads, out_channels)
        self.add("a_dst", heads, out_channels)
        self.add("b", heads * out_channels if concat else out_channels, when=bias)
        self.reset_parameters()

    def forward(self, x: Tensor, edge_index: Any) -> Tensor:
        """[N, in_channels] -> [N, heads * out_channels], or [N, out_channels] without `concat`."""
        check_features("x", x, self.in_channels)
        graph = as_graph(edge_index, x.size(0))
        x, precision = self.cast(x)
        h = ops.linear(x, self.w, precision=precision)
        by_head = h.view(-1, self.heads, self.out_channels)
        src, dst = ((by_head * a).sum(-1) for a in (self.a_src, self.a_dst))
        rate = self.dropout if self.training else 0.0
        key = int(torch.randint(2**62, (1,))) if rate > 0 else 0
        out = ops.gat_attention(graph, dst, src, h, self.negative_slope, rate, key)
        if not self.concat:
            out = out.view(-1, self.heads, self.out_channels).mean(1)
        return out if self.b is None else out + self.b

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}, heads={self.heads}"
