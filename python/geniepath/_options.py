"""Options of `geniepath train` as keyword arguments: `hidden=64` for `--hidden 64`."""

from __future__ import annotations

import difflib
import functools
import json
import math
from typing import Any

from . import _core
from ._core import Error


@functools.cache
def _groups() -> dict[str, dict[str, Any]]:
    return {group: json.loads(text) for group, text in _core.default_options().items()}


def default(group: str, option: str) -> Any:
    return _groups()[group][option]


def grouped(options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Options by the struct of the library that holds them; an Error suggests a name for an unknown one."""
    given: dict[str, dict[str, Any]] = {}
    for name, value in options.items():
        option = name.replace("_", "-")
        group = next((group for group, known in _groups().items() if option in known), None)
        if group is None:
            raise Error(f"train: no option {name}{_suggestion(option)}")
        given.setdefault(group, {})[option] = value
    return given


def texts(given: dict[str, dict[str, Any]]) -> dict[str, str]:
    try:
        for name, value in (pair for options in given.values() for pair in options.items()):
            if isinstance(value, float) and not math.isfinite(value):
                raise Error(f"train: {name.replace('-', '_')} is {value}, expected a finite number")
        return {group: json.dumps(options) for group, options in given.items()}
    except TypeError as error:
        raise Error(f"train: an option is neither a number, a text nor a truth value: {error}") from None


def _suggestion(option: str) -> str:
    names = [name for known in _groups().values() for name in known]
    near = difflib.get_close_matches(option, names, 1)
    return f"; did you mean {near[0].replace('-', '_')}?" if near else ""
