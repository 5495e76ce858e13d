"""Ids of nodes as numbers of rows."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._cells import Array, check_exact, id_texts
from ._core import Error


def numbered(ids: Array, ends: list[Array]) -> tuple[Array, Array]:
    """Ends of edges, by id, as numbers of rows. `check_counted` looks at ids that are these numbers already."""
    check_exact("nodes: the id", ids)
    for values in ends:
        check_exact("edges", values)
    # Text beside numbers: 7 and "7" are the same, as in files.
    kinds = {_kind(x) for x in (ids, *ends)}
    if len(kinds) > 1 or "mixed" in kinds:
        ids = np.array(id_texts("nodes: the id", ids), dtype=object)
        ends = [np.array(id_texts("edges", x), dtype=object) for x in ends]
    first: Array
    second: Array
    if are_counted(ids, ends):
        first, second = (values.astype(np.int64, copy=False) for values in ends)
        return first, second
    ids, *ends = (_wide(values) for values in (ids, *ends))
    number = _positions(ids, ends)
    first, second = (number(values) for values in ends)
    _check_known(ends, [found < 0 for found in (first, second)])
    return first, second


def _wide(x: Array) -> Array:
    """pandas 2 has no index of floats of 16 bits."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _kind(x: Array) -> str:
    """What the cells hold: text, numbers or dates, other objects, or text among these."""
    if x.dtype != object:
        return "text" if x.dtype.kind in "US" else "numbers"
    are_text = {issubclass(kind, str) for kind in set(map(type, x.tolist()))}
    if len(are_text) > 1:
        return "mixed"
    return "objects" if are_text == {False} else "text"


def are_counted(ids: Array, ends: list[Array]) -> bool:
    """Whether ends of edges are numbers of rows."""
    return len(ids) > 0 and is_counted(ids) and all(_are_integers(values) for values in ends)


def check_counted(ends: list[Array], size: int) -> None:
    _check_known(ends, [(values < 0) | (values >= size) for values in ends])


def _are_integers(values: Array) -> bool:
    return values.dtype.kind in "iu" and np.can_cast(values.dtype, np.int64)


def _check_known(ends: list[Array], unknown: list[Array]) -> None:
    for name, values, wrong in zip(("first", "second"), ends, unknown):
        if wrong.any():
            row = int(np.argmax(wrong))
            raise Error(f"edges: row {row} names '{values[row]}' in its {name} column, which no row of nodes has as its id")


def _positions(ids: Array, wanted: list[Array]) -> Callable[[Array], Array]:
    """From ids to rows, -1 for an unknown one; for arrays of the types of `wanted`. An id that occurs twice is an Error."""
    if len(ids) > 0 and all(_are_integers(x) for x in (ids, *wanted)):
        ids = ids.astype(np.int64, copy=False)
        first, last = int(ids.min()), int(ids.max())
        if last - first <= 8 * len(ids):
            return _positions_in_table(ids, first, last)
    try:
        import pandas
    except ImportError:
        names = list(ids.tolist())
        check_distinct(names)
        where = {name: row for row, name in enumerate(names)}
        return lambda values: np.array([where.get(value, -1) for value in values.tolist()], dtype=np.int64)
    index = pandas.Index(ids, dtype=object if ids.dtype == object else None)
    if not index.is_unique:
        _refuse_repeated(ids, int(np.argmax(index.duplicated())))
    return lambda values: np.asarray(index.get_indexer(values), dtype=np.int64)


def check_distinct(names: list[Any], why: str = "") -> None:
    where: dict[Any, int] = {}
    for row, name in enumerate(names):
        if where.setdefault(name, row) != row:
            raise Error(f"nodes: the id '{name}' occurs in rows {where[name]} and {row}{why}")


def is_counted(ids: Array) -> bool:
    """Whether the ids are 0, 1, 2, ..."""
    return ids.dtype.kind in "iu" and bool((ids == np.arange(len(ids))).all())


def _positions_in_table(ids: Array, first: int, last: int) -> Callable[[Array], Array]:
    """The same for integers that lie close together, by a table of rows for the numbers from first to last."""
    table: Array = np.full(last - first + 1, -1, dtype=np.int64)
    rows = np.arange(len(ids))
    table[ids - first] = rows
    repeated = table[ids - first] != rows
    if repeated.any():
        earlier = int(np.argmax(repeated))
        _refuse_repeated(ids, int(table[ids[earlier] - first]))

    def find(values: Array) -> Array:
        values = values.astype(np.int64, copy=False)
        inside = (values >= first) & (values <= last)
        if inside.all():
            return np.asarray(table[values - first])
        return np.where(inside, table[np.where(inside, values - first, 0)], -1)

    return find


def _refuse_repeated(ids: Array, row: int) -> None:
    raise Error(f"nodes: the id '{ids[row]}' occurs in rows {int(np.argmax(ids == ids[row]))} and {row}")
