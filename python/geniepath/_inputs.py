"""Graphs in memory, in the forms that people have them, as arrays for the library.

Data frames (pandas or alike), NumPy arrays, SciPy matrices, networkx graphs and PyG's Data. None of these packages is
imported here: their objects are told by what they offer.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable

import numpy as np
import torch

from ._cells import Array, missing_or_empty
from ._core import Error
from ._ids import are_counted, check_counted, is_counted, numbered
from ._targets import encoded_labels, split_nodes


@dataclasses.dataclass
class GraphData:
    """What a run is trained on."""

    num_nodes: int
    ends: tuple[Array, Array]  # sources and targets of the edges, as numbers of rows
    features: Any  # f32 [N, P], a SciPy matrix, or a list of columns
    labels: Array  # int64 [N], -1 where unknown; or f32 [N, L], rows of NaN where unknown
    class_names: list[str]
    task: str
    splits: tuple[list[int], list[int], list[int]]
    node_names: list[str] = dataclasses.field(default_factory=list)
    columns: list[str] = dataclasses.field(default_factory=list)  # names of the features
    check: Callable[[], None] = lambda: None  # an Error names the cell at fault, where the library refuses the data


def is_frame(x: Any) -> bool:
    return hasattr(x, "columns") and hasattr(x, "__getitem__") and not hasattr(x, "nodes")


def is_numeric(column: Array) -> bool:
    return column.dtype.kind in "iufb"


def collect(
    edges: Any,
    nodes: Any,
    *,
    label: Any = "label",
    split: Any = None,
    id: str = "id",
    ignore: tuple[str, ...] = (),
    positive: Any = None,
) -> GraphData:
    """The graph of any of these forms; an Error names what is missing or wrong."""
    if hasattr(edges, "edge_index") and nodes is None:
        return _from_pyg(edges, label, split, positive)
    if hasattr(edges, "nodes") and hasattr(edges, "edges") and callable(edges.nodes):
        return _from_networkx(edges, nodes, label, split, id, ignore, positive)
    if nodes is None:
        raise Error("train: nodes was not given: a data frame or a matrix with one row per node")
    if is_frame(nodes):
        return _from_frames(edges, nodes, label, split, id, ignore, positive)
    if isinstance(label, str):
        raise Error("train: label is a column's name, but nodes has no columns: give one label per node")
    features = matrix("nodes", nodes)
    return _finished(edge_array(edges, features.shape[0]), features, features.shape[0], label, split, positive)


def matrix(name: str, x: Any) -> Any:
    """Features as f32 [N, P], without a copy where they are; SciPy's matrices stay sparse."""
    if hasattr(x, "tocsr"):
        rows = x.tocsr()
        rows.sort_indices()
        _check_finite(name, rows.data)
        return rows
    if isinstance(x, torch.Tensor):
        x = x.detach().cpu().numpy()
    try:
        with np.errstate(over="ignore"):
            values = np.ascontiguousarray(x, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise Error(f"{name}: expected numbers, {error}") from None
    if values.ndim != 2:
        raise Error(f"{name} has shape {list(values.shape)}, expected one row per node, [N, P]")
    _check_finite(name, values)
    return values


def edge_array(edges: Any, num_nodes: int) -> Array:
    """Edges as integers [2, E], from such an array, a SciPy matrix A (A[i, j]: i -> j) or a frame of numbers."""
    if hasattr(edges, "tocoo"):
        if edges.shape != (num_nodes, num_nodes):
            raise Error(
                f"edges has shape {list(edges.shape)}, expected {[num_nodes, num_nodes]}, as there are {num_nodes} nodes"
            )
        found = edges.tocoo()
        return np.stack([found.row, found.col]).astype(np.int64)
    if is_frame(edges):
        return np.stack([np.asarray(ends) for ends in edge_ends(edges)])
    if isinstance(edges, torch.Tensor):
        edges = edges.detach().cpu().numpy()
    try:
        array = np.asarray(edges)
    except ValueError:
        raise Error(
            f"edges is a {type(edges).__name__} of rows of different lengths, expected integers [2, E]") from None
    if array.ndim == 2 and array.shape[0] != 2 and array.shape[1] == 2:
        array = array.T
    if array.ndim != 2 or array.shape[0] != 2 or (array.size > 0 and not np.issubdtype(array.dtype, np.integer)):
        raise Error(f"edges has shape {list(array.shape)} of {array.dtype}, expected integers [2, E]")
    return array.astype(np.int64, copy=False)


def _check_finite(name: str, values: Array, advice: str = "") -> None:
    if not np.isfinite(values).all():
        row = int(np.argwhere(~np.isfinite(values))[0][0])
        raise Error(f"{name} has a NaN or infinite value, the first in row {row}{advice}")


def edge_ends(edges: Any) -> tuple[Any, Any]:
    column_names("edges", edges)
    columns = list(edges.columns)
    for source, target in (("src", "dst"), ("source", "target")):
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


def column_names(what: str, frame: Any) -> list[str]:
    """An Error names one that occurs twice."""
    names = [str(name) for name in frame.columns]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise Error(f"{what} has two columns '{name}'; rename one, or leave it out")
    return names


def frame_ids(nodes: Any, id: str) -> Array:
    """Of the column, or of the frame's index; none may be missing."""
    named = id in [str(name) for name in nodes.columns]
    ids = np.asarray(nodes[id] if named else getattr(nodes, "index", np.arange(len(nodes))))
    empty = missing_or_empty(ids)
    if empty.any():
        raise Error(f"nodes: row {int(np.argmax(empty))} has no id{f' (column {id!r})' if named else ''}")
    return ids


def frame_parts(nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...]) -> FrameParts:
    columns = column_names("nodes", nodes)
    ids = frame_ids(nodes, id)
    if split is None and "split" in columns:
        split = "split"
    named = {"label": label, "split": split}
    for what, name in named.items():
        if isinstance(name, str) and name not in columns:
            raise Error(f"nodes has no column '{name}' ({what}); its columns are {', '.join(columns)}")
    special = {id, *ignore, *(name for name in named.values() if isinstance(name, str))}
    features = [name for name in nodes.columns if str(name) not in special]
    if not features:
        raise Error("nodes has no column of features beside its id, label and split")
    label_name, split_name = (name if isinstance(name, str) else None for name in named.values())
    label = label if label_name is None else np.asarray(nodes[label_name])
    split = split if split_name is None else np.asarray(nodes[split_name])
    return FrameParts(ids, label, label_name, split, split_name, features)


