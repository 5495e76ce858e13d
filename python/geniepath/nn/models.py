"""The paper's two models, with the parameters of the program's runs."""

from __future__ import annotations

from typing import Any, Collection

import torch
from torch import Tensor

from .. import ops
from ..ops import is_compiling
from ._graphs import as_graph
from ._module import Layer, check_features, check_rate, check_size
from ._sparse import SparseRows, is_sparse, sparse_rows
from .breadth import GeniePathConv
from .depth import GatedDepth


class InputLayer(Layer):
    """h^(0) = W_x' x."""

    w_x: Tensor
    b_x: Tensor | None

    def __init__(self, in_channels: int, channels: int, bias: bool, precision: str) -> None:
        super().__init__(precision)
        self.in_channels, self.channels = in_channels, channels
        self.add("w_x", in_channels, channels)
        self.add("b_x", channels, when=bias)
        self.reset_parameters()

    def complete(self, width: int, loaded: Collection[str] = ()) -> None:
        super().complete(width, loaded)
        self.in_channels = width

    def forward(self, x: Tensor | SparseRows) -> Tensor:
        if self.in_channels == -1:
            self.complete(x.size(1))
        if isinstance(x, SparseRows):
            h = x.with_value(self.cast(x.value)[0]).times(self.w_x)
            return h if self.b_x is None else h + self.b_x
        x, precision = self.cast(x)
        return ops.linear(x, self.w_x, self.b_x, precision=precision)


class PathModel(Layer):
    """Shared parts of both models: options, the input and output layers, dropout.

    in_channels: columns of x, dense or sparse; -1: those of the first input. hidden_channels: the width K. num_layers: the
    depth T. out_channels: columns of the scores; None: the model returns its representation [N, K].
    The other options are those of `geniepath train`: residual ("none", "hop", "input"), depth_function ("lstm", "gru",
    "identity"), tied, bias, output_bias, layer_norm, dropout, input_dropout and precision ("f32", "tf32", "bf16").
    """

    w_y: Tensor
    b_y: Tensor | None

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        num_layers: int,
        out_channels: int | None = None,
        *,
        residual: str = "none",
        depth_function: str = "lstm",
        tied: bool = False,
        bias: bool = False,
        output_bias: bool = True,
        layer_norm: bool = False,
        dropout: float = 0.0,
        input_dropout: float = 0.0,
        precision: str = "f32",
    ) -> None:
        super().__init__(precision)
        if in_channels != -1:
            check_size("in_channels", in_channels)
        check_size("hidden_channels", hidden_channels)
        check_size("num_layers", num_layers)
        check_rate("dropout", dropout)
        check_rate("input_dropout", input_dropout)
        self.hidden_channels, self.num_layers = hidden_channels, num_layers
        self.out_channels = out_channels
        self.dropout, self.input_dropout = dropout, input_dropout
        self._depth_options: dict[str, Any] = {"kind": depth_function, "bias": bias, "precision": precision}
        self.input = InputLayer(in_channels, hidden_channels, bias, precision)
        for t in range(num_layers):
            self.add_module(
                f"breadth_{t}",
                GeniePathConv(
                    hidden_channels,
                    residual=residual,
                    tied=tied,
                    bias=bias,
                    layer_norm=layer_norm,
                    precision=precision,
                ),
            )
        if out_channels is not None:
            check_size("out_channels", out_channels)
            self.add("w_y", hidden_channels, out_channels)
            self.add("b_y", out_channels, when=bias or output_bias)
        Layer.reset_parameters(self)

    @property
    def in_channels(self) -> int:
        return self.input.in_channels

    def forward(self, x: Tensor, edge_index: Any) -> Tensor:
        """Scores [N, out_channels] before softmax or sigmoid, or the representation [N, K]."""
        h = self.embed(x, edge_index)
        if self.out_channels is None:
            return h
        h, precision = self.cast(h)
        return ops.linear(h, self.w_y, self.b_y, precision=precision)

    def embed(self, x: Tensor, edge_index: Any) -> Tensor:
        """Representations, the output layer's input: [N, K]. x may be sparse, in coordinates or compressed rows."""
        check_features("x", x, self.in_channels, sparse=True)
        # As given, so that a layer can list attention by the caller's edges; its graph is made once.
        graph = edge_index if isinstance(edge_index, Tensor) else as_graph(edge_index, x.size(0))
        return self.represent(self.input(self._dropped_input(x)), graph)

    def _dropped_input(self, x: Tensor) -> Tensor | SparseRows:
        if not is_sparse(x):
            return self.drop(x, self.input_dropout)
        rows = sparse_rows(x)
        return rows.with_value(self.drop(rows.value.unsqueeze(1), self.input_dropout).squeeze(1))

    def represent(self, h_0: Tensor, graph: Any) -> Tensor:
        raise NotImplementedError

    def drop(self, x: Tensor, rate: float) -> Tensor:
        """Dropout while training; its key comes from PyTorch's generator."""
        if not self.training or rate == 0:
            return x
        # Where a CUDA graph is recorded, nothing may wait for the CPU; elsewhere nothing need wait for the GPU.
        device = x.device if is_compiling() else None
        return ops.dropout(self.cast(x)[0], rate, torch.randint(2**62, (1,), device=device))

    def breadth(self, t: int) -> GeniePathConv:
        layer: GeniePathConv = self.get_submodule(f"breadth_{t}")
        return layer

    def depth(self, t: int) -> GatedDepth:
        layer: GatedDepth = self.get_submodule(f"depth_{t}")
        return layer

    def reset_parameters(self) -> None:
        """Draws all weights again."""
        super().reset_parameters()
        for child in self.children():
            if isinstance(child, Layer):
                child.reset_parameters()


