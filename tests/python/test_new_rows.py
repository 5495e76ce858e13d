"""Rows that come after training, with raw cells by column name: the scores of `geniepath score`."""

import pathlib
import shutil
import warnings

import numpy as np
import pytest

import geniepath
from geniepath import Error, Note

pandas = pytest.importorskip("pandas")

QUICK = {"hidden": 8, "depth": 2, "epochs": 15, "progress": False}
NODES = 120


def frames() -> tuple[pandas.DataFrame, pandas.DataFrame]:
    draw = np.random.default_rng(3)
    rows = np.arange(NODES)
    names = np.array([f"n{row}" for row in rows])
    nodes = pandas.DataFrame({
        "id": names, "label": np.where(draw.random(NODES) < 0.5, "yes", "no"), "amount": draw.normal(size=NODES).astype(np.float32),
        "city": np.where(rows % 3 == 0, "Rome", "Oslo"), "since": pandas.date_range("2024-05-01", periods=NODES, freq="36h"),
    })
    return pandas.DataFrame({"src": names, "dst": np.roll(names, 1)}), nodes


def new_rows() -> tuple[pandas.DataFrame, pandas.DataFrame]:
    nodes = pandas.DataFrame({"id": ["x1", "x2"], "since": pandas.to_datetime(["2024-06-01", "2024-07-01"]),
                              "city": ["Oslo", "Rome"], "amount": [0.25, -1.5]})
    return nodes, pandas.DataFrame({"from": ["x1", "x1", "n5"], "to": ["n3", "x2", "x2"]})


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> geniepath.Run:
    edges, nodes = frames()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        return geniepath.train(edges, nodes, positive="yes", out=tmp_path_factory.mktemp("runs") / "text", **QUICK)


def test_rows_of_text_get_the_scores_of_the_joined_graph(run, tmp_path):
    nodes, edges = new_rows()
    scores = run.score(nodes, edges)
    assert list(scores.index) == ["x1", "x2"] and list(scores.columns) == ["predicted", "no", "yes"]
    # As files, and as `predict` sees them in the joined graph.
    nodes.to_csv(tmp_path / "new.csv", index=False)
    edges.to_csv(tmp_path / "new_edges.csv", index=False)
    assert run.score(tmp_path / "new.csv", tmp_path / "new_edges.csv").equals(scores)
    trained_edges, trained_nodes = frames()
    joined_edges = pandas.concat([trained_edges, edges.set_axis(["src", "dst"], axis=1)])
    joined_nodes = pandas.concat([trained_nodes.drop(columns="label"), nodes])
    joined = run.score(joined_nodes.assign(id=["j" + name for name in joined_nodes["id"]]),
                       joined_edges.apply(lambda column: "j" + column))
    assert np.array_equal(joined.loc[["jx1", "jx2"], "yes"].to_numpy(), scores["yes"].to_numpy())


def test_edges_may_be_missing_or_numbers_and_ids_the_index(run):
    nodes, edges = new_rows()
    alone = run.score(nodes)
    assert not np.allclose(alone["yes"], run.score(nodes, edges)["yes"])
    numbers = np.array([[NODES, NODES, 5], [3, NODES + 1, NODES + 1]])
    assert run.score(nodes, numbers).equals(run.score(nodes, edges))
    assert run.score(nodes.set_index("id"), edges).equals(run.score(nodes, edges))
    extra = nodes.assign(comment="new")
    assert run.score(extra, edges, ignore=["comment"]).equals(run.score(nodes, edges))


def test_a_category_unseen_in_training_is_said(run):
    nodes, edges = new_rows()
    with pytest.warns(Note, match="city"):
        scores = run.score(nodes.assign(city=["Paris", "Rome"]), edges)
    assert np.isfinite(scores["yes"]).all()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        run.score(nodes.assign(city=["Paris", "Rome"]), edges)
    assert {note.filename for note in said if note.category is Note} == {__file__}


@pytest.mark.parametrize("columns", [["since"], ["since", "city"]])
def test_rows_without_ids_are_counted(columns):
    edges, nodes = frames()
    nodes = nodes.drop(columns=columns)
    new = nodes.drop(columns=["label", "id"])[:3]
    number = nodes["id"].str[1:]
    rows = nodes.assign(id=np.where(number == "7", "row 1", number))
    ends = edges.replace("^n", "", regex=True).replace("^7$", "row 1", regex=True)
    for trained in (geniepath.train(edges, nodes, **QUICK), geniepath.train(ends, rows, **QUICK),
                    geniepath.train(ends.replace("row 1", "7"), rows.drop(columns="id"), **QUICK)):
        scores = trained.score(new)
        assert list(scores.index) == ["0", "1", "2"]
        assert np.array_equal(scores, trained.score(new.assign(id=["x", "y", "z"])))
        empty = trained.score(new[:0])
        assert list(empty.columns) == ["predicted", "no", "yes"] and len(empty) == 0 and empty.index.name == "id"


