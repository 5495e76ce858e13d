"""Data frames with text, dates or empty cells, written as tables, so that the library reads them by the same code."""

from __future__ import annotations

import csv
import pathlib
from typing import Any

import numpy as np

from . import _frames
from ._arrays import check_edges, edge_array
from ._cells import Array, cells, check_text, id_texts, texts
from ._core import Error
from ._ids import check_distinct
from ._targets import SPLITS, check_two_classes, encoded_labels, split_nodes

# Columns that have a meaning in files alone; in a frame they are features, unless an option names them.
FILE_COLUMNS = ("graph-column", "type-column", "sparse-column")

# Labels that tables read as unknown (src/data/tables: is_missing(), but "None", which may be a class).
_UNKNOWN = ("NA", "N/A", "n/a", "NaN", "nan", "null", "NULL")


def are_needed(edges: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...],
               given: dict[str, Any]) -> bool:
    """Whether a frame has feature columns that are no numbers, or options say how to read its columns."""
    if not _frames.is_frame(nodes) or _frames.is_networkx(edges):
        return False
    if given:
        return True
    special = {id, *ignore, *(name for name in (label, split) if isinstance(name, str)), "split"}
    _frames.column_names("nodes", nodes, ignore)
    return any(not _frames.is_numeric(cells(nodes[name])) for name in nodes.columns if str(name) not in special)


def write(
    paths: dict[str, pathlib.Path], edges: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...],
    task: Any
) -> dict[str, Any]:
    """Writes the files "nodes" and "edges"; returns the options that say how to read them."""
    parts = _frames.frame_parts(nodes, label, split, id, ignore)
    label_name, split_name = parts.label_name or "label", parts.split_name or "split"
    columns = {id: id_texts("nodes: the id", parts.ids)}
    check_distinct(columns[id])
    check_distinct([name.strip() for name in columns[id]], ", but for spaces at its ends, which tables lose")
    columns |= {str(name): texts(f"nodes: column '{name}'", cells(nodes[name])) for name in parts.features}
    columns[label_name], several = _label_texts(parts.label, len(nodes), task)
    if parts.split is not None:
        columns[split_name] = _split_texts(parts.split, len(nodes))
    write_csv(paths["nodes"], columns)
    write_csv(paths["edges"], dict(zip(("src", "dst"), _edge_texts(edges, parts.ids))))
    return {
        **{kind: str(path) for kind, path in paths.items()},
        **dict.fromkeys(FILE_COLUMNS, ""),
        "id-column": id,
        "label-column": label_name,
        "split-column": split_name,
        "separator": "comma",
        "node-header": "yes",
        "edge-header": "yes",
        "edge-source": "",
        "edge-target": "",
    } | ({"task": "multi-label"} if several else {})


def write_csv(path: pathlib.Path, columns: dict[str, list[str]]) -> None:
    check_text("the name of a column,", list(columns))
    for name, found in columns.items():
        check_text(f"column '{name}':", found)
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(columns)
        rows.writerows(zip(*columns.values()))


def _label_texts(label: Any, count: int, task: Any) -> tuple[list[str], bool]:
    """Cells of the label column, and whether they are lists of labels."""
    labels, names, found = encoded_labels(label, count)
    if found == "multi-label":
        return _list_texts(labels, names, task), task != "unsupervised"
    check_two_classes(names, task)
    for name in names:
        _check_class(name, task)
    return ["" if number < 0 else names[number] for number in map(int, labels)], False


def _list_texts(labels: Array, names: list[str], task: Any) -> list[str]:
    if task not in (None, "auto", "multi-label", "unsupervised"):
        raise Error(f"label has shape {list(labels.shape)}, but task is {task!r}, expected 'multi-label'")
    never = np.flatnonzero(~(labels == 1).any(axis=0))
    if len(never) > 0 and len(labels) > 0 and task != "unsupervised":
        raise Error(f"label: no node has label {never[0]}, which tables, as frames with text are read, cannot hold; "
                    "leave out its column")
    chosen = (";".join(name for name, is_set in zip(names, row) if is_set > 0) or "|" for row in labels)
    return ["" if np.isnan(row).any() else text for row, text in zip(labels, chosen)]


def _check_class(name: str, task: Any) -> None:
    """Checks that a cell of a table can hold this class, as read for `task`."""
    if name in _UNKNOWN:
        raise Error(
            f"label: the class '{name}' reads as an empty cell, as frames with text are read as tables: rename it")
    if name != name.strip():
        raise Error(f"label: the class '{name}' begins or ends with a space, which the cells of tables lose; rename it")
    if task in (None, "auto") and (";" in name or "|" in name):
        raise Error(
            f"label: the class '{name}' reads as several labels, as frames with text are read as tables: rename it, "
            "or say which it is (task='multi-class' or 'multi-label')"
        )


def _split_texts(split: Any, count: int) -> list[str]:
    texts = [""] * count
    for name, nodes in zip(SPLITS, split_nodes(split, count)):
        for node in nodes:
            texts[node] = name
    return texts


def _edge_texts(edges: Any, ids: Array) -> list[list[str]]:
    if _frames.is_frame(edges):
        return [id_texts("edges", cells(end)) for end in _frames.edge_ends(edges)]
    names = np.array(id_texts("nodes: the id", ids), dtype=object)
    numbers = edge_array(edges, len(ids))
    check_edges(numbers, len(ids))
    return [names[row].tolist() for row in numbers]
