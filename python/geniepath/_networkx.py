"""Nodes of networkx's graphs as rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._cells import Array, cells, name as id_name
from ._core import Error
from ._frames import column_names, frame_ids, has_ids
from ._ids import check_distinct


class Attributes:
    """Attributes of the nodes as columns. Those of several numbers become x_0, x_1, ..., but not the label."""

    def __init__(self, graph: Any, label: Any) -> None:
        names, rows = list(graph.nodes()), [graph.nodes[name] for name in graph.nodes()]
        self._cells: dict[Any, Array] = {}
        self._from: dict[Any, Any] = {}  # the attribute of each column
        self._count = len(rows)
        for name in dict.fromkeys(name for row in rows for name in row):
            values = [row.get(name) for row in rows]
            width = _width(name, values, names)
            column = np.array(values) if width is None else np.stack([np.asarray(value) for value in values])
            made = {name: column}
            if width is not None and not (isinstance(label, str) and str(name) == label):
                made = {f"{name}_{place}": column[:, place] for place in range(width)}
            self._add(name, made)
        self.columns = list(self._cells)

    def _add(self, attribute: Any, made: dict[Any, Array]) -> None:
        for name, column in made.items():
            if name in self._from:
                raise Error(f"nodes: the attributes '{self._from[name]}' and '{attribute}' both make a column "
                            f"'{name}'; rename one")
            self._from[name], self._cells[name] = attribute, column

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, name: Any) -> Array:
        return self._cells[name]


def _width(name: Any, values: list[Any], nodes: list[Any]) -> int | None:
    """How many numbers the attribute has at each node, which must all have as many; None for single values."""
    shapes = [_shape(value) for value in values]
    for place, shape in enumerate(shapes):
        if shape != shapes[0] or len(shape) > 1:
            raise Error(
                f"nodes: the attribute '{name}' of the node '{nodes[place]}' has shape {list(shape)}, expected one "
                f"number, or a list of as many at each node: that of '{nodes[0]}' has shape {list(shapes[0])}"
            )
    return shapes[0][0] if shapes[0] else None


def _shape(value: Any) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        return tuple(getattr(value, "shape", ()))
    try:
        return np.shape(value)
    except ValueError:  # lists of different lengths
        return (len(value), -1)


class InOrder:
    """A frame's rows in another order."""

    def __init__(self, frame: Any, order: Array) -> None:
        self.columns = list(frame.columns)
        if hasattr(frame, "index"):
            self.index = frame.index[order]
        self._frame, self._order = frame, order

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, name: Any) -> Array:
        return cells(self._frame[name])[self._order]


def check_order_is_clear(what: str, nodes: list[Any], advice: str) -> None:
    """That the nodes beside rows without ids are not the numbers of these rows in another order."""
    counted = list(range(len(nodes)))
    if nodes != counted and all(isinstance(node, (int, np.integer)) for node in nodes) and sorted(nodes) == counted:
        raise Error(
            f"{what} has no ids, and the graph's nodes are 0 to {len(nodes) - 1} in another order than its rows: "
            f"{advice}"
        )


def order_by_id(frame: Any, id: str, nodes: list[Any], ignore: tuple[str, ...]) -> Array | None:
    """Rows of a frame in the order of the nodes, which its ids name; None: it has no ids, so it is in that order."""
    column_names("nodes", frame, ignore)
    ids = frame_ids(frame, id)
    if not has_ids(frame, id):
        if len(frame) != len(nodes):
            raise Error(f"nodes has {len(frame)} rows, but the graph has {len(nodes)} nodes")
        check_order_is_clear("nodes", nodes, "name them in a column (nodes.assign(id=...))")
        return None
    names: list[Any] = list(ids.tolist())
    if not set(nodes).issubset(names):  # 7 and "7" are the same, as in files
        names, nodes = [id_name(name) for name in names], [id_name(name) for name in nodes]
    check_distinct(names)
    where = {name: row for row, name in enumerate(names)}
    known = set(nodes)
    for row, name in enumerate(names):
        if name not in known:
            raise Error(f"nodes: row {row} has the id '{name}', which is no node of the graph")
    for name in nodes:
        if name not in where:
            raise Error(f"nodes has no row of the graph's node '{name}'")
    return np.array([where[name] for name in nodes], dtype=np.int64)