def test_a_column_of_ids_is_named_where_the_training_had_numbers_alone():
    edges, nodes = frames()
    nodes = nodes.drop(columns=["since", "city"]).rename(columns={"id": "account"})
    run = geniepath.train(edges, nodes, id="account", **QUICK)
    new = nodes[:2].drop(columns="label").assign(account=["x", "y"])
    advice = r"leave it out \(ignore=\[...\]\), or name it \(id='account'\)$"
    with pytest.raises(Error, match=f"the column 'account', which the run was not trained on; {advice}"):
        run.score(new)
    for form in (new, new.set_index("account")):
        assert list(run.score(form, id="account").index) == ["x", "y"]
    with pytest.raises(Error, match=r"leave it out \(ignore=\[...\]\)$"):
        run.score(new.assign(colour=1), id="account")


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda nodes, edges: (nodes.drop(columns="city"), edges), "city"),
        (lambda nodes, edges: (nodes.assign(colour="red"), edges), "colour"),
        (lambda nodes, edges: (nodes.assign(amount=["much", "1"]), edges), "'much'"),
        (lambda nodes, edges: (nodes.assign(amount=[np.nan, 1]), edges), "amount"),
        (lambda nodes, edges: (nodes.assign(id="x1"), edges), "the id 'x1' appears twice"),
        (lambda nodes, edges: (nodes.assign(id=["n3", "x2"]), edges), "the id 'n3' is a node of the graph"),
        (lambda nodes, edges: (nodes, edges.assign(to="zz")), "the id 'zz' is neither a node of the graph nor one of the rows"),
        (lambda nodes, edges: (nodes, "edges.csv"), "edges is one: give both as files"),
        (lambda nodes, edges: ("nodes.csv", edges), "edges is a DataFrame: give both as files"),
        (lambda nodes, edges: (nodes, np.array([[500], [0]])), "there are 122 nodes"),
        (lambda nodes, edges: (np.ones((2, 3), dtype=np.float32), None), "score: nodes has 3 columns, expected 4"),
        (lambda nodes, edges: (None, edges), r"score: nodes is a NoneType, expected one row per node, \[N, P\]"),
    ],
)
def test_what_is_wrong_with_new_rows_is_named(run, change, message):
    with pytest.raises(Error, match=message):
        run.score(*change(*new_rows()))


def test_rows_of_numbers_are_matched_by_name(tmp_path):
    edges, nodes = frames()
    nodes = nodes.drop(columns=["city", "since"]).assign(size=np.arange(NODES))
    run = geniepath.train(edges, nodes, positive="yes", out=tmp_path / "run", **QUICK)
    new = pandas.DataFrame({"size": [3, 4], "amount": [0.5, 1.5], "id": ["x1", "x2"]})
    joins = pandas.DataFrame({"src": ["x1", "x2", "n1"], "dst": ["n3", "x1", "n2"]})
    scores = run.score(new, joins)
    matrix = new[["amount", "size"]].to_numpy(dtype=np.float32)
    assert np.array_equal(scores[["no", "yes"]].to_numpy(), run.score(matrix, [[NODES, NODES + 1], [3, NODES]]))
    assert run.score(new.drop(columns="id"), None).index.tolist() == ["0", "1"]
    for change, message in (
        (new.drop(columns="size"), "nodes has no column 'size', which the run was trained on"),
        (new.assign(colour=1), "nodes has the column 'colour', which the run was not trained on"),
        (new.assign(id="n7"), "row 0 of nodes has the id 'n7', a node of the graph"),
        (new.assign(id="x1"), "the id 'x1' occurs in rows 0 and 1"),
        (new.assign(size=[np.inf, 1]), "column 'size' has a NaN or infinite value, the first in row 0$"),
    ):
        with pytest.raises(Error, match=message):
            run.score(change, joins)
    with pytest.raises(Error, match="edges: row 1 names 'zz' in its second column, which is neither"):
        run.score(new, pandas.DataFrame({"src": ["x1", "x2"], "dst": ["n3", "zz"]}))
    with pytest.raises(Error, match="nodes is a file, but the run was not trained on tables"):
        run.score(pathlib.Path("new.csv"))


