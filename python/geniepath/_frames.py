"""Columns of data frames by what they hold."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from ._cells import Array, cells, check_finite, missing_or_empty
from ._core import Error
from ._ids import is_counted


def is_frame(x: Any) -> bool:
    return hasattr(x, "columns") and hasattr(x, "__getitem__")


def is_networkx(x: Any) -> bool:
    return callable(getattr(x, "nodes", None)) and hasattr(x, "edges")


def is_numeric(column: Array) -> bool:
    return column.dtype.kind in "iufb"


def as_name(x: Any) -> Any:
    """A column's name as text, where it is a number; labels, splits and None as they are."""
    return str(x) if isinstance(x, (int, np.integer)) and not isinstance(x, bool) else x


def as_names(x: Any) -> tuple[str, ...]:
    if x is None:
        return ()
    if isinstance(x, (str, int, np.integer)):
        return (str(x),)
    if not hasattr(x, "__iter__"):
        raise Error(f"ignore is a {type(x).__name__}, expected names of columns")
    return tuple(str(name) for name in x)


def column(frame: Any, name: str) -> Array:
    """The column with this name as text."""
    return cells(frame[next(key for key in frame.columns if str(key) == name)])


def edge_ends(edges: Any) -> tuple[Any, Any]:
    column_names("edges", edges)
    columns = list(edges.columns)
    for source, target in (("src", "dst"), ("source", "target"), ("from", "to")):
        if source in columns and target in columns:
            return edges[source], edges[target]
    if len(columns) < 2:
        raise Error(f"edges has {len(columns)} columns, expected two of ids")
    return edges[columns[0]], edges[columns[1]]


@dataclasses.dataclass
class FrameParts:
    """Columns of a data frame of nodes by what they hold."""

    ids: Array
    label: Any
    label_name: str | None
    split: Any
    split_name: str | None
    features: list[Any]  # names


def column_names(what: str, frame: Any, ignore: tuple[str, ...] = ()) -> list[str]:
    """Names of the columns, as text; an Error names one that occurs twice, unless it is ignored."""
    names = [str(name) for name in frame.columns]
    earlier: set[str] = set()
    for name in names:
        if name in earlier and name not in ignore:
            raise Error(f"{what} has two columns '{name}'; rename one, or leave it out")
        earlier.add(name)
    return names


USUAL_ID = "id"  # the column of ids where another is not named


def frame_ids(nodes: Any, id: str) -> Array:
    """Ids from the column, or the index, if it has that name or the column is the usual one; none may be missing."""
    columns = [str(name) for name in nodes.columns]
    index = getattr(nodes, "index", np.arange(len(nodes)))
    named = id in columns
    if not named and id not in (USUAL_ID, getattr(index, "name", None)):
        raise Error(f"id: nodes has no column '{id}'; its columns are {', '.join(columns)}")
    ids = column(nodes, id) if named else cells(index)
    empty = missing_or_empty(ids)
    if empty.any():
        raise Error(f"nodes: row {int(np.argmax(empty))} has no id{f' (column {id!r})' if named else ''}")
    return ids


def has_ids(nodes: Any, id: str) -> bool:
    """Whether rows are named, by a column or the frame's index, rather than only counted."""
    index = getattr(nodes, "index", None)
    if id in [str(name) for name in nodes.columns]:
        return True
    return index is not None and not (type(index).__name__ == "RangeIndex" and is_counted(cells(index)))


def check_ignored(ignore: tuple[str, ...], columns: list[str]) -> None:
    for name in ignore:
        if name not in columns:
            raise Error(f"ignore: nodes has no column '{name}'; its columns are {', '.join(columns)}")


def frame_parts(nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...]) -> FrameParts:
    columns = column_names("nodes", nodes, ignore)
    ids = frame_ids(nodes, id)
    if split is None and "split" in columns:
        split = "split"
    named = {"label": label, "split": split}
    for what, name in named.items():
        if isinstance(name, str) and name not in columns:
            raise Error(f"nodes has no column '{name}' ({what}); its columns are {', '.join(columns)}")
    check_ignored(ignore, columns)
    special = {id, *ignore, *(name for name in named.values() if isinstance(name, str))}
    features = [name for name in nodes.columns if str(name) not in special]
    for what, given in named.items():
        if given is not None and not isinstance(given, str) and what in columns and what not in special:
            raise Error(
                f"nodes: the feature column '{what}' has the name of what was given beside it ({what}=...); rename it, "
                "or leave it out (ignore=[...])"
            )
    if not features:
        raise Error("nodes has no column of features beside its id, label and split")
    label_name, split_name = (name if isinstance(name, str) else None for name in named.values())
    label = label if label_name is None else column(nodes, label_name)
    split = split if split_name is None else column(nodes, split_name)
    return FrameParts(ids, label, label_name, split, split_name, features)


def numbers(nodes: Any, names: list[Any]) -> list[Array]:
    """Columns as the library reads them, without a copy of those of the usual types."""
    found = [cells(nodes[name]) for name in names]
    for name, column in zip(names, found):
        if column.ndim != 1:
            raise Error(f"nodes: column '{name}' has shape {list(column.shape)}, expected one value per row")
        if not is_numeric(column):
            raise Error(
                f"nodes: column '{name}' holds {column.dtype}, expected numbers; leave it out (ignore=[...]). Text becomes "
                "categories in a training on data frames of both edges and nodes")
    with np.errstate(over="ignore"):
        return [column if _is_usual(column.dtype) else column.astype(np.float32) for column in found]


def _is_usual(dtype: Any) -> bool:
    return bool(dtype.isnative and (dtype.kind != "f" or dtype.itemsize in (4, 8)))


def check_columns(nodes: Any, names: list[str]) -> None:
    """Checks that all numbers are finite, as float32."""
    columns(nodes, [name for name in nodes.columns if str(name) in names],
            "; missing='zero' or 'mean' reads empty cells")


def columns(nodes: Any, names: list[Any], advice: str = "") -> Array:
    """Columns of numbers side by side, in one array."""
    found = numbers(nodes, names)
    values: Array = np.empty((len(nodes), len(names)), dtype=np.float32)
    with np.errstate(over="ignore"):  # what is too large for float32 is infinite, and named below
        for begin in range(0, len(nodes), 4096):  # rows that stay in the cache
            for place, column in enumerate(found):
                values[begin : begin + 4096, place] = column[begin : begin + 4096]
    if not math.isfinite(float(values.sum(dtype=np.float64))):
        for place, name in enumerate(names):
            check_finite(f"nodes: column '{name}'", values[:, place], advice)
    return values
