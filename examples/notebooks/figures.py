"""Line charts for the notebooks, as SVG: no plotting library is needed."""

import html
import math
from typing import Sequence

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 64, 150, 40, 48
COLOURS = ("#c62828", "#1f5fbf", "#3f8f4f", "#9a5b00")


class Lines:
    """Curves over common axes, named at their right end; `_repr_svg_` shows them in a notebook."""

    def __init__(self, title: str, x: str, y: str, curves: dict[str, Sequence[float]], first: int = 1) -> None:
        self.title, self.x, self.y, self.curves, self.first = title, x, y, curves, first
        values = [value for curve in curves.values() for value in curve]
        self.low, self.high = min(0.0, *values), max(values)
        self.count = max(map(len, curves.values()))

    def _place(self, at: int, value: float) -> tuple[float, float]:
        share = at / max(1, self.count - 1)
        height = (value - self.low) / ((self.high - self.low) or 1)
        return LEFT + share * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - height * (HEIGHT - TOP - BOTTOM)

    def _axes(self) -> list[str]:
        step = 10 ** math.floor(math.log10((self.high - self.low) or 1)) / 2
        marks = [k * step for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]
        parts = []
        for mark in marks:
            _, y = self._place(0, mark)
            parts.append(f"<line x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{y:.1f}' y2='{y:.1f}' stroke='#e1e5ec'/>")
            parts.append(f"<text x='{LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'>{mark:.3g}</text>")
        for at in sorted({0, (self.count - 1) // 2, self.count - 1}):
            x, _ = self._place(at, self.low)
            parts.append(f"<text x='{x:.1f}' y='{HEIGHT - BOTTOM + 18}' text-anchor='middle'>{self.first + at}</text>")
        middle = (LEFT + WIDTH - RIGHT) / 2
        parts.append(f"<text x='{middle}' y='{HEIGHT - 8}' text-anchor='middle'>{html.escape(self.x)}</text>")
        return parts

    def _curve(self, name: str, values: Sequence[float], colour: str, label: float) -> list[str]:
        points = " ".join("{:.1f},{:.1f}".format(*self._place(at, value)) for at, value in enumerate(values))
        x, _ = self._place(len(values) - 1, values[-1])
        return [f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'/>",
                f"<text x='{x + 8:.1f}' y='{label + 4:.1f}' fill='{colour}' font-weight='600'>{html.escape(name)}</text>"]

    def _labels(self) -> dict[str, float]:
        """Heights of the names, at least a line apart, above the axis."""
        placed: dict[str, float] = {}
        for name in sorted(self.curves, key=lambda n: self._place(0, self.curves[n][-1])[1]):
            y = self._place(0, self.curves[name][-1])[1]
            placed[name] = max([y, *(other + 15 for other in placed.values())])
        below = max(0.0, max(placed.values()) - (HEIGHT - BOTTOM - 4))
        return {name: y - below for name, y in placed.items()}

    def _repr_svg_(self) -> str:
        labels = self._labels()
        parts = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' "
                 "font-family='Helvetica, Arial, sans-serif' font-size='12' fill='#1c2330'>",
                 f"<rect width='{WIDTH}' height='{HEIGHT}' fill='#fff'/>",
                 f"<text x='{LEFT}' y='22' font-size='14' font-weight='600'>{html.escape(self.title)}</text>",
                 f"<text x='14' y='{HEIGHT / 2}' transform='rotate(-90 14 {HEIGHT / 2})' text-anchor='middle'>"
                 f"{html.escape(self.y)}</text>", *self._axes()]
        for number, (name, values) in enumerate(self.curves.items()):
            parts += self._curve(name, values, COLOURS[number % len(COLOURS)], labels[name])
        return "\n".join([*parts, "</svg>"])

    def __repr__(self) -> str:
        return f"Lines({self.title!r}, curves={list(self.curves)})"
