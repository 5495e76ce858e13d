"""Nodes of networkx's graphs as rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._cells import Array


class Attributes:
    """Attributes of networkx's nodes as columns; a label or split may be missing."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.columns = list(dict.fromkeys(name for row in rows for name in row))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Array:
        return np.array([row.get(name) for row in self.rows])
