"""Matrices and edges without names, in the forms that people have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._cells import Array, cells, check_exact, check_finite, missing_or_empty
from ._core import Error
from ._frames import edge_ends, is_frame
from ._tensors import array, plain


def matrix(name: str, x: Any) -> Any:
    """Features as f32 [N, P], without a copy where they are; SciPy's matrices and sparse tensors stay sparse."""
    x = plain(name, x)
    if hasattr(x, "tocsr"):
        _check_places(name, x)
        return _sparse_rows(name, x.tocsr())
    try:
        with np.errstate(over="ignore"):
            given = np.asarray(x)
            if given.ndim == 0:
                raise Error(f"{name} is a {type(x).__name__}, expected one row per node, [N, P]")
            _check_numbers(name, given.dtype)
            values = np.ascontiguousarray(given, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise error if isinstance(error, Error) else Error(f"{name}: expected numbers, {error}") from None
    if values.ndim != 2:
        raise Error(f"{name} has shape {list(values.shape)}, expected one row per node, [N, P]")
    check_finite(name, values)
    return values


def _sparse_rows(name: str, rows: Any) -> Any:
    """Compressed rows, sorted, where no entry occurs twice: the caller's own if they are."""
    _check_numbers(name, rows.dtype)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    with np.errstate(over="ignore"):
        check_finite(name, rows.data.astype(np.float32, copy=False), begins=rows.indptr)
    return rows


def _check_places(name: str, x: Any) -> None:
    """That the entries of a SciPy matrix lie inside it, which SciPy's loops take for granted."""
    if len(x.shape) != 2:
        raise Error(f"{name} has shape {list(x.shape)}, expected a matrix")
    layout = getattr(x, "format", "")
    rows, columns = (size // block for size, block in zip(x.shape, getattr(x, "blocksize", (1, 1))))
    if layout == "csc":
        rows, columns = columns, rows
    if layout in ("csr", "csc", "bsr"):
        _check_begins(name, x.indptr, rows, min(len(x.indices), len(x.data)))
        _check_range(f"{name}: indices", x.indices[: x.indptr[-1]], columns)
    elif layout == "coo":
        _check_range(f"{name}: row", x.row, rows)
        _check_range(f"{name}: col", x.col, columns)


def _check_begins(name: str, begins: Array, rows: int, entries: int) -> None:
    if len(begins) != rows + 1 or begins[0] != 0 or begins[-1] > entries or (begins[1:] < begins[:-1]).any():
        raise Error(f"{name}: indptr of a sparse matrix must ascend from 0 to at most {entries} in {rows + 1} numbers")


def _check_range(what: str, places: Array, size: int) -> None:
    if places.size > 0 and not 0 <= int(places.min()) <= int(places.max()) < size:
        wrong = int(np.argmax((places < 0) | (places >= size)))
        raise Error(f"{what} of a sparse matrix: entry {wrong} is {places[wrong]}, expected 0 to below {size}")


def _check_numbers(name: str, dtype: Any) -> None:
    if dtype.kind in "cmMV":
        raise Error(f"{name} holds {dtype}, expected numbers")


def edge_array(edges: Any, num_nodes: int) -> Array:
    """Edges as integers [2, E], from such an array, a sparse matrix A (A[i, j]: i -> j) or a frame of numbers."""
    edges = plain("edges", edges)
    if hasattr(edges, "tocoo"):
        if edges.shape != (num_nodes, num_nodes):
            raise Error(
                f"edges has shape {list(edges.shape)}, expected {[num_nodes, num_nodes]}, as there are {num_nodes} nodes"
            )
        _check_places("edges", edges)
        found = edges.tocoo()
        if getattr(edges, "format", "") == "bsr":  # blocks are padded with zeros
            found.eliminate_zeros()
        return np.stack([found.row, found.col]).astype(np.int64)
    if is_frame(edges):
        return np.stack([_row_numbers(place, ends) for place, ends in zip(("first", "second"), edge_ends(edges))])
    ends = array("edges", edges)
    if ends.ndim == 2 and ends.shape[0] != 2 and ends.shape[1] == 2:
        raise Error(f"edges has shape {list(ends.shape)}, expected integers [2, E], sources above targets: transpose "
                    "it")
    if ends.ndim != 2 or ends.shape[0] != 2 or (ends.size > 0 and not np.issubdtype(ends.dtype, np.integer)):
        raise Error(f"edges has shape {list(ends.shape)} of {ends.dtype}, expected integers [2, E]")
    return ends.astype(np.int64, copy=False)


def _row_numbers(place: str, ends: Any) -> Array:
    """Ends of edges beside a matrix, whose rows have no names but their numbers."""
    values = cells(ends)
    empty = missing_or_empty(values)
    if empty.any():
        raise Error(f"edges: row {int(np.argmax(empty))} names no node in its {place} column")
    if values.dtype == object and all(isinstance(x, (int, np.integer)) and not isinstance(x, bool) for x in values):
        numbers: list[Any] = list(values)
        large = [row for row, x in enumerate(numbers) if abs(x) > 2**53]
        if large:
            raise Error(
                f"edges: row {large[0]} has a number beyond 2^53 in its {place} column, expected the number of a row")
        values = values.astype(np.float64)
    if values.dtype.kind not in "iuf":
        raise Error(f"edges: the {place} column holds {values.dtype}, expected numbers of rows, as nodes has no ids")
    wrong = (values != np.round(values)) | np.isinf(values) if values.dtype.kind == "f" else np.array([False])
    if wrong.any():
        row = int(np.argmax(wrong))
        raise Error(f"edges: row {row} has {values[row]} in its {place} column, expected the number of a row")
    check_exact(f"edges: the {place} column", values)
    return values.astype(np.int64, copy=False)


def check_edges(edge_index: Array, nodes: int) -> None:
    if edge_index.size > 0 and not 0 <= int(edge_index.min()) <= int(edge_index.max()) < nodes:
        place = int(np.argmax(((edge_index < 0) | (edge_index >= nodes)).any(0)))
        raise Error(f"edges: edge {place} joins {edge_index[:, place].tolist()}, but there are {nodes} nodes, from 0")
