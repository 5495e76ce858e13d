"""Tensors as NumPy's arrays, or SciPy's where they are sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ._cells import Array, cells
from ._core import Error


def plain(what: str, x: Any) -> Any:
    """Tensors as arrays, anything else as it is; an Error names what cannot be read."""
    if isinstance(x, np.ma.MaskedArray):
        raise Error(f"{what} is a masked array, expected a plain one: fill it first, x.filled(...)")
    if not isinstance(x, torch.Tensor):
        return x
    x = x.detach().cpu()
    if x.layout in (torch.sparse_coo, torch.sparse_csr):
        return _sparse(what, x)
    if x.layout != torch.strided:
        raise Error(f"{what} is a tensor of {x.layout}, expected torch.strided, torch.sparse_coo or torch.sparse_csr")
    return _numpy(what, x)


def array(what: str, x: Any) -> Array:
    try:
        return cells(plain(what, x))
    except ValueError as error:
        if isinstance(error, Error):
            raise
        raise Error(f"{what} is a {type(x).__name__} of rows of different lengths") from None


def _numpy(what: str, x: torch.Tensor) -> Any:
    try:
        return (x.float() if x.dtype == torch.bfloat16 else x).resolve_conj().resolve_neg().numpy()
    except (TypeError, RuntimeError) as error:
        raise Error(f"{what} is a tensor of {x.dtype}, which NumPy has not: {str(error).splitlines()[0]}") from None


def _sparse(what: str, x: torch.Tensor) -> Any:
    try:
        import scipy.sparse
    except ImportError:
        raise Error(f"{what} is a sparse tensor, which SciPy reads, and SciPy is not installed") from None
    if x.dim() != 2:
        raise Error(f"{what} is a sparse tensor of shape {list(x.shape)}, expected a matrix")
    if x.layout == torch.sparse_csr:
        rows = _numpy(what, x.values()), x.col_indices().numpy(), x.crow_indices().numpy()
        return scipy.sparse.csr_matrix(rows, tuple(x.shape))
    x = x.coalesce()
    return scipy.sparse.coo_matrix((_numpy(what, x.values()), tuple(x.indices().numpy())), tuple(x.shape))
