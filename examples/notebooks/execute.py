"""Executes a notebook's code cells in order, without Jupyter; with --write, stores what they show.

    python3 execute.py NOTEBOOK [--write]
"""

import ast
import contextlib
import io
import json
import pathlib
import sys
from typing import Any


def shown(value: Any) -> dict[str, Any]:
    """A cell's last value in the forms that a notebook shows, as it stores them."""
    data: dict[str, Any] = {"text/plain": repr(value).splitlines(keepends=True)}
    for kind, name in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
        if hasattr(value, name):
            data[kind] = getattr(value, name)().splitlines(keepends=True)
    return data


def run_cell(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs a cell; returns its outputs: what it printed, and the value of its last line."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        outputs.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": shown(value)})
    return outputs


def leave_out_pages(output: dict[str, Any]) -> None:
    """Whole pages with scripts, which no site shows, are not stored."""
    if "<iframe" in "".join(output.get("data", {}).get("text/html", [])):
        del output["data"]["text/html"]


def execute(path: pathlib.Path, write: bool = False) -> dict[str, Any]:
    """Runs a notebook; returns it with its outputs."""
    notebook: dict[str, Any] = json.loads(path.read_text())
    names: dict[str, Any] = {"__name__": "__main__"}
    sys.path.insert(0, str(path.parent))  # as Jupyter does
    for number, cell in enumerate((c for c in notebook["cells"] if c["cell_type"] == "code"), 1):
        cell["outputs"] = run_cell("".join(cell["source"]), names)
        cell["execution_count"] = number
    if write:
        for cell in notebook["cells"]:
            for output in cell.get("outputs", []):
                leave_out_pages(output)
        path.write_text(json.dumps(notebook, indent=1) + "\n")
    return notebook


if __name__ == "__main__":
    execute(pathlib.Path(sys.argv[1]), "--write" in sys.argv)
