"""Data frames with text, dates or empty cells, as the tables that the library reads: what it makes of them is one code."""

from __future__ import annotations

import csv
import pathlib
from typing import Any

import numpy as np

from . import _inputs
from ._core import Error
from ._inputs import Array

# Columns that have a meaning in files alone; in a frame they are features, unless an option names them.
FILE_COLUMNS = ("graph-column", "type-column", "sparse-column")


def are_needed(edges: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...], given: dict[str, Any]) -> bool:
    """Whether a frame has feature columns that are no numbers, or options say how to read its columns."""
    if not _inputs.is_frame(nodes) or hasattr(edges, "nodes"):
        return False
    if given:
        return True
    special = {id, *ignore, *(name for name in (label, split) if isinstance(name, str)), "split"}
    return any(not _inputs.is_numeric(np.asarray(nodes[name])) for name in nodes.columns if str(name) not in special)


def write(
    place: pathlib.Path, edges: Any, nodes: Any, label: Any, split: Any, id: str, ignore: tuple[str, ...]
) -> dict[str, Any]:
    """Writes `place`.nodes.csv and `place`.edges.csv; returns the options that say how to read them."""
    parts = _inputs.frame_parts(nodes, label, split, id, ignore)
    names = [str(name) for name in parts.features]
    label_name, split_name = parts.label_name or "label", parts.split_name or "split"
    for name in (label_name, split_name, id):
        if name in names:
            raise Error(
                f"nodes: the feature column '{name}' has the name of another; rename one, or leave it out (ignore=[...])"
            )
    columns = {id: _texts(parts.ids)}
    columns |= {str(name): _texts(np.asarray(nodes[name])) for name in parts.features}
    columns[label_name] = _label_texts(parts.label, len(nodes))
    if parts.split is not None:
        columns[split_name] = _split_texts(parts.split, len(nodes))
    paths = {kind: place.with_name(f"{place.name}.{kind}.csv") for kind in ("nodes", "edges")}
    _write_csv(paths["nodes"], columns)
    _write_csv(paths["edges"], dict(zip(("src", "dst"), _edge_texts(edges, parts.ids))))
    return {
        **{kind: str(path) for kind, path in paths.items()},
        **dict.fromkeys(FILE_COLUMNS, ""),
        "id-column": id,
        "label-column": label_name,
        "split-column": split_name,
        "separator": "comma",
        "node-header": "yes",
        "edge-header": "yes",
    }


def _write_csv(path: pathlib.Path, columns: dict[str, list[str]]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(columns)
        rows.writerows(zip(*columns.values()))


def _texts(column: Array) -> list[str]:
    """Cells as a file has them; None, NaN and NaT are empty."""
    if column.dtype == np.bool_:
        column = column.astype(np.int8)
    if np.issubdtype(column.dtype, np.datetime64):
        return ["" if text == "NaT" else text for text in np.datetime_as_string(column, unit="us").tolist()]
    return ["" if cell is None or cell != cell else str(cell) for cell in column.tolist()]


def _label_texts(label: Any, count: int) -> list[str]:
    labels, names, task = _inputs.encoded_labels(label, count)
    if task == "multi-label":
        chosen = (";".join(name for name, is_set in zip(names, row) if is_set > 0) or "|" for row in labels)
        return ["" if np.isnan(row).any() else text for row, text in zip(labels, chosen)]
    return ["" if number < 0 else names[number] for number in map(int, labels)]


def _split_texts(split: Any, count: int) -> list[str]:
    texts = [""] * count
    for name, nodes in zip(_inputs.SPLITS, _inputs.split_nodes(split, count)):
        for node in nodes:
            texts[node] = name
    return texts


def _edge_texts(edges: Any, ids: Array) -> list[list[str]]:
    if _inputs.is_frame(edges):
        return [_texts(np.asarray(end)) for end in _inputs.edge_ends(edges)]
    names = np.array(_texts(ids), dtype=object)
    numbers = _inputs.edge_array(edges, len(ids))
    _inputs.check_edges(numbers, len(ids))
    return [names[row].tolist() for row in numbers]
