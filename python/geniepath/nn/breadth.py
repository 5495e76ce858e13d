"""Breadth: which of a node's neighbours matter."""

from __future__ import annotations

import sys
from typing import Any, Collection

import torch
from torch import Tensor

from .. import ops
from .._core import Error
from ._graphs import as_graph
from ._module import Layer, check_choice, check_features, check_size, known_sizes

RESIDUALS = ("none", "hop", "input")


class GeniePathConv(Layer):
    """The adaptive breadth function (paper, eq. "attention_layer" and "att-mech"), in place of `GATv2Conv`:

        out_i = tanh(W' sum_{j in N(i) + {i}} alpha(x_i, x_j) x_j)
        alpha(x, y) = softmax_y(v' tanh(W_s' x + W_d' y))

    in_channels: columns of x; -1: those of the first input. out_channels: by default as many.
    residual: "hop" adds x outside the tanh; "input" adds `h_0`, given to forward, inside.
    tied: W_s = W_d. layer_norm: attention reads normalised rows, of mean 0 and variance 1.
    precision: of operands, "f32", "tf32" (GPU) or "bf16"; bf16 under autocast.
    """

    w_s: Tensor
    w_d: Tensor
    v: Tensor
    w: Tensor
    b: Tensor | None

    def __init__(
        self,
        in_channels: int,
        out_channels: int | None = None,
        *,
        residual: str = "none",
        tied: bool = False,
        bias: bool = False,
        layer_norm: bool = False,
        precision: str = "f32",
    ) -> None:
        super().__init__(precision)
        check_choice("residual", residual, RESIDUALS)
        if in_channels != -1:
            check_size("in_channels", in_channels)
        width = in_channels if out_channels is None else out_channels
        if width != -1 or in_channels != -1:
            check_size("out_channels", width)
        if residual == "hop" and width != in_channels:
            raise Error(f"residual hop adds {in_channels} columns of x to {width}: expected as many out_channels")
        self.in_channels, self.out_channels = in_channels, width
        self.residual, self.tied, self.layer_norm = residual, tied, layer_norm
        self.add("w_s", in_channels, in_channels)
        if not tied:
            self.add("w_d", in_channels, in_channels)
        self.add("v", in_channels)
        self.add("w", in_channels, width)
        self.add("b", width, when=bias)
        self.explained = _attention_weights()
        self.reset_parameters()

    def forward(
        self,
        x: Tensor | tuple[Tensor, Tensor],
        edge_index: Any,
        *,
        h_0: Tensor | None = None,
        return_attention_weights: bool = False,
    ) -> Any:
        """[N, in_channels] -> [N, out_channels]; with attention also `(edge_index, alpha)`, self-loops included.

        `(x_src, x_dst)`: sources and targets of different nodes; a target attends to its sources and itself.
        """
        if isinstance(x, tuple):
            if len(x) != 2:
                raise Error(f"x is a tuple of {len(x)}, expected (x_src, x_dst)")
            check_features("x[0]", x[0], -1)
        source, target = x if isinstance(x, tuple) else (None, x)
        check_features("x" if source is None else "x[1]", target, self.in_channels)
        if self.in_channels == -1:
            self.complete(target.size(1))
        if source is None:
            graph = as_graph(edge_index, target.size(0))
            read = target
        else:
            check_features("x[0]", source, target.size(1))
            graph = as_graph(edge_index, source.size(0), target.size(0))
            read = torch.cat([target, source])
        read, precision = self.cast(read)
        target = read[: target.size(0)] if source is not None else read
        h = torch.nn.functional.layer_norm(read, read.shape[1:]) if self.layer_norm else read
        w = torch.cat([self.w_s, self.w_s if self.tied else self.w_d], 1)
        agg = ops.projected_attention(graph, h, w, self.v, precision)
        out = self._squash(agg[: target.size(0)] if source is not None else agg, target, h_0, precision)
        is_read = self._is_read()
        if not return_attention_weights and not is_read:
            return out
        alpha = ops.edge_attention_weights(graph, ops.linear(h, w, precision=precision), self.v)
        listed = _listed(graph.edge_index.to(alpha.device), alpha, target.size(0) if source is not None else None)
        if is_read:
            size = (target.size(0) if source is None else source.size(0), target.size(0))
            self.explained(*_as_given(edge_index, *listed, size), size)
        return (out, listed) if return_attention_weights else out

    def _is_read(self) -> bool:
        """Whether one of PyG's explainers reads the attention weights."""
        if self.explained is None:
            return False
        if self.explained.is_masked:
            raise Error(
                "GeniePathConv: an explainer of PyG has set an edge mask, which fused attention cannot apply; "
                "expected AttentionExplainer, or geniepath's own run.explain"
            )
        return bool(self.explained.is_read)

    def complete(self, width: int, loaded: Collection[str] = ()) -> None:
        super().complete(width, loaded)
        self.in_channels, self.out_channels = known_sizes((self.in_channels, self.out_channels), width)

    def _squash(self, agg: Tensor, h: Tensor, h_0: Tensor | None, precision: str) -> Tensor:
        if self.residual == "input":
            if h_0 is None:
                raise Error("residual input adds h_0, which was not given")
            check_features("h_0", h_0, self.out_channels, rows=agg.size(0))
            return ops.tanh(ops.linear(agg, self.w, self.b, precision=precision) + self.cast(h_0, "h_0")[0])
        out = ops.linear(agg, self.w, self.b, tanh=True, precision=precision)
        return out + h if self.residual == "hop" else out

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}, residual={self.residual}, tied={self.tied}"


def _listed(edge_index: Tensor, alpha: Tensor, num_targets: int | None) -> tuple[Tensor, Tensor]:
    """Edges and their alpha [E, 1] as PyG returns them; of a union, those between sources and targets alone."""
    if num_targets is not None:
        between = edge_index[0] >= num_targets
        edge_index, alpha = edge_index[:, between], alpha[between]
        edge_index = torch.stack([edge_index[0] - num_targets, edge_index[1]])
    return edge_index, alpha.unsqueeze(1)


def _as_given(
    edge_index: Any, listed: Tensor, alpha: Tensor, size: tuple[int, int]
) -> tuple[Tensor, Tensor]:
    """Edges and their alpha in the order of the caller's edge_index, where that is one; parallel edges share theirs."""
    if not isinstance(edge_index, Tensor) or edge_index.layout != torch.strided:
        return listed, alpha
    keys, given = (ends[1] * size[0] + ends[0] for ends in (listed, edge_index.long()))
    return edge_index, alpha[torch.searchsorted(keys, given)]  # keys ascend: by target and then by source


def _attention_weights() -> Any:
    """The child that PyG's explainers read; None where PyG is not in use."""
    if "torch_geometric" not in sys.modules:
        return None
    from ._pyg import AttentionWeights

    return AttentionWeights()
