"""Data in the folder of a run, where the run finds it again."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import pathlib
import re
import secrets
import shutil
import tempfile
import weakref
from typing import Any, Iterator

import numpy as np
import torch

from . import _arguments, _core, _frames, _inputs, _tables
from ._cells import Array
from ._core import Error
from ._ids import check_distinct
from ._targets import check_two_classes


class TemporaryFolder:
    """A folder that lives as long as this object in the process that made it: forked ones have copies of the object."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="geniepath-")
        weakref.finalize(self, _remove_folder, self.name, os.getpid())


def _remove_folder(name: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(name, ignore_errors=True)


def write(folder: pathlib.Path, force: bool, directed: bool, edges: Any, nodes: Any, forms: dict[str, Any],
          given: dict[str, Any]) -> tuple[list[pathlib.Path], _core.NewGraphFile | None]:
    """Puts data that is in memory into the run's folder, names it in the options `given`, and returns its files, and
    the one that the training finishes."""
    of_tables = given.get("tables", {})
    _arguments.check_options_of_tables(of_tables)
    if isinstance(edges, (str, os.PathLike)) or isinstance(nodes, (str, os.PathLike)):
        described = table_options(edges, nodes, directed, **forms)
        _check_no_data(given, "tables")
        given.setdefault("tables", {}).update(described)
        given.setdefault("data", {})["data"] = "tables"
        return [], None
    if edges is None:
        if nodes is not None:
            raise Error("train: edges was not given")
        _check_data_set(directed, forms, given)
        return [], None
    _check_no_data(given)
    label, split, id, ignore = (forms[name] for name in ("label", "split", "id", "ignore"))
    if _tables.are_needed(edges, nodes, label, split, id, ignore, of_tables):
        _check_no_comma(folder)
        with new_files(folder, force, (".nodes.csv", ".edges.csv")) as written:
            tables = _tables.write(dict(zip(("nodes", "edges"), written)), edges, nodes, label, split, id, ignore,
                                   of_tables.get("task"))
            _arguments.check_not_written(of_tables, tables.keys() - {*_tables.FILE_COLUMNS, "task"})
        tables |= {"directed": directed} | ({} if forms["positive"] is None else {"positive": str(forms["positive"])})
        given["tables"] = tables | of_tables | {name: tables[name] for name in tables.keys() & {"task"}}
        given.setdefault("data", {})["data"] = "tables"
        return written, None
    kind = edges if nodes is None or _frames.is_networkx(edges) else nodes
    _arguments.check_no_options_of_tables(of_tables, f"the data is a {type(kind).__name__}")
    path, file = write_graph(folder, force, directed, edges, nodes, forms, of_tables.get("task"))
    given.setdefault("data", {})["data"] = str(path)
    given.setdefault("transforms", {}).setdefault("feature-transform", "standardise")
    return [path], file


def _check_no_comma(folder: pathlib.Path) -> None:
    path = os.path.abspath(folder)
    if "," in path:
        raise Error(f"train: out is {path}, expected a path without a comma, which separates paths of tables: data of this "
                    "form is written there as tables")


def _check_data_set(directed: bool, forms: dict[str, Any], given: dict[str, dict[str, Any]]) -> None:
    """Checks that nothing says how to read the data, where an option names a data set."""
    _arguments.refuse(_arguments.given(forms | {"directed": directed}), "no edges: a data set (data=...) has its own")
    data = given.get("data", {}).get("data", "")
    if data != "tables":
        _arguments.check_no_options_of_tables(given.get("tables", {}), f"the data is '{data}'")


def _check_no_data(given: dict[str, dict[str, Any]], *allowed: str) -> None:
    data = given.get("data", {}).get("data")
    if data is not None and data not in allowed:
        raise Error(f"train: data is '{data}', but edges were given, too: give one of them")
    others = [option for option in given.get("data", {}) if option not in ("data", "verify")]
    _arguments.refuse(others, "edges were given, too: it says which data set is read")


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
        given["ignore-columns"] = _arguments.listed_names("train", ignore)
    return given | ({} if positive is None else {"positive": str(positive)})


@contextlib.contextmanager
def new_files(folder: pathlib.Path, force: bool, endings: tuple[str, ...]) -> Iterator[list[pathlib.Path]]:
    """Empty files in the run's folder, where the run finds its data again, which no other training takes or removes.
    They are gone after an error, and the folder, if it was made for them."""
    is_new = not folder.exists()
    _make(folder, force)
    files = _reserved(folder, endings)
    try:
        yield files
    except BaseException:
        remove(files)
        if is_new:
            with contextlib.suppress(OSError):  # another training may have begun there
                folder.rmdir()
        raise


def _make(folder: pathlib.Path, force: bool) -> None:
    if (folder / "model.json").exists() and not force:
        raise Error(
            f"{folder}: already holds a run; resume it (resume=True), replace it (force=True), or choose another folder"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Error(f"out: {folder}: no folder can be made there: {error.strerror}") from None


def _reserved(folder: pathlib.Path, endings: tuple[str, ...]) -> list[pathlib.Path]:
    # The data of a run that is replaced stays until the new run exists. No name is given twice: a Run of the replaced
    # one, which has not read its data yet, would read the new run's.
    names = (f"data-{secrets.randbelow(10**12)}" for _ in itertools.count())
    for name in names if (folder / "model.json").exists() else itertools.chain(["data"], names):
        files = [folder / f"{name}{ending}" for ending in endings]
        if not any(folder.glob(f"{name}.*")) and _made(files[0]):  # the first stands for the others
            return files
    raise AssertionError


def _made(path: pathlib.Path) -> bool:
    """Creates the file; False if it exists, perhaps since a moment ago."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        return False
    except OSError as error:
        raise Error(f"out: {path.parent}: no file can be made there: {error.strerror}") from None
    return True


def write_graph(
    folder: pathlib.Path, force: bool, directed: bool, edges: Any, nodes: Any, forms: dict[str, Any], task: Any
) -> tuple[pathlib.Path, _core.NewGraphFile]:
    """Data in memory as a graph file in the run's folder, to be finished. Columns of a data frame go there without a
    copy of them in memory; what the file was made from is free again before the training begins."""
    data = _inputs.collect(edges, nodes, **forms)
    check_two_classes(data.class_names, task)
    with new_files(folder, force, (".safetensors",)) as (path,):
        first, second = (np.ascontiguousarray(ends, dtype=np.int64) for ends in data.ends)
        try:
            file = _core.write_data(str(path), "data", data.task, (first, second), data.num_nodes, not directed,
                                    _features(data.features), tensor(data.labels), data.class_names, data.node_names,
                                    data.splits, data.columns)
        except Error:
            check_distinct(data.node_names)
            data.check()
            raise
    return path, file


def _features(given: Any) -> Any:
    if isinstance(given, list):
        return given
    if hasattr(given, "tocsr"):
        rows = tuple(map(tensor, (given.indptr, given.indices, given.data.astype(np.float32, copy=False))))
        return (*rows, int(given.shape[1]))
    return tensor(given)


def tensor(array: Array) -> torch.Tensor:
    """A view where PyTorch takes one: of an array that may be written to."""
    return torch.from_numpy(np.require(array, requirements=["C", "W"]))


def described(folder: pathlib.Path) -> dict[str, Any]:
    """model.json; nothing where there is none that can be read, as the library then says."""
    with contextlib.suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        return found
    return {}


_DATA_FILE = re.compile(r"data(-\d+)?\.(safetensors|nodes\.csv|edges\.csv)")


def data_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """Data that the training of the run in the folder put there."""
    if not folder.is_dir():
        return []
    return _named(folder, [path for path in folder.iterdir() if _DATA_FILE.fullmatch(path.name)])


def remove(files: list[pathlib.Path]) -> None:
    for path in files:
        path.unlink(missing_ok=True)


def remove_unless_named(folder: pathlib.Path, files: list[pathlib.Path]) -> None:
    """Files of a training that ended early, or of a run that was replaced, unless a run in the folder names them."""
    remove([path for path in files if path not in _named(folder, files)])


def _named(folder: pathlib.Path, files: list[pathlib.Path]) -> list[pathlib.Path]:
    """Those that a run in the folder names as its data."""
    runs = []
    for place in (folder / "model.json", *folder.glob(".*/model.json")):
        with contextlib.suppress(OSError, ValueError):
            runs.append(place.read_text(encoding="utf-8"))
    return [path for path in files if any(re.search(f'["/,]{re.escape(path.name)}[",]', run) for run in runs)]
