"""The notebooks in examples run as they are, and show what they say."""

import os
import pathlib
import sys

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "notebooks"
sys.path.insert(0, str(FOLDER))

from execute import execute  # noqa: E402
from lacks import lacks  # noqa: E402


def outputs(name: str) -> list[dict]:
    before = os.getcwd()
    os.chdir(FOLDER)
    try:
        notebook = execute(FOLDER / name)
    finally:
        os.chdir(before)
    return [output for cell in notebook["cells"] for output in cell.get("outputs", [])]


def test_fraud_shows_suspects_and_draws_their_paths():
    pytest.importorskip("pandas")
    shown = outputs("fraud.ipynb")
    assert any("test F1" in "".join(output.get("text", [])) for output in shown)
    drawings = [output["data"]["image/svg+xml"] for output in shown if "image/svg+xml" in output.get("data", {})]
    assert len(drawings) == 1 and "".join(drawings[0]).startswith("<svg") and "lagged as malicious" in "".join(drawings[0])
    tables = ["".join(output["data"]["text/plain"]) for output in shown if "data" in output]
    assert any("own" in table and "others" in table and "accounts" in table for table in tables)
    assert any("<iframe" in "".join(output.get("data", {}).get("text/html", [])) for output in shown)
    assert "new1" in tables[-1] and "predicted" in tables[-1]


def test_layers_finds_the_neighbour_that_a_mean_cannot():
    assert any("GeniePathConv" in "".join(output.get("text", [])) for output in outputs("layers.ipynb"))


def test_ppi_learns_beside_pyg(monkeypatch):
    folder = pathlib.Path(os.environ.get("GENIEPATH_DATA", FOLDER.parents[2] / "shared" / "data")) / "ppi"
    if not folder.is_dir() or lacks("simdjson"):
        pytest.skip(f"PPI is not in {folder}, or this build does not read it")
    for name, value in {"PPI": str(folder), "EPOCHS": "1", "WIDTH": "8"}.items():
        monkeypatch.setenv(name, value)
    found = outputs("ppi.ipynb")
    shown = "".join(text for output in found for text in output.get("text", []))
    assert sum("image/svg+xml" in output.get("data", {}) for output in found) == 2
    assert "20 graphs to train on, 2 to choose by, 2 unseen" in shown
    assert "PyG is" in shown and "geniepath: " in shown and "alpha" in shown
