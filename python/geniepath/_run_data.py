"""Data in the folder of a run, where the run finds it again."""

from __future__ import annotations

import itertools
import os
import pathlib
import re
from typing import Any

import numpy as np
import torch

from . import _core, _inputs
from ._cells import Array
from ._core import Error


def table_options(
    edges: Any, nodes: Any, directed: bool, *, label: Any, split: Any, positive: Any, id: str, ignore: tuple[str, ...]
) -> dict[str, Any]:
    for name, table in (("edges", edges), ("nodes", nodes)):
        if table is not None and not isinstance(table, (str, os.PathLike)):
            raise Error(
                f"train: {name} is a {type(table).__name__}, but the other is a file: give both as files, or none")
    for name, value in (("label", label), ("split", "" if split is None else split)):
        if not isinstance(value, str):
            raise Error(f"train: {name} is a column's name where nodes is a file")
    given = {"edges": os.fspath(edges or ""), "nodes": os.fspath(nodes or ""), "label-column": label, "id-column": id,
             "directed": directed}
    if split is not None:
        given["split-column"] = split
    if ignore:
        given["ignore-columns"] = ",".join(ignore)
    return given | ({} if positive is None else {"positive": str(positive)})


def data_place(folder: pathlib.Path, force: bool) -> pathlib.Path:
    """Where the data goes in the run's folder, where the run finds it again; without the ending."""
    if (folder / "model.json").exists() and not force:
        raise Error(
            f"{folder}: already holds a run; resume it (resume=True), replace it (force=True), or choose another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Error(f"out: {folder}: no folder can be made there: {error.strerror}") from None
    # The data of a run that is replaced stays until the new one is there.
    names = itertools.chain(["data"], (f"data-{number}" for number in itertools.count(2)))
    return folder / next(name for name in names if not any(folder.glob(f"{name}.*")))


def write_graph(
    folder: pathlib.Path, force: bool, directed: bool, edges: Any, nodes: Any, forms: dict[str, Any]
) -> tuple[pathlib.Path, _core.NewGraphFile]:
    """Data in memory as a graph file in the run's folder, to be finished. Columns of a data frame go there without a copy of them
    in memory; what the file was made from is free again before the training begins."""
    data = _inputs.collect(edges, nodes, **forms)
    is_new = not folder.exists()
    path = data_place(folder, force).with_suffix(".safetensors")
    first, second = (np.ascontiguousarray(ends, dtype=np.int64) for ends in data.ends)
    try:
        file = _core.write_data(str(path), "data", data.task, (first, second), data.num_nodes, not directed,
                                _features(data.features), _tensor(data.labels), data.class_names, data.node_names,
                                data.splits, data.columns)
    except Error:
        if is_new:
            folder.rmdir()
        data.check()
        raise
    return path, file


def _features(given: Any) -> Any:
    if isinstance(given, list):
        return given
    if hasattr(given, "tocsr"):
        rows = tuple(map(_tensor, (given.indptr, given.indices, given.data.astype(np.float32, copy=False))))
        return (*rows, int(given.shape[1]))
    return _tensor(given)


def _tensor(array: Array) -> torch.Tensor:
    """A view where PyTorch takes one: of an array that may be written to."""
    return torch.from_numpy(np.require(array, requirements=["C", "W"]))


def remove_data_of_replaced_runs(folder: pathlib.Path, kept: list[pathlib.Path]) -> None:
    for path in folder.iterdir():
        if re.fullmatch(r"data(-\d+)?\.(safetensors|nodes\.csv|edges\.csv)", path.name) and path not in kept:
            path.unlink()
