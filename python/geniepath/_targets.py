"""Labels and splits, in the forms that people have them."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from ._cells import Array, missing, missing_or_empty
from ._core import Error
from ._tensors import array, plain

SPLITS = ("train", "valid", "test")

_EXACT = 2**53  # whole numbers up to here are floats, too

# Texts that are finite numbers, as in tables (src/io/csv.cpp: parse_number()).
_NUMBER = re.compile(r"(?:\+(?!-))?-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def encoded_labels(label: Any, num_nodes: int, positive: Any = None) -> tuple[Array, list[str], str]:
    """Labels as class numbers; None, NaN, "" and negative numbers are unknown. Two dimensions: labels of 0 and 1."""
    label = plain("label", label)
    values = array("label", label.toarray() if hasattr(label, "toarray") else label)
    if values.dtype.kind not in "biufOU":
        raise Error(f"label holds {values.dtype}, expected numbers, text or truth values")
    if values.shape[:1] != (num_nodes,):
        raise Error(f"label has shape {list(values.shape)}, expected one label per node, {num_nodes}")
    if values.ndim > 2 or values.size < num_nodes:
        raise Error(f"label has shape {list(values.shape)}, expected one label per node, [N], or several, [N, L]")
    if values.ndim == 2 and values.shape[1] > 1:
        return _several(values), [str(column) for column in range(values.shape[1])], "multi-label"
    values = _as_numbers(values.reshape(-1))
    known = ~_unknown(values)
    texts = values if known.all() else values[known]
    if values.dtype == object:
        texts = np.array([_object_text(value) for value in texts.tolist()], dtype=str)
    elif np.issubdtype(values.dtype, np.floating) and (texts == np.round(texts)).all():
        if (np.abs(texts) <= _EXACT).all():
            texts = texts.astype(np.int64)  # integers that are floats for the sake of NaN
    classes, numbers = _distinct(texts)
    names = [_class_text(name) for name in classes.tolist()]
    if classes.dtype.kind == "U":
        names, numbers = _by_value(names, numbers)
    labels: Array = numbers.astype(np.int64, copy=False)
    if len(numbers) < num_nodes:
        labels = np.full(num_nodes, -1, dtype=np.int64)
        labels[known] = numbers
    if positive is not None:
        labels, names = _with_positive(labels, names, _class_text(positive))
    return labels, names, "binary" if len(names) == 2 else "multi-class"


def _object_text(value: Any) -> str:
    if isinstance(value, bytes):
        raise Error("label holds bytes, expected numbers, text or truth values: decode them")
    return str(value)


def _by_value(names: list[str], numbers: Array) -> tuple[list[str], Array]:
    """Classes in the order of tables: by value where all are numbers, which "10" and "9" are."""
    values = [float(name) if _NUMBER.fullmatch(name) else math.inf for name in names]
    if not all(map(math.isfinite, values)):
        return names, numbers
    order = sorted(range(len(names)), key=lambda place: (values[place], names[place]))
    places: Array = np.empty(len(names), dtype=np.int64)
    places[order] = np.arange(len(names))
    return [names[place] for place in order], places[numbers]


def check_two_classes(names: list[str], task: Any) -> None:
    """As the library does for tables, where a binary task completes a lone class."""
    if len(names) == 1 and task not in ("binary", "unsupervised"):
        raise Error(f"label: every label is '{names[0]}', expected two classes or more")


def known_labels(label: Any, num_nodes: int) -> Array:
    """The nodes that have one, as a mask."""
    labels, _, task = encoded_labels(label, num_nodes)
    return ~np.isnan(labels).any(axis=1) if task == "multi-label" else labels >= 0


def _several(values: Array) -> Array:
    """Labels side by side, as f32."""
    try:
        labels = np.ascontiguousarray(values, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise Error(f"label has shape {list(values.shape)}, expected 0 or 1 in each column: {error}") from None
    wrong = ~((labels == 0) | (labels == 1)).all(axis=1) & ~np.isnan(labels).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise Error(
            f"label is {values[row].tolist()} in row {row}, expected 0 or 1 in each column, or NaN in all of them")
    return labels


def _distinct(values: Array) -> tuple[Array, Array]:
    """The different values, ascending, and the place of each value among them."""
    if values.size > 0 and values.dtype.kind in "iu" and np.can_cast(values.dtype, np.int64):
        first, last = int(values.min()), int(values.max())
        if last - first <= len(values):  # by a table, which takes a fraction of a sort's time
            steps: Array = values.astype(np.int64, copy=False)
            if first != 0:
                steps = steps - first
            occurs = np.bincount(steps) > 0
            numbers = steps if occurs.all() else (np.cumsum(occurs) - 1)[steps]
            return np.flatnonzero(occurs) + first, numbers
    classes, numbers = np.unique(values, return_inverse=True)
    return classes, numbers


def _unknown(values: Array) -> Array:
    if values.dtype.kind not in "iuf":
        found = missing_or_empty(values)
        known: list[Any] = list(values[~found].tolist())
        if values.dtype == object and all(map(_is_number, known)):
            found[~found] = [value < 0 for value in known]
        return found
    if values.dtype.kind == "f" and np.isinf(values).any():
        row = int(np.argmax(np.isinf(values)))
        raise Error(f"label is {values[row]} in row {row}, expected a class, or nothing where it is unknown")
    return np.asarray((values < 0) | missing(values))


def _as_numbers(values: Array) -> Array:
    """Numbers that are objects because some are missing, as floats with NaN."""
    if values.dtype != object:
        return values
    empty = missing_or_empty(values)
    known: list[Any] = list(values[~empty].tolist())
    if not known or not all(_is_number(value) and (abs(value) <= _EXACT or abs(value) == np.inf) for value in known):
        return values
    numbers: Array = np.full(len(values), np.nan)
    numbers[~empty] = known
    return numbers


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _class_text(name: Any) -> str:
    """The name of a class as in `encoded_labels`: "1" also where labels are floats."""
    is_whole = isinstance(name, (float, np.floating)) and float(name).is_integer() and abs(float(name)) <= _EXACT
    return str(int(name)) if is_whole else str(name)


def _with_positive(labels: Array, names: list[str], positive: str) -> tuple[Array, list[str]]:
    if len(names) != 2 or positive not in names:
        raise Error(f"positive is '{positive}', expected one of two classes, found {', '.join(names)}")
    if names[0] == positive:
        return np.where(labels < 0, labels, 1 - labels), names[::-1]
    return labels, names


def split_nodes(split: Any, num_nodes: int) -> tuple[list[int], list[int], list[int]]:
    """Training, validation and test nodes: from one name per node, or a mask or numbers per name; None: drawn later."""
    if split is None:
        return [], [], []
    if isinstance(split, dict):
        unknown = [name for name in split if name not in SPLITS]
        if unknown:
            raise Error(f"split has '{unknown[0]}', expected {', '.join(SPLITS)}")
        train, valid, test = (node_numbers(f"split {name}", split.get(name, []), num_nodes) for name in SPLITS)
        _check_apart(train, valid, test)
        return train, valid, test
    names = array("split", split)
    if names.shape != (num_nodes,):
        raise Error(f"split has shape {list(names.shape)}, expected one of {', '.join(SPLITS)} or nothing per node")
    texts = np.where(missing(names), "", names.astype(str))
    wrong = sorted(set(texts.tolist()) - {*SPLITS, ""})
    if wrong:
        raise Error(f"split has '{wrong[0]}', expected {', '.join(SPLITS)} or nothing")
    train, valid, test = (np.flatnonzero(texts == name).tolist() for name in SPLITS)
    return train, valid, test


def as_mask(what: str, given: Any, num_nodes: int) -> Array:
    """Truth values, or bytes as PyTorch once had masks."""
    mask = array(what, given)
    if mask.dtype not in (np.bool_, np.uint8) or mask.shape != (num_nodes,):
        raise Error(
            f"{what} has shape {list(mask.shape)} of {mask.dtype}, expected one truth value per node, {num_nodes}")
    return mask.astype(np.bool_, copy=False)


def node_numbers(what: str, nodes: Any, num_nodes: int) -> list[int]:
    """From numbers, or a mask."""
    chosen = array(what, nodes)
    if chosen.dtype == np.bool_:
        if chosen.shape != (num_nodes,):
            raise Error(f"{what} has shape {list(chosen.shape)}, expected one truth value per node, {num_nodes}")
        return list(map(int, np.flatnonzero(chosen)))
    if chosen.size > 0 and not np.issubdtype(chosen.dtype, np.integer):
        raise Error(f"{what} holds {chosen.dtype}, expected numbers of nodes or one truth value per node")
    numbers = [int(node) for node in chosen.reshape(-1).tolist()]
    for node in numbers:
        if not 0 <= node < num_nodes:
            raise Error(f"{what} has the node {node}, expected 0 to below {num_nodes}")
    return numbers


def _check_apart(*splits: list[int]) -> None:
    """That each node is in one split, once."""
    seen: dict[int, str] = {}
    for name, nodes in zip(SPLITS, splits):
        for node in nodes:
            if node in seen:
                raise Error(f"split {name} has the node {node} twice" if seen[node] == name else
                            f"split: the node {node} is in {seen[node]} and in {name}")
            seen[node] = name
