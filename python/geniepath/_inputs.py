"""Graphs in memory, in the forms that people have them, as arrays for the library.

Data frames (pandas or alike), NumPy arrays, SciPy matrices, networkx graphs and PyG's Data. None of these packages is
imported here: their objects are recognised by their attributes.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Callable

import numpy as np

from . import _arguments
from ._arrays import check_edges, edge_array
from ._arrays import matrix as matrix
from ._cells import Array, cells, check_text, name, names
from ._core import Error
from ._frames import check_columns, edge_ends, frame_parts, is_frame, is_networkx, numbers
from ._ids import are_counted, check_counted, is_counted, numbered
from ._networkx import Attributes, InOrder, check_order_is_clear, order_by_id
from ._targets import as_mask, encoded_labels, known_labels, split_nodes
from .data import Dataset


@dataclasses.dataclass
class GraphData:
    """The data that a run is trained on."""

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
    data = _collected(edges, nodes, label, split, id, ignore, positive)
    check_text("nodes: the id", data.node_names)
    check_text("nodes: the name of a column,", data.columns)
    check_text("label: the class", data.class_names)
    return data


def _collected(
    edges: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...], positive: Any
) -> GraphData:
    if isinstance(edges, Dataset):
        raise Error("train: edges is a Dataset: give data=..., or its parts: edge_index, x, label=y, split={...}")
    if not is_frame(nodes) and not (nodes is None and is_networkx(edges)):
        forms = {"label": label, "split": split, "id": id, "ignore": ignore}
        _arguments.check_no_columns_named("train", {name: forms[name] for name in _arguments.given(forms)})
    if not is_frame(edges) and hasattr(edges, "edge_index"):
        if nodes is not None:
            raise Error(f"train: nodes was given, but edges is a {type(edges).__name__}, whose features are its x; "
                        "give its edge_index as edges")
        return _from_pyg(edges, label, split, positive)
    if is_networkx(edges):
        return _from_networkx(edges, nodes, label, split, id, ignore, positive)
    if nodes is None:
        raise Error("train: nodes was not given: a data frame or a matrix with one row per node")
    if is_frame(nodes):
        return _from_frames(edges, nodes, label, split, id, ignore, positive)
    if isinstance(label, str):
        raise Error("train: label is a column's name, but nodes has no columns: give one label per node")
    features = matrix("nodes", nodes)
    return _finished(edge_array(edges, features.shape[0]), features, features.shape[0], label, split, positive)


def _from_frames(
    edges: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...], positive: Any
) -> GraphData:
    parts = frame_parts(nodes, label, split, id, ignore)
    features = numbers(nodes, parts.features)
    ends = [cells(end) for end in edge_ends(edges)] if is_frame(edges) else []
    edge_index = numbered(parts.ids, ends) if is_frame(edges) else edge_array(edges, len(parts.ids))
    data = _finished(edge_index, features, len(parts.ids), parts.label, parts.split, positive)
    data.columns = [str(name) for name in parts.features]
    if not is_counted(parts.ids):
        data.node_names = names(parts.ids)

    def check() -> None:
        check_columns(nodes, data.columns)
        if ends and are_counted(parts.ids, ends):
            check_counted(ends, len(parts.ids))

    data.check = check
    return data


def _from_networkx(
    graph: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...], positive: Any
) -> GraphData:
    found = list(graph.nodes())
    where = {node: row for row, node in enumerate(found)}
    pairs = [(where[a], where[b]) for a, b in graph.edges()]
    edge_index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    if not graph.is_directed():
        edge_index = np.concatenate([edge_index, edge_index[::-1]], axis=1)
    if nodes is None:
        for what, given in (("label", label), ("split", split)):
            if given is not None and not isinstance(given, str):
                check_order_is_clear(what, found, "give it as an attribute of the nodes")
        data = _from_frames(edge_index, Attributes(graph, label), label, split, id, ignore, positive)
    elif is_frame(nodes):
        data = _from_rows_of_nodes(edge_index, nodes, found, label, split, id, ignore, positive)
    else:
        features = matrix("nodes", nodes)
        if features.shape[0] != len(found):
            raise Error(f"nodes has {features.shape[0]} rows, but the graph has {len(found)} nodes")
        check_order_is_clear("nodes", found, "give a data frame that names them in a column (id)")
        data = _finished(edge_index, features, features.shape[0], label, split, positive)
    data.node_names = [name(node) for node in found]
    return data


def _from_rows_of_nodes(
    edge_index: Array, nodes: Any, order_of: list[Any], label: Any, split: Any, id: str, ignore: tuple[str, ...],
    positive: Any
) -> GraphData:
    """A frame beside a graph whose nodes its ids name, in any order."""
    order = order_by_id(nodes, id, order_of, ignore)
    if order is None or is_counted(order):
        return _from_frames(edge_index, nodes, label, split, id, ignore, positive)
    for what, given in (("label", label), ("split", split)):
        if given is not None and not isinstance(given, str):
            raise Error(
                f"{what}: the rows of nodes are in another order than the graph's nodes: give it as a column of nodes"
            )
    data = _from_frames(edge_index, InOrder(nodes, order), label, split, id, ignore, positive)
    data.check = lambda: check_columns(nodes, data.columns)  # which names rows as they were given
    return data


def _from_pyg(data: Any, label: Any, split: Any, positive: Any) -> GraphData:
    if data.x is None:
        raise Error("train: the Data has no features x")
    if isinstance(label, str):
        label = data.y
        if label is None:
            raise Error("train: the Data has no labels y")
    features = matrix("x", data.x)
    if split is None:
        split = _pyg_split(data, label, features.shape[0])
    return _finished(edge_array(data.edge_index, features.shape[0]), features, features.shape[0], label, split,
                     positive)


def _pyg_split(data: Any, label: Any, nodes: int) -> dict[str, Array] | None:
    """Of the masks that it has. Without a train_mask, the labelled nodes in no other mask are trained on."""
    names = {"train": "train_mask", "valid": "val_mask", "test": "test_mask"}
    split = {name: as_mask(mask, getattr(data, mask), nodes) for name, mask in names.items()
             if getattr(data, mask, None) is not None}
    if split and "train" not in split:
        split["train"] = known_labels(label, nodes) & ~np.logical_or.reduce([*split.values()])
    return split or None


def _finished(edge_index: Any, features: Any, nodes: int, label: Any, split: Any, positive: Any) -> GraphData:
    if isinstance(edge_index, np.ndarray):
        check_edges(edge_index, nodes)
    first, second = edge_index
    labels, names, task = encoded_labels(label, nodes, positive)
    return GraphData(nodes, (first, second), features, labels, names, task, split_nodes(split, nodes))
