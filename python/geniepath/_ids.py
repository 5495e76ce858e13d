"""Ids of nodes as numbers of rows."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._cells import Array, texts
from ._core import Error


def numbered(ids: Array, ends: list[Array]) -> Array:
    """Ends of edges, by id, as numbers of rows: [2, E]."""
    if len({x.dtype.kind in "OUS" for x in (ids, *ends)}) > 1:  # text beside numbers: 7 and "7" are the same, as in files
        ids = np.array(texts("nodes: the id", ids), dtype=object)
        ends = [np.array(texts("edges", x), dtype=object) for x in ends]
    number = _positions(ids, ends)
    both = []
    for name, values in zip(("first", "second"), ends):
        found = number(values)
        if (found < 0).any():
            row = int(np.argmax(found < 0))
            raise Error(f"edges: row {row} names '{values[row]}' in its {name} column, which no row of nodes has as its id")
        both.append(found)
    return np.stack(both)


def _positions(ids: Array, wanted: list[Array]) -> Callable[[Array], Array]:
    """From ids to rows, -1 for an unknown one; for arrays of the types of `wanted`. An id that occurs twice is an Error."""
    if len(ids) > 0 and all(x.dtype.kind in "iu" and np.can_cast(x.dtype, np.int64) for x in (ids, *wanted)):
        ids = ids.astype(np.int64, copy=False)
        if is_counted(ids):
            return lambda values: _counted(values, len(ids))
        first, last = int(ids.min()), int(ids.max())
        if last - first <= 8 * len(ids):
            return _positions_in_table(ids, first, last)
    try:
        import pandas
    except ImportError:
        where: dict[Any, int] = {}
        for row, name in enumerate(ids.tolist()):
            if where.setdefault(name, row) != row:
                raise Error(f"nodes: the id '{name}' occurs in rows {where[name]} and {row}")
        return lambda values: np.array([where.get(value, -1) for value in values.tolist()], dtype=np.int64)
    index = pandas.Index(ids)
    if not index.is_unique:
        _refuse_repeated(ids, int(np.argmax(index.duplicated())))
    return lambda values: np.asarray(index.get_indexer(values), dtype=np.int64)


def is_counted(ids: Array) -> bool:
    """Whether the ids are 0, 1, 2, ..."""
    return ids.dtype.kind in "iu" and bool((ids == np.arange(len(ids))).all())


def _counted(values: Array, size: int) -> Array:
    """Rows of ids that are their numbers."""
    rows: Array = values.astype(np.int64, copy=False)
    return np.where(rows < size, rows, -1) if rows.size > 0 and int(rows.max()) >= size else rows


def _positions_in_table(ids: Array, first: int, last: int) -> Callable[[Array], Array]:
    """Of integers that lie close together: a row for each number from first to last."""
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
