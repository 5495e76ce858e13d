"""Sparse features: PyTorch's coordinates or compressed rows, arranged once per tensor as `sparse_linear` takes them."""

from __future__ import annotations

import dataclasses
import weakref

import torch
from torch import Tensor

from .._core import Error
from ..ops import is_compiling

# Arrangements of tensors in use, by id: (tensor, its version, arrangement).
_made: dict[int, tuple[weakref.ref[Tensor], int, SparseRows]] = {}


@dataclasses.dataclass(frozen=True)
class SparseRows:
    """A sparse matrix [N, P] by rows, and by columns, for gradients."""

    rows: tuple[Tensor, Tensor]  # int64 [N + 1]: where each begins; int32 [nonzeros]: columns
    columns: tuple[Tensor, Tensor]  # int64 [P + 1]; int32 [nonzeros]: rows
    value: Tensor  # [nonzeros], by row
    by_column: Tensor  # int64 [nonzeros]: the place in `value` of each, by column
    shape: tuple[int, int]

    @property
    def device(self) -> torch.device:
        return self.value.device

    def size(self, dimension: int) -> int:
        return self.shape[dimension]

    def with_value(self, value: Tensor) -> SparseRows:
        return dataclasses.replace(self, value=value)

    def times(self, w: Tensor) -> Tensor:
        """x w [N, K]; differentiable in w."""
        product: Tensor = torch.ops.geniepath.sparse_linear(*self.rows, self.value, *self.columns,
                                                            self.value[self.by_column], w)
        return product


def is_sparse(x: Tensor) -> bool:
    return x.layout in (torch.sparse_coo, torch.sparse_csr)


def sparse_rows(x: Tensor) -> SparseRows:
    """Kept for as long as the tensor lives and is not changed in place."""
    if is_compiling():
        raise Error("x is sparse; a compiled function takes dense features (x.to_dense())")
    if x.requires_grad and torch.is_grad_enabled():
        raise Error("x is sparse and requires a gradient, which dense ones get; expected x.to_dense() or x.detach()")
    if x.layout == torch.sparse_coo and x.dense_dim() > 0:
        raise Error(f"x is sparse in {x.sparse_dim()} of its dimensions, expected both")
    if x.is_inference():  # has no version, by which a change would show
        return _arranged(x)
    known = _made.get(id(x))
    if known is not None and known[0]() is x and known[1] == x._version:
        return known[2]
    key = id(x)
    with torch.inference_mode(False):  # kept for calls outside it, too
        made = _arranged(x.detach())
    _made[key] = (weakref.ref(x, lambda _: _made.pop(key, None)), x._version, made)
    return made


def _arranged(x: Tensor) -> SparseRows:
    count, width = x.shape
    if x.layout == torch.sparse_csr:
        offset, column, value = x.crow_indices().long(), x.col_indices().long(), x.values()
        row = torch.arange(count, device=x.device).repeat_interleave(offset.diff())
    else:
        x = x.coalesce()
        (row, column), value = x.indices(), x.values()
        offset = _offsets(row, count)
    if not bool(torch.isfinite(value).all()):
        raise Error("x has a NaN or infinite value")
    by_column = torch.sort(column * count + row).indices
    return SparseRows(
        (offset, column.int()),
        (_offsets(column[by_column], width), row[by_column].int()),
        value.contiguous(),
        by_column,
        (count, width),
    )


def _offsets(ascending: Tensor, size: int) -> Tensor:
    counts = torch.bincount(ascending, minlength=size)
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)])
