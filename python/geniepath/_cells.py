"""Cells of data frames: which are empty, and their text."""

from __future__ import annotations

import datetime
import decimal
import sys
from typing import Any, Callable

import numpy as np

from ._core import Error

Array = np.ndarray[Any, Any]

_KINDS = (str, bool, int, float, np.generic, decimal.Decimal, datetime.date)


def cells(column: Any) -> Array:
    """A column as an array; pandas' own numbers as NumPy's, NaN where missing, and its truth values where none is.
    Integers that floats would round stay objects where some are missing."""
    kind = getattr(getattr(column, "dtype", None), "numpy_dtype", None)
    if kind is None or kind.kind not in "biuf":
        return np.asarray(column)
    if not column.isna().any():
        return column.to_numpy(dtype=kind)
    if kind.kind == "b" or (kind.kind in "iu" and _are_large(column.dropna().to_numpy(dtype=kind))):
        objects: Array = column.to_numpy(dtype=object)
        return objects
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _are_large(integers: Array) -> bool:
    """Whether some may be rounded as float64."""
    return len(integers) > 0 and (int(integers.max()) > 2**53 or int(integers.min()) < -(2**53))


def missing(column: Array) -> Array:
    """Where a column has no value: None, NaN, NaT or pandas' NA."""
    if column.dtype.kind in "fc":
        return np.asarray(np.isnan(column))
    if column.dtype.kind in "mM":
        return np.asarray(np.isnat(column))
    if column.dtype != object:
        return np.zeros(len(column), dtype=bool)
    pandas = sys.modules.get("pandas")  # where it is not imported, no cell is its NA
    if pandas is not None:
        return np.asarray(pandas.isna(column))
    return np.array([cell is None or cell != cell for cell in column.tolist()], dtype=bool)


def missing_or_empty(column: Array) -> Array:
    """Where a column has no value, or an empty text."""
    found = missing(column)
    if column.dtype.kind in "OUS":
        found[~found] = column[~found] == ""  # pandas' NA cannot be compared
    return found


def names(column: Array) -> list[str]:
    """Ids as text."""
    return [name(cell) for cell in (column if column.dtype.kind == "M" else column.tolist())]


def name(cell: Any) -> str:
    """An id as text: 1 for 1.0, and dates and times as ISO has them, whatever holds them."""
    if isinstance(cell, (float, np.floating)) and float(cell).is_integer():
        return str(int(cell))
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(timespec="microseconds")
    return str(np.datetime_as_string(cell, unit="us")) if isinstance(cell, np.datetime64) else _text(cell)


def texts(what: str, column: Array) -> list[str]:
    """Cells as a file has them, empty where missing; an Error names `what` holds anything but numbers, dates and text."""
    return _checked(what, column, _text)


def id_texts(what: str, ids: Array) -> list[str]:
    """The same of ids, as `name` has them."""
    check_exact(what, ids)
    return _checked(what, ids, name)


def check_exact(what: str, ids: Array) -> None:
    """Checks that no id is a float so large that another whole number may have been rounded to it."""
    if ids.dtype.kind == "f":
        rounded = _may_be_rounded(ids)
    elif ids.dtype == object:
        is_float = [isinstance(cell, (float, np.floating)) for cell in ids.tolist()]
        rounded = np.zeros(len(ids), dtype=bool)
        for row in np.flatnonzero(is_float):
            rounded[row] = _may_be_rounded(np.asarray(ids[row]))
    else:
        return
    if rounded.any():
        row = int(np.argmax(rounded))
        kind = np.asarray(ids[row]).dtype
        raise Error(f"{what} holds {ids[row]} in row {row}, a {kind}, in which whole numbers from 2^{_bits(kind)} on "
                    "are rounded, expected integers or text")


def _may_be_rounded(x: Array) -> Array:
    return np.asarray(np.isfinite(x) & (np.abs(x) >= 2.0 ** _bits(x.dtype)))


def _bits(kind: Any) -> int:
    return min(int(np.finfo(kind).nmant), 52) + 1  # what is wider becomes float64


def _checked(what: str, column: Array, text: Callable[[Any], str]) -> list[str]:
    if column.dtype == np.bool_:
        column = column.astype(np.int8)
    if column.dtype.kind in "mc":
        raise Error(f"{what} holds {column.dtype}, expected numbers, dates or text")
    empty = missing(column).tolist()
    if column.dtype.kind == "M":
        found = np.datetime_as_string(column, unit="us").tolist()
    else:
        found = column.tolist()
    if column.dtype == object:
        for row, (cell, is_empty) in enumerate(zip(found, empty)):
            if not is_empty and (not isinstance(cell, _KINDS) or isinstance(cell, np.timedelta64)):
                raise Error(f"{what} holds a {type(cell).__name__} in row {row}, expected numbers, dates or text")
    return ["" if is_empty else text(cell) for cell, is_empty in zip(found, empty)]


def check_text(what: str, found: list[str]) -> None:
    """Checks that files can hold the text."""
    try:
        "".join(found).encode()
    except UnicodeEncodeError:
        wrong = next(text for text in found if any(0xD800 <= ord(letter) < 0xE000 for letter in text))
        raise Error(f"{what} {ascii(wrong)} has half of a surrogate pair, which is no text") from None


def _text(cell: Any) -> str:
    """A cell's text; truth values become 0 or 1, as in columns without empty cells."""
    return str(int(cell)) if isinstance(cell, (bool, np.bool_)) else str(cell)


def check_finite(name: str, values: Array, advice: str = "", begins: Array | None = None) -> None:
    """Checks that all values are finite. `begins`: where each row begins among the values of a sparse matrix."""
    if not np.isfinite(values).all():
        row = int(np.argwhere(~np.isfinite(values))[0][0])
        if begins is not None:
            row = int(np.searchsorted(begins, row, side="right")) - 1
        raise Error(f"{name} has a NaN or infinite value, the first in row {row}{advice}")
