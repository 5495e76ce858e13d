"""Depth: which hops matter."""

from __future__ import annotations

import torch
from torch import Tensor

from .. import ops
from .._core import Error
from ._module import Layer, check_choice, check_features, check_size

KINDS = ("lstm", "gru", "identity")


class GatedDepth(Layer):
    """The adaptive depth function: filters hops through a memory per node.

        lstm (the paper's):  i, f, o = sigmoid(W_i' z), sigmoid(W_f' z), sigmoid(W_o' z)
                             C' = f * C + i * tanh(W_c' z)     out = o * tanh(C')
        gru:                 u = sigmoid(W_u' z)
                             C' = u * C + (1 - u) * tanh(W_c' z)     out = C'
        identity:            out = x

    z is x, or CONCAT(x, mu) with `with_mu`, as in GeniePath-lazy.
    """

    w_i: Tensor
    w_f: Tensor
    w_o: Tensor
    w_c: Tensor
    w_u: Tensor
    b: Tensor | None
    b_u: Tensor | None
    b_c: Tensor | None

    def __init__(
        self, channels: int, *, kind: str = "lstm", with_mu: bool = False, bias: bool = False, precision: str = "f32"
    ) -> None:
        super().__init__(precision)
        check_size("channels", channels)
        check_choice("kind", kind, KINDS)
        self.channels, self.kind, self.with_mu = channels, kind, with_mu
        inputs = 2 * channels if with_mu else channels
        for gate in {"lstm": "ifoc", "gru": "uc", "identity": ""}[kind]:
            self.add(f"w_{gate}", inputs, channels)
        self.add("b", 4 * channels, when=bias and kind == "lstm")
        self.add("b_u", channels, when=bias and kind == "gru")
        self.add("b_c", channels, when=bias and kind == "gru")
        self.reset_parameters()

    def forward(
        self, x: Tensor, memory: Tensor | None = None, mu: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """[N, K] -> (out, memory'), both [N, K]; without a memory, it begins with zeros."""
        check_features("x", x, self.channels)
        if self.with_mu != (mu is not None):
            raise Error(f"mu was {'not ' if mu is None else ''}given, but with_mu is {self.with_mu}")
        memory, mu = self._like(x, "memory", memory), self._like(x, "mu", mu)
        x, precision = self.cast(x)
        if self.kind == "identity":
            return x, memory
        if self.kind == "lstm":
            w = torch.cat([self.w_i, self.w_f, self.w_o, self.w_c], 1)
            return ops.gated_memory(x, w, mu, self.b, memory, precision)
        z = x if mu is None else torch.cat([x, mu], 1)
        update = ops.sigmoid(ops.linear(z, self.w_u, self.b_u, precision=precision))
        candidate = ops.linear(z, self.w_c, self.b_c, tanh=True, precision=precision)
        added = (1 - update) * candidate
        memory = added if memory is None else update * memory + added
        return memory, memory

    def _like(self, x: Tensor, what: str, given: Tensor | None) -> Tensor | None:
        """`given` if it is of x's shape, cast as x is."""
        if given is None:
            return None
        check_features(what, given, self.channels, rows=x.size(0))
        return self.cast(given, what)[0]

    def extra_repr(self) -> str:
        return f"{self.channels}, kind={self.kind}, with_mu={self.with_mu}"
