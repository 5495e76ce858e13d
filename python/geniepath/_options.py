"""Options of `geniepath train` as keyword arguments: `hidden=64` for `--hidden 64`; devices and folders."""

from __future__ import annotations

import difflib
import functools
import json
import math
import os
import pathlib
from typing import Any

import numpy as np
import torch

from . import _core
from ._core import Error


@functools.cache
def _groups() -> dict[str, dict[str, Any]]:
    return {group: json.loads(text) for group, text in _core.default_options().items()}


def default(group: str, option: str) -> Any:
    return _groups()[group][option]


def grouped(options: dict[str, Any], caller: str = "train") -> dict[str, dict[str, Any]]:
    """Options by the struct of the library that holds them; an Error suggests a name for an unknown one."""
    given: dict[str, dict[str, Any]] = {}
    for name, value in options.items():
        option = name.replace("_", "-")
        group = next((group for group, known in _groups().items() if option in known), None)
        if group is None:
            raise Error(f"{caller}: no option {name}{_suggestion(option)}")
        given.setdefault(group, {})[option] = _plain(f"{caller}: {name}", value)
    return given


def texts(given: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {group: json.dumps(options) for group, options in given.items()}


def _plain(what: str, value: Any) -> Any:
    """A value as JSON has it; NumPy's scalars and paths are as good as numbers and texts."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise Error(f"{what} is {value}, expected a finite number")
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        raise Error(f"{what} is neither a number, a text nor a truth value, but a {_type(value)}") from None
    return value


def _type(x: Any) -> str:
    return type(x).__name__


def flag(what: str, given: Any) -> bool:
    if not isinstance(given, (bool, np.bool_)):
        raise Error(f"{what} is {given!r}, expected True or False")
    return bool(given)


def device(given: Any) -> str:
    """As the library names it: from a name, PyTorch's device, or the number of a GPU; None: the CPU."""
    if given is None:
        return "cpu"
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        return f"cuda:{given}"
    if not isinstance(given, (str, torch.device)):
        raise Error(f"device is a {_type(given)}, expected 'cpu', 'cuda', 'cuda:1' or a torch.device")
    return str(given)


def folder(what: str, given: Any) -> pathlib.Path:
    """An absolute path: the working directory may change."""
    return pathlib.Path(path(what, given, "the path of a run's folder")).absolute()


def file(what: str, given: Any, *endings: str) -> pathlib.Path:
    """The path of a file to write, of a kind that its name ends in."""
    expected = f"a file that ends in {' or '.join(filter(None, (', '.join(endings[:-1]), endings[-1])))}"
    found = pathlib.Path(path(what, given, expected))
    if found.suffix not in endings:
        raise Error(f"{found}: expected {expected}")
    return found


def path(what: str, given: Any, expected: str) -> str:
    if not isinstance(given, (str, os.PathLike)):
        raise Error(f"{what} is a {_type(given)}, expected {expected}")
    text = str(os.fspath(given))
    if not text or "\0" in text:
        raise Error(f"{what} {'holds a NUL' if text else 'is empty'}, expected {expected}")
    return text


def _suggestion(option: str) -> str:
    names = [name for known in _groups().values() for name in known]
    near = difflib.get_close_matches(option, names, 1)
    return f"; did you mean {near[0].replace('-', '_')}?" if near else ""