def _from_frames(
    edges: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...], positive: Any
) -> GraphData:
    parts = frame_parts(nodes, label, split, id, ignore)
    cells = _numbers(nodes, parts.features)
    ends = [np.asarray(end) for end in edge_ends(edges)] if is_frame(edges) else []
    edge_index = numbered(parts.ids, ends) if is_frame(edges) else edge_array(edges, len(parts.ids))
    data = _finished(edge_index, cells, len(parts.ids), parts.label, parts.split, positive)
    data.columns = [str(name) for name in parts.features]
    if not is_counted(parts.ids):
        data.node_names = [str(name) for name in parts.ids.tolist()]

    def check() -> None:
        columns(nodes, parts.features)
        if ends and are_counted(parts.ids, ends):
            check_counted(ends, len(parts.ids))

    data.check = check
    return data


def _numbers(nodes: Any, names: list[Any]) -> list[Array]:
    """Columns as the library reads them, without a copy of those of the usual types."""
    cells = [np.asarray(nodes[name]) for name in names]
    for name, column in zip(names, cells):
        if not is_numeric(column):
            raise Error(
                f"nodes: column '{name}' holds {column.dtype}, expected numbers; leave it out (ignore=[...]). Text becomes "
                "categories in a training on data frames of both edges and nodes")
    with np.errstate(over="ignore"):
        return [column if _is_usual(column.dtype) else column.astype(np.float32) for column in cells]


def _is_usual(dtype: Any) -> bool:
    return bool(dtype.isnative and (dtype.kind != "f" or dtype.itemsize in (4, 8)))


def columns(nodes: Any, names: list[Any]) -> Array:
    """Columns of numbers side by side, in one array."""
    cells = _numbers(nodes, names)
    values: Array = np.empty((len(nodes), len(names)), dtype=np.float32)
    with np.errstate(over="ignore"):  # what is too large for float32 is infinite, and named below
        for begin in range(0, len(nodes), 4096):  # rows that stay in the cache
            for place, column in enumerate(cells):
                values[begin : begin + 4096, place] = column[begin : begin + 4096]
    if not math.isfinite(float(values.sum(dtype=np.float64))):
        for place, name in enumerate(names):
            _check_finite(f"nodes: column '{name}'", values[:, place], "; missing='zero' or 'mean' reads empty cells")
    return values


def _from_networkx(
    graph: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...], positive: Any
) -> GraphData:
    names = list(graph.nodes())
    where = {name: row for row, name in enumerate(names)}
    pairs = [(where[a], where[b]) for a, b in graph.edges()]
    edge_index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    if nodes is not None and not is_frame(nodes):
        features = matrix("nodes", nodes)
        data = _finished(edge_index, features, features.shape[0], label, split, positive)
    else:
        table = nodes if nodes is not None else _Attributes([graph.nodes[name] for name in names])
        if len(table) != len(names):
            raise Error(f"nodes has {len(table)} rows, but the graph has {len(names)} nodes")
        data = _from_frames(edge_index, table, label, split, id, ignore, positive)
    data.node_names = [str(name) for name in names]
    return data


class _Attributes:
    """Attributes of networkx's nodes as columns; a label or split may be missing."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.columns = list(dict.fromkeys(name for row in rows for name in row))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Array:
        return np.array([row.get(name) for row in self.rows])


def _from_pyg(data: Any, label: Any, split: Any, positive: Any) -> GraphData:
    if data.x is None:
        raise Error("train: the Data has no features x")
    if isinstance(label, str):
        label = data.y
        if label is None:
            raise Error("train: the Data has no labels y")
    if split is None and hasattr(data, "train_mask"):
        masks = {"train": data.train_mask, "valid": data.val_mask, "test": data.test_mask}
        split = {name: mask for name, mask in masks.items() if mask is not None}
    features = matrix("x", data.x)
    return _finished(edge_array(data.edge_index, features.shape[0]), features, features.shape[0], label, split,
                     positive)


def _finished(edge_index: Any, features: Any, nodes: int, label: Any, split: Any, positive: Any) -> GraphData:
    if isinstance(edge_index, np.ndarray):
        check_edges(edge_index, nodes)
    first, second = edge_index
    labels, names, task = encoded_labels(label, nodes, positive)
    return GraphData(nodes, (first, second), features, labels, names, task, split_nodes(split, nodes))


def check_edges(edge_index: Array, nodes: int) -> None:
    if edge_index.size > 0 and not 0 <= int(edge_index.min()) <= int(edge_index.max()) < nodes:
        place = int(np.argmax(((edge_index < 0) | (edge_index >= nodes)).any(0)))
        raise Error(f"edges: edge {place} joins {edge_index[:, place].tolist()}, but there are {nodes} nodes, from 0")
