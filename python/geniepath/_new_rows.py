"""Rows that come after training, with the columns and ids of the training data, as the library scores them."""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import tempfile
import warnings
from typing import Any

import numpy as np
import torch

from . import _arguments, _core, _frames, _tables
from ._arrays import check_edges, edge_array
from ._cells import Array, cells, id_texts, texts
from ._core import Error


class Note(UserWarning):
    """An assumption about data, or something that looks wrong in it, in the program's own words."""


def is_path(x: Any) -> bool:
    return isinstance(x, (str, os.PathLike))


def score_tables(run: _core.Run, nodes: Any, edges: Any, id: str | None, ignore: tuple[str, ...],
                 ignored: str) -> tuple[list[str], torch.Tensor]:
    """Ids and probabilities of the rows of files, or of frames written as files: read as `geniepath score` reads them.
    `ignored`: the columns that training left out, separated by commas."""
    are_named = True
    with tempfile.TemporaryDirectory(prefix="geniepath-") as folder:
        if is_path(nodes):
            left_out = filter(None, (ignored, _arguments.listed_names("score", ignore)))
            options = _files(nodes, edges, id) | {"ignore-columns": ",".join(left_out)}
        else:
            options, are_named = _written(pathlib.Path(folder), run, nodes, edges, id, ignore)
            if len(nodes) == 0:
                return [], torch.empty(0, 1 if run.task == "binary" else run.num_classes)
        ids, _, probabilities, notes = run.score_tables(json.dumps(options))
    for note in notes:
        warnings.warn(note, Note, stacklevel=4)
    return ids if are_named else list(map(str, range(len(ids)))), probabilities


def _files(nodes: Any, edges: Any, id: str | None) -> dict[str, Any]:
    if edges is not None and not is_path(edges):
        raise Error(f"score: nodes is a file, but edges is a {type(edges).__name__}: give both as files, or none")
    given = {"nodes": os.fspath(nodes), "edges": "" if edges is None else os.fspath(edges)}
    return given if id is None else given | {"id-column": id}


def _written(
    folder: pathlib.Path, run: _core.Run, nodes: Any, edges: Any, id: str | None, ignore: tuple[str, ...]
) -> tuple[dict[str, Any], bool]:
    """Options that name the files of a frame, and whether its rows have ids of their own."""
    if "," in str(folder):
        raise Error(f"score: {folder} has a comma, which separates paths of tables; TMPDIR names the temporary folder")
    if id is None:
        # A table without ids has the numbers of its rows.
        id = run.id_column if run.id_column in map(str, nodes.columns) else _frames.USUAL_ID
    ids = frame_ids(nodes, id, ignore)
    _frames.check_ignored(ignore, [str(name) for name in nodes.columns])
    are_named = edges is not None or _frames.has_ids(nodes, id)
    columns = {id: ids if are_named else _other_names(run, len(ids))} | {
        str(name): texts(f"nodes: column '{name}'", cells(nodes[name]))
        for name in nodes.columns
        if str(name) not in (id, *ignore)
    }
    _tables.write_csv(folder / "nodes.csv", columns)
    options = {"nodes": str(folder / "nodes.csv"), "separator": "comma", "node-header": "yes", "id-column": id}
    if edges is None:
        return options, are_named
    _tables.write_csv(folder / "edges.csv", dict(zip(("src", "dst"), _ends(run, ids, edges))))
    ends = {"edge-source": "src", "edge-target": "dst", "edge-header": "yes"}
    return options | ends | {"edges": str(folder / "edges.csv")}, are_named


def frame_ids(nodes: Any, id: str, ignore: tuple[str, ...]) -> list[str]:
    """Ids from the column, or the frame's index, as text."""
    _frames.column_names("nodes", nodes, ignore)
    return id_texts("nodes: the id", _frames.frame_ids(nodes, id))


def _names(run: _core.Run) -> list[str]:
    return run.node_names or [str(number) for number in range(run.num_nodes)]


def _other_names(run: _core.Run, count: int) -> list[str]:
    """Names that no node of the run has, for rows that are only counted."""
    known = set(_names(run))
    unused = (name for name in map("row {}".format, itertools.count()) if name not in known)
    return list(itertools.islice(unused, count))


def _ends(run: _core.Run, ids: list[str], edges: Any) -> list[list[str]]:
    if is_path(edges):
        raise Error("score: nodes is no file, but edges is one: give both as files, or none")
    if _frames.is_frame(edges):
        return [id_texts("edges", cells(end)) for end in _frames.edge_ends(edges)]
    names = np.array(_names(run) + ids, dtype=object)
    numbers = edge_array(edges, len(names))
    check_edges(numbers, len(names))
    return [names[row].tolist() for row in numbers]


def frame_matrix(run: _core.Run, nodes: Any, id: str | None, ignore: tuple[str, ...]) -> Array:
    """The features of a frame, in the order of the training's columns; by place where these have no names."""
    trained = run.columns[0] if run.columns else []
    _frames.check_ignored(ignore, [str(name) for name in nodes.columns])
    special = {id or _frames.USUAL_ID, *ignore, *({"label", "split"}.difference(trained))}
    found = {str(name): name for name in nodes.columns if str(name) not in special}
    wanted = trained or list(found)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise Error(
            f"score: nodes has no column '{missing[0]}', which the run was trained on; its columns are {', '.join(found)}"
        )
    other = [name for name in found if name not in wanted]
    if other:
        is_named = id is not None or _frames.has_ids(nodes, _frames.USUAL_ID)
        advice = "" if is_named else f", or name it (id={other[0]!r})"
        raise Error(f"score: nodes has the column '{other[0]}', which the run was not trained on; leave it out "
                    f"(ignore=[...]){advice}")
    return _frames.columns(nodes, [found[name] for name in wanted])


def frame_edges(run: _core.Run, ids: list[str], edges: Any) -> Array:
    """Edges by id as numbers, new rows after the run's own nodes; those among the latter are left out, as the graph stays."""
    known = _names(run)
    where = {name: row for row, name in enumerate(known)}
    for row, name in enumerate(ids):
        if name in where and where[name] < len(known):
            raise Error(
                f"score: row {row} of nodes has the id '{name}', a node of the graph that the run was trained on")
        if where.setdefault(name, len(known) + row) != len(known) + row:
            raise Error(f"score: nodes: the id '{name}' occurs in rows {where[name] - len(known)} and {row}")
    rows = []
    for name, end in zip(("first", "second"), _ends(run, ids, edges)):
        rows.append(np.array([where.get(text, -1) for text in end], dtype=np.int64))
        if (rows[-1] < 0).any():
            row = int(np.argmax(rows[-1] < 0))
            raise Error(
                f"score: edges: row {row} names '{end[row]}' in its {name} column, which is neither a node of the graph "
                "nor a new row")
    both = np.stack(rows)
    return both[:, (both >= len(known)).any(0)]
