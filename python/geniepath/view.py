"""Views of an explanation in a notebook: the explorer's drawing as HTML of its own, without a server or the network."""

from __future__ import annotations

import functools
import html
import itertools
import json
import os
import pathlib
from typing import Any

import numpy as np

from . import _options
from ._core import Error

_PLACE = '<script type="application/json" id="explanation">null</script>'


@functools.cache
def template() -> str | None:
    """The page that web/ builds (`npm run explanation`); None in a package built without Node.js."""
    path = pathlib.Path(__file__).with_name("explanation.html")
    if not path.exists():
        return None
    text = path.read_text(encoding="utf-8")
    if text.count(_PLACE) != 1:
        raise Error(f"{path}: no place for an explanation; was it built from another version?")
    return text


def _pixels(height: Any) -> int:
    if not isinstance(height, (int, np.integer)) or isinstance(height, bool) or height < 1:
        raise Error(f"view: height is {height!r}, expected a number of pixels")
    return int(height)


class View:
    """The explorer's page of one node: its score, a verdict, its columns, and the drawing, whose paths can be followed.

    `html` is a whole page that loads nothing; `save` writes it.
    """

    def __init__(self, data: dict[str, Any], page: str, height: int) -> None:
        # No text of the data ends the script that it stands in.
        text = json.dumps(data).replace("<", "\\u003c")
        self.html = page.replace(_PLACE, _PLACE.replace("null", text))
        self.height = _pixels(height)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file that ends in .html."""
        _options.file("save: path", path, ".html").write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        return (
            f"<iframe sandbox='allow-scripts allow-downloads' title='Receptive paths' width='100%' height='{self.height}' "
            f"style='border: 0' srcdoc='{html.escape(self.html)}'></iframe>")

    def __repr__(self) -> str:
        return f"View(bytes={len(self.html.encode())})"


class LayerPages:
    """Pages of an explanation, one per layer, of which buttons choose one: HTML of its own, without scripts."""

    _numbers = itertools.count()

    def __init__(self, pages: list[str], height: int) -> None:
        self.pages, self.height = pages, _pixels(height)

    def _repr_html_(self) -> str:
        name = f"geniepath-view-{next(self._numbers)}"
        styles, parts = [], []
        for layer, page in enumerate(self.pages, 1):
            one = f"{name}-{layer}"
            styles.append(f"#{one}:checked ~ .{one} {{ display: block; }}")
            checked = " checked" if layer == len(self.pages) else ""
            parts.append(
                f"<input type='radio' name='{name}' id='{one}'{checked}><label for='{one}'> layer {layer} </label>")
        frames = [
            f"<iframe class='{name}-{layer}' sandbox='' title='layer {layer}' width='100%' height='{self.height}' "
            f"style='border: 0' srcdoc='{html.escape(page)}'></iframe>"
            for layer, page in enumerate(self.pages, 1)
        ]
        style = f"<style>#{name} iframe {{ display: none; }} {' '.join(f'#{name} {rule}' for rule in styles)}</style>"
        return f"{style}<div id='{name}'>{''.join(parts)}{''.join(frames)}</div>"

    def __repr__(self) -> str:
        return f"LayerPages(layers={len(self.pages)})"
