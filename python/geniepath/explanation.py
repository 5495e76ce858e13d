"""Explanations: receptive paths that show themselves in a notebook."""

from __future__ import annotations

import functools
import json
import os
from typing import Any, Callable

import numpy as np

from . import _core, _modes, _options
from ._core import Error
from .view import LayerPages, View, template


# Of the tables of an explanation, as the library writes them.
_COLUMNS = {
    "paths": ("nodes", "layers", "alpha", "product", "laplacian"),
    "edges": ("source", "target", "alpha", "laplacian", "importance"),
    "nodes": ("id", "type", "degree", "split", "label", "predicted", "score", "hop", "importance", "self_alpha"),
    "gates": ("hop", "input", "forget", "output", "contribution", "magnitude"),
    "entropy": ("layer", "entropy", "uniform"),
    "columns": ("name", "value", "own", "others", "kind", "type"),
}


class Explanation:
    """Why a node has its score: paths, their edges, the gates of its memory, and whether the score rests on them."""

    def __init__(self, explanation: _core.Explanation | _Stored) -> None:
        self._explanation = explanation

    @functools.cached_property
    @_modes.usual()
    def data(self) -> dict[str, Any]:
        """Everything, as `geniepath explain --out paths.json` writes it, but for the time; `web/openapi.json` describes it."""
        found: dict[str, Any] = json.loads(self._explanation.json())
        return found

    @property
    def node(self) -> str:
        node: str = self.data["node"]
        return node

    @property
    def paths(self) -> list[dict[str, Any]]:
        """Best first: nodes, layers, alpha, product and laplacian of each."""
        paths: list[dict[str, Any]] = self.data["paths"]
        return paths

    @property
    def verdict(self) -> str:
        """The prediction in words, and which neighbours and columns decided it."""
        verdict: str = self.reasons["verdict"]
        return verdict

    @property
    def reasons(self) -> dict[str, Any]:
        """Reasons for the score: the verdict, the neighbours it names, the score `without` them, and the shares of
        columns ("features", None where the data has too many)."""
        reasons: dict[str, Any] = self.data["reasons"]
        return reasons

    def table(self, what: str = "paths") -> Any:
        """A pandas data frame of "paths", "edges", "nodes", "gates", "entropy", or "columns", with their shares in the score:
        the node's own, and those of the nodes along its paths."""
        import pandas

        if not isinstance(what, str) or what not in _COLUMNS:
            raise Error(f"table: {what!r} is none of {', '.join(_COLUMNS)}")
        rows = (self.reasons["features"] or {"columns": []})["columns"] if what == "columns" else self.data[what]
        frame = pandas.DataFrame(rows, columns=list(_COLUMNS[what]))
        if what == "paths":
            frame["nodes"] = frame["nodes"].map(" <- ".join)
        return frame

    @_modes.usual()
    def svg(self, layer: int = 1) -> str:
        """The paper's figure: the graph Laplacian's weights beside the attention of a layer, and the verdict below."""
        return self._explanation.svg(self._checked(layer))

    @_modes.usual()
    def html(self, layer: int = 1) -> str:
        """A page of its own, without scripts: the verdict, the figure, and tables of columns, paths, gates and faithfulness."""
        return self._explanation.html(self._checked(layer))

    def view(self, height: int = 860) -> View | LayerPages:
        """The explorer's page of the node, for a notebook: hover over paths, change layer and threshold, click to expand.

        Without the page that Node.js builds, the pages of `html`, with a button per layer. `height` in pixels.
        """
        page = template()
        if page is None:
            return LayerPages([self.html(layer) for layer in range(1, self._depth + 1)], height)
        return View(self.data, page, height)

    def save(self, path: str | os.PathLike[str], layer: int = 1) -> None:
        """Writes a file of the kind that its name ends in: .svg, .html or .json."""
        kinds: dict[str, Callable[[int], str]] = {".svg": self.svg, ".html": self.html,
                                                  ".json": lambda _: json.dumps(self.data, indent=1)}
        file = _options.file("save: path", path, *kinds)
        file.write_text(kinds[file.suffix](layer), encoding="utf-8")

    @property
    def _depth(self) -> int:
        return int(self.data["depth"])

    def _checked(self, layer: Any) -> int:
        if not isinstance(layer, (int, np.integer)) or not 1 <= layer <= self._depth:
            raise Error(f"layer {layer!r}: the model has layers 1 to {self._depth}")
        return int(layer)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __reduce__(self) -> tuple[type[Explanation], tuple[_Stored]]:
        layers = range(1, self._depth + 1)
        drawings = [self.svg(layer) for layer in layers], [self.html(layer) for layer in layers]
        return Explanation, (_Stored(self._explanation.json(), *drawings),)

    def __repr__(self) -> str:
        return f"Explanation(node={self.node!r}, paths={len(self.paths)})"


class _Stored:
    """An explanation that was pickled: what it shows, without the run it came from."""

    def __init__(self, text: str, svgs: list[str], pages: list[str]) -> None:
        self._text, self._svgs, self._pages = text, svgs, pages

    def json(self) -> str:
        return self._text

    def svg(self, layer: int) -> str:
        return self._svgs[layer - 1]

    def html(self, layer: int) -> str:
        return self._pages[layer - 1]
