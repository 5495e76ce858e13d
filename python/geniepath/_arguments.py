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


def listed_names(where: str, ignore: tuple[str, ...]) -> str:
    """Columns to leave out of files, as the library takes them."""
    for name in ignore:
        if "," in name:
            raise Error(f"{where}: ignore has the column '{name}', expected names without commas beside files")
    return ",".join(ignore)


def refuse(names: list[str], why: str, caller: str = "train") -> None:
    if names:
        raise Error(f"{caller}: {names[0].replace('-', '_')} was given, but {why}")


def check_no_columns_named(caller: str, forms: dict[str, Any]) -> None:
    """Checks that no column is named, where nodes has none."""
    for name, form in forms.items():
        columns = form if isinstance(form, tuple) else (form,)
        if columns and isinstance(columns[0], str):
            raise Error(f"{caller}: {name} names the column '{columns[0]}', but nodes has no columns")


def check_no_options_of_tables(options: dict[str, Any], data: str, caller: str = "train") -> None:
    for option, value in options.items():
        if (option, value) != ("task", "unsupervised"):  # which is a task with any data
            refuse([option], f"{data}: it says how data frames of nodes and tables in files are read", caller)


def check_options_of_tables(options: dict[str, Any]) -> None:
    for option, argument in _ARGUMENTS.items():
        if option in options:
            raise Error(f"train: {option.replace('-', '_')} is {argument} here: give {argument}=...")


def check_not_written(options: dict[str, Any], decided: set[str]) -> None:
    """Checks that no option says how to read a file that is written here."""
    refuse([option for option in options if option in decided], "nodes is a data frame, not a file")