class GeniePath(PathModel):
    """GeniePath: T adaptive path layers, each a breadth and a depth function (paper, algorithm 1)."""

    def __init__(
        self, in_channels: int, hidden_channels: int, num_layers: int, out_channels: int | None = None, **options: Any
    ) -> None:
        super().__init__(in_channels, hidden_channels, num_layers, out_channels, **options)
        for t in range(num_layers):
            self.add_module(f"depth_{t}", GatedDepth(hidden_channels, **self._depth_options))

    def represent(self, h_0: Tensor, graph: Any) -> Tensor:
        h_0 = h = self.drop(h_0, self.dropout)
        memory = None
        for t in range(self.num_layers):
            h, memory = self.depth(t)(self.breadth(t)(h, graph, h_0=h_0), memory)
            h = self.drop(h, self.dropout)
        return h


class GeniePathLazy(PathModel):
    """GeniePath-lazy: T stacked breadth functions, then depth functions over the results of all hops.

    h^(t+1) = breadth_t(h^(t))     mu^(t+1) = depth_t(CONCAT(h^(t), mu^(t))), from t = lazy_start (0 or 1)
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        num_layers: int,
        out_channels: int | None = None,
        *,
        lazy_start: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(in_channels, hidden_channels, num_layers, out_channels, **options)
        check_size("lazy_start", lazy_start, 0, 1)
        self.lazy_start = lazy_start
        for t in range(lazy_start, num_layers + 1):
            self.add_module(f"depth_{t}", GatedDepth(hidden_channels, with_mu=True, **self._depth_options))

    def represent(self, h_0: Tensor, graph: Any) -> Tensor:
        h = [self.drop(h_0, self.dropout)]
        for t in range(self.num_layers):
            h.append(self.drop(self.breadth(t)(h[t], graph, h_0=h[0]), self.dropout))
        mu, memory = h[0], None
        for t in range(self.lazy_start, len(h)):
            mu, memory = self.depth(t)(h[t], memory, mu)
        return self.drop(mu, self.dropout)
