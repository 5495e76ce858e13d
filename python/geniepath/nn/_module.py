"""What the layers share: parameters of sizes known at the first call, their draw, and autocast."""

from __future__ import annotations

import math
import numbers
from typing import Any

import torch
from torch import Tensor
from torch.nn.parameter import Parameter, UninitializedParameter, is_lazy

from .._core import Error
from ._sparse import is_sparse

PRECISIONS = ("f32", "tf32", "bf16")


class Layer(torch.nn.Module):
    """A module whose parameters are plain tensors, named as in the program's weights.

    A size of -1 stands for that of the first input, or of loaded weights.
    """

    def __init__(self, precision: str) -> None:
        super().__init__()
        check_choice("precision", precision, PRECISIONS)
        self.precision = precision
        self._register_load_state_dict_pre_hook(self._take_sizes)

    def add(self, name: str, *sizes: int) -> None:
        """Registers a parameter of these sizes."""
        made = UninitializedParameter() if -1 in sizes else Parameter(torch.empty(*sizes))
        self.register_parameter(name, made)

    def complete(self, sizes: dict[str, tuple[int, ...]]) -> None:
        """Gives parameters whose sizes were unknown theirs, and draws them."""
        for name, shape in sizes.items():
            parameter = self._parameters[name]
            if is_lazy(parameter):
                parameter.materialize(shape)
                draw(name, parameter)

    def reset_parameters(self) -> None:
        """Draws the weights by Xavier's rule; biases are 0."""
        for name, parameter in self._parameters.items():
            if parameter is not None and not is_lazy(parameter):
                draw(name, parameter)

    def _take_sizes(self, state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
        for name, parameter in self._parameters.items():
            loaded = state_dict.get(prefix + name)
            if is_lazy(parameter) and loaded is not None and not is_lazy(loaded):
                parameter.materialize(loaded.shape)

    def _save_to_state_dict(self, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
        """Parameters of unknown size go into it as they are, like those of `torch.nn.LazyLinear`."""
        lazy = {name: parameter for name, parameter in self._parameters.items() if is_lazy(parameter)}
        if not lazy:
            super()._save_to_state_dict(destination, prefix, keep_vars)
            return
        for name, parameter in self._parameters.items():
            if parameter is not None:
                destination[prefix + name] = parameter if keep_vars or name in lazy else parameter.detach()

    def cast(self, x: Tensor) -> tuple[Tensor, str]:
        """The input and the precision of operands: bf16 under autocast, which hands over inputs of any precision."""
        return (x.float(), "bf16") if autocast_is_on(x.device.type) else (x, self.precision)


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


def check_size(what: str, value: int, least: int = 1) -> None:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise Error(f"{what} is {value!r}, expected a whole number")
    if value < least:
        raise Error(f"{what} is {value}, expected {least} or more")


def check_features(what: str, x: Any, channels: int, sparse: bool = False) -> None:
    """That x is a matrix of this many columns (-1: any), perhaps sparse; named in the message otherwise."""
    if not isinstance(x, Tensor):
        raise Error(f"{what} is a {type(x).__name__}, expected a tensor")
    if x.device.type not in ("cpu", "cuda"):
        raise Error(f"{what} is on {x.device}, expected cpu or cuda")
    if x.layout != torch.strided and not (sparse and is_sparse(x)):
        kind = str(x.layout).replace("torch.", "")
        raise Error(
            f"{what} is {kind}, expected a dense tensor (x.to_dense()){', sparse_coo or sparse_csr' if sparse else ''}")
    if x.dtype not in (torch.float32, torch.float64) and not (x.is_floating_point() and autocast_is_on(x.device.type)):
        raise Error(f"{what} has dtype {str(x.dtype).replace('torch.', '')}, expected float32")
    if x.dim() != 2 or (channels != -1 and x.size(1) != channels):
        wanted = "P" if channels == -1 else str(channels)
        raise Error(f"{what} has shape {list(x.shape)}, expected [N, {wanted}]")
