"""Explanations from Python: reasons in words, drawings, and the interactive view, which loads nothing."""

import json
import os
import pathlib
import pickle
import re
import shutil
import subprocess

import pytest

import geniepath
from geniepath import Error
from geniepath.view import LayerPages, template

QUICK = {"hidden": 8, "depth": 2, "epochs": 15, "progress": False}
TABLES = pathlib.Path(__file__).parents[2] / "examples" / "own_tables"


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> geniepath.Run:
    folder = tmp_path_factory.mktemp("runs") / "fraud"
    return geniepath.train(data="account-device", size=1000, out=folder, seed=3, **QUICK)


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> geniepath.Run:
    """A run on a user's own tables."""
    return geniepath.train(TABLES / "edges.csv", f"{TABLES / 'accounts.csv'},{TABLES / 'devices.csv'}", positive="malicious",
                           baselines=False, out=tmp_path_factory.mktemp("runs") / "own", **(QUICK | {"epochs": 60}))


def test_it_explains_and_the_explanation_shows_itself(run, tmp_path):
    node = run.node_names[int(run.splits["test"][0])]
    why = run.explain(node, top=5)
    assert why.node == node and 0 < len(why.paths) <= 5 and why.paths[0]["nodes"][0] == node
    assert why._repr_svg_().startswith("<svg") and "<svg" in why.html() and "<script" not in why.html()
    pytest.importorskip("pandas")
    assert len(why.table()) == len(why.paths) and "hop" in why.table("gates").columns
    for name in ("why.svg", "why.html", "why.json"):
        why.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
    with pytest.raises(Error, match="expected a file that ends in .svg, .html or .json"):
        why.save(tmp_path / "why.png")
    with pytest.raises(Error, match="layer 9: the model has layers 1 to 2"):
        why.svg(9)
    with pytest.raises(Error, match="node 'nobody': account-device has no such node"):
        run.explain("nobody")
    with pytest.raises(Error, match="table: 'rows' is none of"):
        why.table("rows")


def test_tables_of_an_isolated_node_have_their_columns(run):
    numpy = pytest.importorskip("numpy")
    x = numpy.random.default_rng(1).normal(size=(40, 2))
    graphs = [numpy.zeros((2, 0), dtype=int), numpy.arange(40).reshape(2, -1)]
    isolated, joined = (geniepath.train(edges, x, label=x[:, 0] > 0, **QUICK).explain(0) for edges in graphs)
    for what in ("paths", "edges", "nodes", "gates", "entropy", "columns"):
        assert list(isolated.table(what).columns) == list(joined.table(what).columns)
        if what != "columns":
            assert set(joined.table(what).columns) == set(joined.data[what][0])
    assert len(isolated.table()) == len(isolated.table("edges")) == 0 < len(joined.table())
    for wrong in ("rows", None, ["paths"]):
        with pytest.raises(Error, match="table: .* is none of paths, edges, nodes, gates, entropy, columns"):
            joined.table(wrong)


def test_the_verdict_names_neighbours_and_columns(own):
    why = own.explain("m001")
    assert re.match(r"(Flagged|Not flagged) as malicious, 0\.\d+\.", why.verdict), why.verdict
    assert why.reasons["node"] == "m001" and why.verdict in why.html()
    shares = why.reasons["features"]
    columns = {column["name"]: column for column in shares["columns"]}
    assert {"age_days", "night_share"} <= set(columns), columns
    told = sum(column["own"] + column["others"] for column in shares["columns"])
    assert told == pytest.approx(shares["score"] - shares["typical"] - shares["gap"], abs=1e-4)
    assert " ".join(why.verdict.split()[:3]) in why.svg()
    pandas = pytest.importorskip("pandas")
    table = why.table("columns")
    assert isinstance(table, pandas.DataFrame) and list(table["name"]) == [column["name"] for column in shares["columns"]]


def test_it_is_what_the_program_writes(own, tmp_path):
    program = pathlib.Path(geniepath.__file__).parents[2] / "bin" / "geniepath"
    if not program.exists():
        pytest.skip(f"no program in {program}")
    subprocess.run([program, "explain", "--run", own.folder, "--node", "m001", "--out", tmp_path / "why.json"], check=True)
    written = json.loads((tmp_path / "why.json").read_text())
    ours = own.explain("m001").data
    assert set(ours) == set(written) - {"seconds"} and ours["reasons"]["verdict"] == written["reasons"]["verdict"]
    # The program computes on the node's surroundings alone: the same to rounding.
    products, shares = ([{tuple(path["nodes"]): path["product"] for path in one["paths"]} for one in (ours, written)],
                        [{c["name"]: c["own"] for c in one["reasons"]["features"]["columns"]} for one in (ours, written)])
    assert products[0] == pytest.approx(products[1], rel=1e-4) and shares[0] == pytest.approx(shares[1], abs=1e-4)


