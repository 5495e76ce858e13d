"""Arguments of `geniepath.train` that would do nothing, as the data has another form: each is refused by its name."""

from __future__ import annotations

from typing import Any

from . import _frames
from ._core import Error

_USUAL = {"edges": None, "nodes": None, "label": "label", "split": None, "id": _frames.USUAL_ID, "ignore": (),
          "positive": None, "directed": False, "force": False}

# Options of the program that are arguments here.
_ARGUMENTS = {"label-column": "label", "split-column": "split", "id-column": "id", "ignore-columns": "ignore"}


def given(arguments: dict[str, Any]) -> list[str]:
    """Names of those that are other than usual."""
    return [name for name, value in arguments.items() if not _is(value, _USUAL[name])]


def _is(value: Any, usual: Any) -> bool:
    return value is usual or (isinstance(usual, (str, tuple)) and isinstance(value, type(usual)) and value == usual)


def refuse(names: list[str], why: str) -> None:
    if names:
        raise Error(f"train: {names[0]} was given, but {why}")


def check_no_columns_named(label: Any, split: Any, id: str, ignore: tuple[str, ...]) -> None:
    """Checks that no column is named, where nodes has none."""
    forms = {"label": label, "split": split, "id": id, "ignore": ignore}
    for name in given(forms):
        column = forms[name][0] if name == "ignore" else forms[name]
        if isinstance(column, str):
            raise Error(f"train: {name} names the column '{column}', but nodes has no columns")


def check_no_options_of_tables(options: dict[str, Any], data: str) -> None:
    for option, value in options.items():
        if (option, value) != ("task", "unsupervised"):  # which is a task with any data
            refuse([_name(option)], f"{data}: it says how data frames of nodes and tables in files are read")


def check_options_of_tables(options: dict[str, Any]) -> None:
    for option, argument in _ARGUMENTS.items():
        if option in options:
            raise Error(f"train: {_name(option)} is {argument} here: give {argument}=...")


def check_not_written(options: dict[str, Any], decided: set[str]) -> None:
    """Checks that no option says how to read a file that is written here."""
    refuse([_name(option) for option in options if option in decided], "nodes is a data frame, not a file")


def _name(option: str) -> str:
    return option.replace("-", "_")