@pytest.mark.parametrize("kind", ["numbers", "text", "matrix"])
@pytest.mark.parametrize("directed", [False, True])
def test_edges_of_new_rows_go_the_ways_of_the_training(kind, directed):
    edges, nodes = frames()
    nodes = nodes.drop(columns=["since"] if kind == "text" else ["since", "city"])
    if kind == "matrix":
        run = geniepath.train(np.arange(NODES).reshape(2, -1), nodes[["amount"]].to_numpy(), label=nodes["label"],
                              directed=directed, **QUICK)
        score = lambda **how: run.score([[0.5]], [[NODES, NODES], [3, 4]], **how)  # noqa: E731
    else:
        run = geniepath.train(edges, nodes, directed=directed, **QUICK)
        new = nodes[:1].drop(columns="label").assign(id="x1")
        score = lambda **how: run.score(new, pandas.DataFrame({"src": "x1", "dst": ["n3", "n4"]}), **how)["yes"]  # noqa: E731
    assert np.array_equal(score(), score(directed=directed))
    alone = run.score([[0.5]]) if kind == "matrix" else run.score(new)["yes"]
    assert np.array_equal(score(), alone) == directed  # edges from the new row, which it does not read
    with pytest.raises(Error, match=f"score: directed is {not directed}, but in training edges went {'one way' if directed else 'both ways'}"):
        score(directed=not directed)
    with pytest.raises(Error, match="score: directed is 'no', expected True or False"):
        score(directed="no")


@pytest.mark.parametrize("directed", [False, True])
def test_edges_of_new_rows_beside_a_graph_file_go_the_ways_of_its_own(tmp_path, directed):
    x, y = np.random.default_rng(1).normal(size=(NODES, 2)).astype(np.float32), np.arange(NODES) % 2
    made = geniepath.train(np.arange(NODES).reshape(2, -1), x, label=y, directed=directed, **QUICK)
    run = geniepath.train(data=shutil.copy(made.folder / "data.safetensors", tmp_path), **QUICK)
    assert np.array_equal(run.score(x[:1], [[NODES], [0]]), run.score(x[:1])) == directed
    with pytest.raises(Error, match="score: directed is"):
        run.score(x[:1], [[NODES], [0]], directed=not directed)


@pytest.mark.parametrize("transform", ["none", "standardise"])
def test_rows_of_a_run_on_sparse_features_are_scored_as_its_own(transform):
    run = geniepath.train(data="known-paths", size=500, feature_transform=transform, **(QUICK | {"depth": 1}))
    data = geniepath.dataset("known-paths", size=500)
    sources = data.edge_index[0][data.edge_index[1] == 7]
    edges = np.stack([sources.numpy(), np.full(len(sources), 500)])
    found = run.score(data.x.to_dense()[7:8], edges)
    assert np.allclose(found[0], run.predict()[7], atol=1e-6)  # the same features, the same neighbours


def test_rows_without_edges_are_checked_as_well():
    edges, nodes = frames()
    new = nodes[:2].drop(columns="label")
    for columns in (["city", "since"], []):
        run = geniepath.train(edges, nodes.drop(columns=columns), **QUICK)
        for ids, message in ((["n3", "x"], "id 'n3'.* (is )?a node of the graph"), (["x", "x"], "the id 'x' (occurs|appears)")):
            with pytest.raises(Error, match=message):
                run.score(new.drop(columns=columns).assign(id=ids))
        with pytest.raises(Error, match="ignore: nodes has no column 'amuont'; its columns are id, amount"):
            run.score(new.drop(columns=columns).assign(id=["x", "y"]), ignore="amuont")


def test_columns_of_new_files_are_ignored_beside_those_of_training(tmp_path):
    edges, nodes = frames()
    files = [tmp_path / name for name in ("edges.csv", "nodes.csv", "new.csv")]
    for file, table in zip(files, (edges, nodes.assign(x=1), nodes[:2].assign(id=["x1", "x2"], x=1, y=1))):
        table.to_csv(file, index=False)
    run = geniepath.train(*files[:2], label="label", ignore="x", **QUICK)
    with pytest.raises(Error, match="the run was trained without a column 'y'"):
        run.score(files[2])
    assert list(run.score(files[2], ignore="y").index) == ["x1", "x2"]


def test_what_the_program_says_of_tables_is_a_warning():
    edges, nodes = frames()
    nodes["copy"] = np.where(nodes["label"] == "yes", "true", "false")
    with pytest.warns(Note, match="copy"):
        geniepath.train(edges, nodes, positive="yes", **QUICK)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Note)
        with pytest.raises(Note, match="copy"):
            geniepath.train(edges, nodes, positive="yes", **QUICK)