def test_columns_of_a_frame_keep_their_names(tmp_path):
    pandas = pytest.importorskip("pandas")
    nodes = pandas.DataFrame({"label": [0, 1] * 20, "Größe": range(40), "amount": [0.5, 7] * 20})
    edges = pandas.DataFrame({"src": range(39), "dst": range(1, 40)})
    run = geniepath.train(edges, nodes, out=tmp_path / "run", **QUICK)
    assert run.columns == ["Größe", "amount"] == geniepath.load(run.folder).columns
    why = run.explain("3")
    assert {column["name"] for column in why.reasons["features"]["columns"]} == {"Größe", "amount"}
    assert {column["value"] for column in why.reasons["features"]["columns"]} == {"3", "7"}
    again = pickle.loads(pickle.dumps(geniepath.load(run.folder)))
    assert again.explain("3").verdict == why.verdict
    resumed = geniepath.train(out=run.folder, resume=True, progress=False)
    assert resumed.columns == run.columns


def test_an_explanation_outlives_its_run_in_a_pickle(own):
    why = own.explain("m001", top=10)
    kept = pickle.loads(pickle.dumps(why))
    assert kept.data == why.data and kept.verdict == why.verdict and kept.svg(2) == why.svg(2)
    for layer in (3, -1, 2**70, "1"):
        for draw in (why.svg, kept.html):
            with pytest.raises(Error, match=f"layer {layer!r}: the model has layers 1 to 2"):
                draw(layer)


@pytest.mark.skipif(template() is None, reason="built without Node.js")
def test_the_view_is_one_page_that_loads_nothing(own, tmp_path):
    view = own.explain("m001").view(height=300)
    shown = view._repr_html_()
    assert shown.count("<iframe") == 1 and "sandbox='allow-scripts allow-downloads'" in shown and "height='300'" in shown
    view.save(tmp_path / "why.html")
    page = (tmp_path / "why.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page and not re.search(r"""(src|href)=["'](?!data:)[^"']""", page.split("<script>")[0])
    held = re.search(r'<script type="application/json" id="explanation">(.*?)</script>', page, re.DOTALL)
    assert held is not None and json.loads(held[1])["node"] == "m001"
    with pytest.raises(Error, match="expected a file that ends in .html"):
        view.save(tmp_path / "why.svg")


@pytest.mark.skipif(template() is None, reason="built without Node.js")
def test_hostile_names_stay_data_in_the_view(tmp_path):
    pandas = pytest.importorskip("pandas")
    names = ["</script><script>alert(1)</script>", "<!--", "'\"&\u2028", *(f"n{row}" for row in range(20))]
    nodes = pandas.DataFrame({"id": names, "label": [row % 2 for row in range(23)], "a</script>": range(23)})
    edges = pandas.DataFrame({"src": names[:-1], "dst": names[1:]})
    page = geniepath.train(edges, nodes, **QUICK).explain(names[0]).view().html
    assert page.count("</script>") == 2 and "alert(1)</script" not in page


def test_without_the_page_a_view_has_a_button_per_layer(run):
    why = run.explain(run.node_names[0])
    pages = [why.html(layer) for layer in (1, 2)]
    shown = LayerPages(pages, 300)._repr_html_()
    assert shown.count("<iframe") == shown.count("type='radio'") == 2 and "<script" not in shown
    assert shown.count("sandbox=''") == 2 and "Receptive paths of" in shown
    assert LayerPages(pages, 300)._repr_html_() != LayerPages(pages, 300)._repr_html_()  # two do not share their buttons


@pytest.mark.parametrize("height", ["' onload='x", None, 0, -5, 1.5, True])
def test_a_height_is_a_number_of_pixels(run, height):
    with pytest.raises(Error, match="view: height is .*, expected a number of pixels"):
        run.explain(run.node_names[0]).view(height=height)


CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.mark.skipif(template() is None or not CHROMIUM, reason="no page, or no Chromium")
def test_a_browser_draws_the_view(own, tmp_path):
    own.explain("m001").view().save(tmp_path / "why.html")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", "--window-size=1500,1000"]
    clean = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    shown = subprocess.run([CHROMIUM, *flags, f"--user-data-dir={tmp_path}", "--dump-dom", f"file://{tmp_path}/why.html"],
                           capture_output=True, text=True, env=clean, timeout=120).stdout
    assert shown.count('class="node') > 3 and "listens" in shown and "Flagged as malicious" in shown.replace("Not f", "F")
