"""Shared parts of the layers: parameters of sizes known at the first call, their draw, and autocast."""

from __future__ import annotations

import math
import numbers
from typing import Any, Collection

import torch
from torch import Tensor
from torch.nn.parameter import Parameter, UninitializedParameter, is_lazy

from .._core import Error
from ..graph import kind_name
from ..ops import is_compiling
from ._sparse import is_sparse

PRECISIONS = ("f32", "tf32", "bf16")
EXACT = (torch.float32, torch.float64)


class Layer(torch.nn.Module):
    """A module whose parameters are plain tensors, named as in the program's weights.

    A size of -1 stands for that of the first input, or of loaded weights.
    """

    def __init__(self, precision: str) -> None:
        super().__init__()
        check_choice("precision", precision, PRECISIONS)
        self.precision = precision
        self._unknown: dict[str, tuple[int, ...]] = {}  # sizes of parameters that wait for the first input, -1 for its
        self._register_load_state_dict_pre_hook(self._take_sizes)

    def add(self, name: str, *sizes: int, when: bool = True) -> None:
        """Registers a parameter of these sizes, or None for one that the layer does without."""
        made = UninitializedParameter() if -1 in sizes else Parameter(torch.empty(*sizes))
        self.register_parameter(name, made if when else None)
        if when and -1 in sizes:
            self._unknown[name] = sizes

    def complete(self, width: int, loaded: Collection[str] = ()) -> None:
        """Gives parameters that wait for the width of the input their sizes, and draws them but for loaded ones."""
        check_size("in_channels, the columns of x,", width)
        for name, sizes in self._unknown.items():
            parameter = self._parameters[name]
            if is_lazy(parameter):
                parameter.materialize(known_sizes(sizes, width))
                if name not in loaded:
                    draw(name, parameter)

    def reset_parameters(self) -> None:
        """Draws the weights by Xavier's rule; biases are 0."""
        for name, parameter in self._parameters.items():
            if parameter is not None and not is_lazy(parameter):
                draw(name, parameter)

    def _take_sizes(self, state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
        """Those of loaded weights, which must agree with each other and with the sizes that are known."""
        shapes = {
            name: tuple(state_dict[prefix + name].shape)
            for name in self._unknown
            if is_lazy(self._parameters[name]) and not is_lazy(state_dict.get(prefix + name, self._parameters[name]))
        }
        widths = [found for name in shapes for size, found in zip(self._unknown[name], shapes[name]) if size == -1]
        for name, shape in shapes.items():
            expected = known_sizes(self._unknown[name], widths[0] if widths else -1)
            if shape != expected:
                raise Error(f"load_state_dict: {prefix}{name} has shape {list(shape)}, expected {list(expected)}")
        if shapes:
            self.complete(widths[0], shapes)

    def _save_to_state_dict(self, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        """Parameters of unknown size go into it as they are, like those of `torch.nn.LazyLinear`."""
        lazy = {name: parameter for name, parameter in self._parameters.items() if is_lazy(parameter)}
        if not lazy:
            super()._save_to_state_dict(destination, prefix, keep_vars)
            return
        for name, parameter in self._parameters.items():
            if parameter is not None:
                destination[prefix + name] = parameter if keep_vars or name in lazy else parameter.detach()

    def cast(self, x: Tensor, what: str = "x") -> tuple[Tensor, str]:
        """The input and the precision of operands: bf16 under autocast, which hands over inputs of any precision."""
        if autocast_is_on(x.device.type):
            return x.float(), "bf16"
        kinds = [] if is_compiling() else [weight.dtype for weight in self._parameters.values() if weight is not None]
        if kinds and kinds[0] in EXACT and kinds[0] != x.dtype:
            raise Error(f"{what} has dtype {kind_name(x.dtype)}, expected {kind_name(kinds[0])}, as the weights")
        return x, self.precision


def known_sizes(sizes: tuple[int, ...], width: int) -> tuple[int, ...]:
    return tuple(width if size == -1 else size for size in sizes)


def autocast_is_on(device: str) -> bool:
    try:
        return bool(torch.is_autocast_enabled(device))  # PyTorch 2.4 and later
    except TypeError:
        return bool(torch.is_autocast_enabled() if device == "cuda" else torch.is_autocast_cpu_enabled())


def draw(name: str, parameter: Tensor) -> None:
    """Xavier's rule, as in the program: a vector counts as one column."""
    bound = 0.0
    if name != "b" and not name.startswith("b_"):
        bound = math.sqrt(6 / (parameter.size(0) + (parameter.size(1) if parameter.dim() > 1 else 1)))
    torch.nn.init.uniform_(parameter, -bound, bound)


def check_choice(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise Error(f"{what} is '{value}', expected one of {', '.join(choices)}")


def check_size(what: str, value: int, least: int = 1, most: int | None = None) -> None:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise Error(f"{what} is {value!r}, expected a whole number")
    if value < least or (most is not None and value > most):
        raise Error(f"{what} is {value}, expected {least} {'or more' if most is None else f'to {most}'}")


def check_rate(what: str, rate: Any) -> None:
    if not isinstance(rate, numbers.Real) or not 0 <= float(rate) < 1:
        raise Error(f"{what} is {rate!r}, expected 0 to below 1")


def check_features(what: str, x: Any, channels: int, *, rows: int = -1, sparse: bool = False) -> None:
    """That x is a matrix of this many columns and rows (-1: any), perhaps sparse; named in the message otherwise."""
    if not isinstance(x, Tensor):
        raise Error(f"{what} is a {type(x).__name__}, expected a tensor")
    if x.device.type not in ("cpu", "cuda"):
        raise Error(f"{what} is on {x.device}, expected cpu or cuda")
    if x.layout != torch.strided and not (sparse and is_sparse(x)):
        others = ", sparse_coo or sparse_csr" if sparse else ""
        raise Error(f"{what} is {kind_name(x.layout)}, expected a dense tensor (x.to_dense()){others}")
    if x.dtype not in EXACT and not (x.is_floating_point() and autocast_is_on(x.device.type)):
        raise Error(f"{what} has dtype {kind_name(x.dtype)}, expected float32")
    if x.dim() != 2 or (channels != -1 and x.size(1) != channels) or (rows != -1 and x.size(0) != rows):
        wanted = f"{'N' if rows == -1 else rows}, {'P' if channels == -1 else channels}"
        raise Error(f"{what} has shape {list(x.shape)}, expected [{wanted}]")
