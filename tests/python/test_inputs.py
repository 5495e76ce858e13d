"""Frames, networkx graphs, labels and options: read as they are meant, or refused in words."""

import re
import threading
import types

import numpy as np
import pytest
import torch

import geniepath
from geniepath import Error, _options, _run_data
from small_graph import EDGES, N, QUICK, SPLIT, X, Y, edge_frame, frame, train

pandas = pytest.importorskip("pandas")


def pyg_data(**given):
    usual = {"edge_index": torch.from_numpy(EDGES), "x": torch.from_numpy(X), "y": torch.from_numpy(Y)}
    return types.SimpleNamespace(**usual | given)


def pyg_masks(*names, kind=torch.bool):
    return {f"{name[:3] if name == 'valid' else name}_mask": torch.from_numpy(SPLIT == name).to(kind) for name in names}


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
@pytest.mark.parametrize("name, given", [("label", {"label": Y}), ("split", {"split": SPLIT}),
                                         ("split", {"split": {"train": [1], "test": [2]}})])
def test_what_is_given_beside_a_column_of_its_name_would_be_a_feature(name, given, text):
    nodes = frame(**{name: SPLIT if name == "split" else Y}, **text)
    with pytest.raises(Error, match=f"the feature column '{name}' has the name of what was given beside it"):
        train(EDGES, nodes, **{"label": Y} | given)
    ignored = train(EDGES, nodes, **{"label": Y} | given, ignore=[name, *text])
    assert ignored.columns == ["a", "b", "c"]


CLASSES = {
    "numbers": np.arange(N) % 3, "two": Y, "floats": np.where(Y == 1, 0.5, 2.0), "truth values": Y == 1,
    "text": np.where(Y == 1, "b", "a"), "text of numbers": np.where(Y == 1, "10", "9"),
    "signs": np.where(Y == 1, "-1", "1"), "None": np.where(Y == 1, "None", "a"),
    "unknown": np.where(np.arange(N) % 7 == 0, None, Y),
    "several": np.stack([Y, 1 - Y], 1), "one of three": np.eye(3, dtype=int)[np.arange(N) % 3],
    "none or more": np.stack([Y, np.roll(Y, 1), np.roll(Y, 2)] * 4, 1), "large": np.where(Y == 1, 1e30, 1.0),
}


@pytest.mark.parametrize("split", [None, SPLIT])
@pytest.mark.parametrize("name", CLASSES)
def test_a_column_of_text_changes_nothing_else(name, split):
    if split is not None and name == "unknown":
        split = np.where(np.arange(N) % 7 == 0, "", split)
    given = {"label": CLASSES[name], "split": split, "residual": "hop"}
    numbers, text = (train(edge_frame(), nodes, **given) for nodes in (frame(), frame(city="Rome")))
    assert (numbers.task, numbers.classes, numbers.columns) == (text.task, text.classes, ["a", "b", "c"])
    assert [len(nodes) for nodes in numbers.splits.values()] == [len(nodes) for nodes in text.splits.values()]
    if split is not None:
        assert np.allclose(numbers.predict(), text.predict(), atol=1e-5)


def test_labels_that_are_too_large_for_integers_keep_their_names():
    label = np.where(Y == 1, 1e30, 1.0)
    assert train(label=label).classes == ["1", "1e+30"]
    assert train(label=label, positive=1.0).classes == ["1e+30", "1"]


def test_two_dimensional_labels_are_several_beside_text():
    nodes, labels = frame(city="Rome"), CLASSES["one of three"].copy()
    assert train(EDGES, nodes, label=labels, task="multi-label").task == "multi-label"
    assert train(EDGES, nodes, label=labels, task="auto").task == "multi-label"
    with pytest.raises(Error, match=r"label has shape \[60, 3\], but task is 'multi-class', expected 'multi-label'"):
        train(EDGES, nodes, label=labels, task="multi-class")
    labels[:, 1] = 0
    assert train(EDGES, frame(), label=labels).classes == ["0", "1", "2"]
    for task in ({}, {"task": "multi-label"}):
        with pytest.raises(Error, match="label: no node has label 1, which tables, as frames with text are read"):
            train(EDGES, nodes, label=labels, **task)


LABELS = {
    "floats": np.where(np.arange(N) < 10, -1.0, Y),
    "objects": np.array([None] * 5 + [-1] * 5 + Y[10:].tolist(), dtype=object),
    "nullable": pandas.array([None] * 5 + [-1] * 5 + Y[10:].tolist(), dtype="Int64"),
    "integers": np.where(np.arange(N) < 10, -1, Y),
}


@pytest.mark.parametrize("name", LABELS)
def test_negative_labels_of_any_type_are_unknown(name):
    for run in (train(label=LABELS[name]), train(EDGES, frame(label=LABELS[name])),
                train(EDGES, frame(label=LABELS[name], city="Rome"))):
        assert run.classes == ["0", "1"]
        assert all((nodes >= 10).all() for nodes in run.splits.values())


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
@pytest.mark.parametrize("kind", ["Int64", "UInt64"])
def test_large_integers_beside_missing_ones_stay_different_classes(kind, text):
    label = pandas.array([2**53 + row % 3 for row in range(N)], dtype=kind)
    label[5] = pandas.NA
    if kind == "Int64":
        label[6] = -1
    run = train(EDGES, frame(label=label, **text))
    assert run.classes == [str(2**53 + number) for number in range(3)]
    assert all(not {5, *([6] if kind == "Int64" else [])} & {*nodes.tolist()} for nodes in run.splits.values())
    assert train(label=label).classes == run.classes


def test_an_infinite_label_is_refused():
    with pytest.raises(Error, match="label is inf in row 3, expected a class, or nothing where it is unknown"):
        train(label=np.where(np.arange(N) == 3, np.inf, Y))


def graph_of(nodes: list, **attributes):
    graph = pytest.importorskip("networkx").DiGraph()
    graph.add_nodes_from((name, {key: of[row] for key, of in attributes.items()}) for row, name in enumerate(nodes))
    graph.add_edges_from((nodes[a], nodes[b]) for a, b in EDGES.T.tolist())
    return graph


def test_lists_of_numbers_at_networkx_nodes_are_columns():
    rows = [x.tolist() for x in X]
    runs = [train(graph_of(list(range(N)), x=given, label=Y), None) for given in (rows, list(X))]
    assert runs[0].columns == ["x_0", "x_1", "x_2"]
    by_name = train(graph_of(list(range(N)), x_0=X[:, 0], x_1=X[:, 1], x_2=X[:, 2], label=Y), None)
    assert all(np.array_equal(run.predict(), by_name.predict()) for run in runs)
    for wrong in ([1.0], None, [[1.0] * 3], [[1.0], [1.0, 2.0]]):
        given = [*rows[:7], wrong, *rows[8:]]
        with pytest.raises(Error, match="the attribute 'x' of the node '7' has shape"):
            train(graph_of(list(range(N)), x=given, label=Y), None)
    several = train(graph_of(list(range(N)), x=rows, label=[[1, int(y)] for y in Y]), None)
    assert several.task == "multi-label"
    for label in (Y, np.where(Y == 1, "1", "0"), pandas.Series(Y), torch.from_numpy(Y), Y.tolist()):
        given = train(graph_of(list(range(N)), x=rows), None, label=label)
        assert np.array_equal(given.predict(), by_name.predict())

    class Wide:  # a frame of another kind
        columns = ["x", "label"]
        __getitem__ = {"x": X, "label": Y}.__getitem__
        __len__ = lambda self: N  # noqa: E731

    with pytest.raises(Error, match=r"column 'x' has shape \[60, 3\], expected one value per row"):
        train(EDGES, Wide(), label="label")


def test_attributes_that_make_one_column_twice_are_refused():
    for given in ({"a": X.tolist(), "a_1": Y}, {"a_1": Y, "a": X.tolist()}):
        names = "' and '".join(given)
        with pytest.raises(Error, match=f"nodes: the attributes '{names}' both make a column 'a_1'; rename one"):
            train(graph_of([*range(N)], label=Y, **given), None)


def test_edges_of_an_undirected_networkx_graph_go_both_ways():
    graph = graph_of([*range(N)], a=X[:, 0], label=Y)
    both = train(graph.to_undirected(), None).predict()
    assert np.array_equal(train(graph.to_undirected(), None, directed=True).predict(), both)
    assert np.array_equal(train(graph, None).predict(), both)
    assert not np.array_equal(train(graph, None, directed=True).predict(), both)


IDS = {"0": np.arange(N) * 1.0, "1": np.arange(1, N + 1).astype("f4").astype(object), "0.5": np.arange(N) + 0.5,
       "2020-01-01T00:00:00.000000": pandas.date_range("2020", periods=N),
       "2020-01-01T12:30:00.000000+00:00": pandas.date_range("2020-01-01 12:30", periods=N, tz="UTC")}


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
def test_ids_of_any_type_have_one_text(name, text):
    nodes = frame(label=Y, **text).assign(id=IDS[name])
    edges = pandas.DataFrame({"src": nodes["id"][:-1].to_numpy(), "dst": nodes["id"][1:].to_numpy()})
    edges = edges.astype({end: nodes["id"].dtype for end in edges})
    run = train(edges, nodes)
    assert run.node_names[0] == name and run.table().index[0] == name
    for given in (nodes["id"][0], nodes["id"].to_numpy()[0], name):
        assert run.explain(given).node == name
    new = nodes[:1].drop(columns="label").assign(id=["new"])
    by_id, by_name = (pandas.DataFrame({"src": [end], "dst": ["new"]}, dtype=object) for end in (nodes["id"][0], name))
    assert run.score(new, by_id).equals(run.score(new, by_name))
    with pytest.raises(Error, match="a node of the graph"):
        run.score(nodes[:1].drop(columns="label"))


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
@pytest.mark.parametrize("kind, bits", [("float64", 53), ("float32", 24), ("float16", 11)])
def test_ids_that_floats_may_have_rounded_are_refused(kind, bits, text):
    ids = 2**bits - N // 2 + np.arange(N)
    nodes = frame(label=Y, **text).assign(id=ids)
    ends = pandas.DataFrame(ids[EDGES.T], columns=["src", "dst"])
    message = rf"holds .* in row \d+, a {kind}, in which whole numbers from 2\^{bits} on are rounded, expected integers"
    run = train(ends, nodes)
    assert run.node_names[-1] == str(ids[-1])
    floats = ends.astype(kind)
    objects = floats.apply(lambda column: pandas.Series(list(column.to_numpy()), dtype=object))
    for given in (floats, objects):
        with pytest.raises(Error, match=f"edges {message}"):
            train(given, nodes)
    with pytest.raises(Error, match=f"nodes: the id {message}"):
        train(ends, nodes.assign(id=ids.astype(kind)))
    new = frame(**text)[:1].assign(id=["new"])
    with pytest.raises(Error, match=f"edges {message}"):
        run.score(new, floats.iloc[[int(np.argmax(floats["src"]))]])
    small = ids - N  # below the limit, floats hold every whole number
    small_ends = pandas.DataFrame(small[EDGES.T], columns=["src", "dst"]).astype(kind)
    assert np.array_equal(train(small_ends, nodes.assign(id=small)).predict(), run.predict())


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
def test_ids_that_occur_twice_are_named(text):
    nodes = frame(label=Y, **text).set_index(pandas.Index(["n1"] * 2 + [f"n{row}" for row in range(2, N)]))
    for edges in (EDGES, pandas.DataFrame({"src": ["n2"], "dst": ["n3"]})):
        with pytest.raises(Error, match="^nodes: the id 'n1' occurs in rows 0 and 1$"):
            train(edges, nodes)
    with pytest.raises(Error, match="^nodes: the id '1' occurs in rows 0 and 1$"):
        train(EDGES, frame(label=Y, **text).assign(id=pandas.Series([1, "1", *range(2, N)], dtype=object)))


def test_ids_that_differ_in_spaces_are_refused_in_tables():
    nodes = frame(label=Y).assign(id=["a", "a ", *map(str, range(2, N))])
    assert train(EDGES, nodes).node_names[:2] == ["a", "a "]
    with pytest.raises(Error, match="nodes: the id 'a' occurs in rows 0 and 1, but for spaces at its ends"):
        train(EDGES, nodes.assign(city="Rome"))


def test_rows_beside_a_networkx_graph_are_found_by_id():
    names = [f"n{row}" for row in range(N)]
    graph, nodes = graph_of(names), frame(label=Y, id=names)
    mixed = nodes.iloc[np.random.default_rng(1).permutation(N)].reset_index(drop=True)
    forms = (nodes, mixed, mixed.set_index("id"), nodes.drop(columns="id"))  # the last in the graph's order
    runs = [train(graph, form) for form in forms]
    assert all(np.array_equal(run.predict(), runs[0].predict()) and run.node_names == names for run in runs)
    numbered = train(graph_of(list(range(N))), mixed.assign(id=[str(name)[1:] for name in mixed["id"]]))
    assert np.array_equal(numbered.predict(), runs[0].predict())
    for wrong, message in (
        (mixed.iloc[1:], f"nodes has no row of the graph's node '{mixed['id'][0]}'"),
        (nodes.assign(id=["zz", *names[1:]]), "nodes: row 0 has the id 'zz', which is no node of the graph"),
        (nodes.assign(id=["n1", *names[1:]]), "nodes: the id 'n1' occurs in rows 0 and 1"),
        (mixed.assign(a=np.where(np.arange(N) == 4, np.nan, 1)), "column 'a' has a NaN .* in row 4"),
        (nodes.drop(columns="id").iloc[:5], "nodes has 5 rows, but the graph has 60 nodes"),
        (X[:5], "nodes has 5 rows, but the graph has 60 nodes"),
    ):
        with pytest.raises(Error, match=message):
            train(graph, wrong, **({"label": Y[:5]} if wrong is X[:5] else {}))
    with pytest.raises(Error, match="label: the rows of nodes are in another order than the graph's nodes"):
        train(graph, mixed.drop(columns="label"), label=Y)
    named = mixed.rename(columns={"id": "account"})
    for form in (named, named.set_index("account")):
        assert np.array_equal(train(graph, form, id="account").predict(), runs[0].predict())


def test_rows_without_ids_beside_nodes_that_are_their_numbers_in_another_order_are_refused():
    graph, nodes = graph_of([*range(N)][::-1]), frame(label=Y)
    with pytest.raises(Error, match="nodes has no ids, and the graph's nodes are 0 to 59 in another order than its"):
        train(graph, nodes)
    named = train(graph, nodes.assign(id=nodes.index))
    assert np.array_equal(train(graph, nodes[::-1]).predict(), named.predict())  # its index names them
    assert np.array_equal(train(graph_of([*range(N)]), nodes).predict(), train(EDGES, nodes).predict())


def test_arrays_beside_nodes_that_are_their_numbers_in_another_order_are_refused():
    order, attributes = [*range(N)][::-1], {"a": X[:, 0], "label": Y, "split": SPLIT}
    message = "has no ids, and the graph's nodes are 0 to 59 in another order than its rows: give"
    with pytest.raises(Error, match=f"nodes {message} a data frame that names them in a column"):
        train(graph_of(order), X, label=Y)
    for name, forms in (("label", (Y, Y.tolist())), ("split", (SPLIT, {"train": [1, 2], "test": [3]}))):
        others = {key: of for key, of in attributes.items() if key != name}
        for form in forms:
            with pytest.raises(Error, match=f"{name} {message} it as an attribute of the nodes"):
                train(graph_of(order, **others), None, **{name: form})
            assert train(graph_of([*range(N)], **others), None, **{name: form}).task == "binary"
    assert train(graph_of(order, **attributes), None).task == "binary"
    assert train(graph_of([f"n{row}" for row in order]), X, label=Y).task == "binary"


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
@pytest.mark.parametrize("name", ["nodes", "edges", "edge_index", "x"])
def test_columns_may_have_names_that_graphs_have_attributes_of(name, text):
    usual = train(edge_frame(), frame(label=Y, **text), residual="hop")
    named = train(edge_frame().assign(**{name: 1}), frame(label=Y, **text).rename(columns={"b": name}), residual="hop")
    assert named.columns[1] == name and np.array_equal(named.predict(), usual.predict())
    new = frame(**text).rename(columns={"b": name})[:2].assign(id=["p", "q"])
    ends = pandas.DataFrame({"src": ["p"], "dst": [0], name: [1]})
    assert list(named.score(new, ends).index) == ["p", "q"]


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
@pytest.mark.parametrize("source, target", [("src", "dst"), ("source", "target"), ("from", "to")])
def test_ends_of_edges_are_found_by_their_usual_names(source, target, text):
    nodes, new = frame(label=Y, **text), frame(**text)[:2].assign(id=["p", "q"])
    usual = train(edge_frame(), nodes, directed=True)
    ends = edge_frame().rename(columns={"src": source, "dst": target})[[target, source]]
    ends.insert(0, "edge_id", np.arange(len(ends)) % N)
    run = train(ends, nodes, directed=True)
    assert np.array_equal(run.predict(), usual.predict())
    given = [pandas.DataFrame({"edge_id": [0, 1], to: ["p", "q"], begin: [5, 7]})
             for begin, to in ((source, target), ("src", "dst"))]
    assert run.score(new, given[0]).equals(usual.score(new, given[1]))


def test_weights_of_edges_are_not_read(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    expected = train().predict()
    weights = np.linspace(-1, 0, EDGES.shape[1])
    matrix = sparse.coo_matrix((weights, tuple(EDGES)), (N, N))
    graph = graph_of([*range(N)])
    for place, (a, b) in enumerate(graph.edges()):
        graph.edges[a, b]["weight"] = float(place)
    assert np.array_equal(train(matrix).predict(), expected)
    assert np.array_equal(train(edge_frame().assign(weight=weights)).predict(), expected)
    assert np.array_equal(train(graph, X, label=Y).predict(), expected)
    files = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    tables = [edge_frame(), frame(label=Y, id=np.arange(N))]
    tables[1].to_csv(files[1], index=False)
    by_file = []
    for ends in (tables[0], tables[0].assign(weight=weights)):
        ends.to_csv(files[0], index=False)
        by_file.append(train(*files, label="label", residual="hop").predict())
    assert np.array_equal(*by_file)
    data = pyg_data(edge_attr=torch.from_numpy(weights), edge_weight=torch.from_numpy(weights))
    assert np.array_equal(geniepath.train(data, **QUICK).predict(), expected)


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
def test_ids_that_are_objects_are_compared_by_what_they_hold(text):
    numbers, names = np.arange(N), [str(row) for row in range(N)]
    mixed = np.array([row if row % 2 else str(row) for row in range(N)], dtype=object)
    usual = train(edge_frame(), frame(label=Y, **text).assign(id=numbers))
    for ids in (names, numbers.astype(object), mixed):
        for ends in (edge_frame(), edge_frame(object), edge_frame(str), edge_frame(str).assign(src=mixed[EDGES[0]])):
            run = train(ends, frame(label=Y, **text).assign(id=ids))
            assert run.node_names == names and np.array_equal(run.predict(), usual.predict())


def test_a_data_set_is_given_by_its_name_or_its_parts():
    data = geniepath.dataset("known-paths", size=300)
    for nodes in (None, data.x):
        with pytest.raises(Error, match="train: edges is a Dataset: give data=..., or its parts: edge_index, x"):
            geniepath.train(data, nodes, **QUICK)


@pytest.mark.parametrize("given", [{"size": 7}, {"data_seed": 3}, {"data_dir": "/nowhere"}, {"published_split": 4}])
def test_what_says_which_data_set_is_read_is_refused_beside_data(given):
    (name,) = given
    for nodes in (frame(label=Y), frame(label=Y, city="Rome")):
        with pytest.raises(Error, match=f"train: {name} was given, but edges were given, too: it says which data set"):
            train(EDGES, nodes, **given)
    assert train(verify=False).task == "binary"  # of the graph file that is made of the data


def test_columns_may_have_numbers_as_names():
    nodes = pandas.DataFrame(X).assign(**{"x": Y}).rename(columns={"x": 3})
    expected = train(EDGES, frame(label=Y)).predict()
    for given in ({"label": 3}, {"label": "3"}, {"label": np.int64(3)}):
        assert np.array_equal(train(EDGES, nodes, **given).predict(), expected)
    named = nodes.assign(x=np.arange(N) + 100).rename(columns={"x": 4})
    for id in (4, "4"):
        run = train(EDGES, named, label=3, id=id)
        assert run.node_names[0] == "100" and np.array_equal(run.predict(), expected)
        new = named.assign(text="0").drop(columns=[3])
        new[4] += N
        assert len(run.score(new, id=id, ignore="text")) == N
    with pytest.raises(Error, match=r"nodes has no column '9' \(label\)"):
        train(EDGES, nodes, label=9)


def test_ignored_columns_are_one_name_or_several_and_known(tmp_path):
    nodes = frame(label=Y, text="t", ab=1.0).rename(columns={"c": 2})
    assert train(EDGES, nodes, ignore=["text", 2]).columns == ["a", "b", "ab"]
    assert train(EDGES, nodes.drop(columns="text"), ignore="ab").columns == ["a", "b", "2"]
    with pytest.raises(Error, match="ignore: nodes has no column 'txt'; its columns are a, b, 2, label, text, ab"):
        train(EDGES, nodes, ignore=["txt"])
    assert train(ignore=None).task == "binary"
    with pytest.raises(Error, match="ignore names the column 'a', but nodes has no columns"):
        train(ignore=["a"])
    files = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    edge_frame().to_csv(files[0], index=False)
    nodes.assign(id=np.arange(N), fold=SPLIT).to_csv(files[1], index=False)
    run = train(*files, label="label", ignore=["ab", "text"], split="fold")
    assert run.columns == ["a", "b", "2"] and len(run.splits["valid"]) == N // 3
    with pytest.raises(Error, match="split is a column's name where nodes is a file"):
        train(*files, label="label", split=SPLIT)


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
def test_a_column_of_ids_that_is_named_is_there(text):
    nodes = frame(label=Y, account_id=np.arange(N) + 100, **text)
    with pytest.raises(Error, match="id: nodes has no column 'acount_id'; its columns are a, b, c, label, account_id"):
        train(EDGES, nodes, id="acount_id")
    runs = [train(EDGES, form, id="account_id") for form in (nodes, nodes.set_index("account_id"))]
    assert runs[0].node_names == runs[1].node_names and runs[0].node_names[0] == "100"
    new = nodes.drop(columns="label").assign(account_id=lambda rows: rows["account_id"] + 100)
    with pytest.raises(Error, match="id: nodes has no column 'acount_id'"):
        runs[0].score(new, id="acount_id")
    forms = ((new, "account_id"), (new.set_index("account_id"), "account_id"), (new.set_index("account_id"), None))
    assert all(runs[0].score(form, id=id).index[0] == "200" for form, id in forms)


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
def test_ignored_columns_may_occur_twice(text):
    nodes = frame(label=Y, d=1, **text).rename(columns={"d": "a"})
    run = train(EDGES, nodes, ignore="a")
    assert run.columns == ["b", "c", *text]
    new = nodes.drop(columns="label").assign(id=[f"x{row}" for row in range(N)])
    assert len(run.score(new, ignore="a")) == N
    with pytest.raises(Error, match="nodes has two columns 'a'"):
        train(EDGES, nodes)


def test_pandas_own_numbers_and_truth_values_are_numpy_s():
    usual = frame(label=Y, a=np.arange(N), b=X[:, 1] > 0)
    nullable = usual.astype({"a": "Int64", "b": "boolean", "c": "Float32"})
    runs = [train(EDGES, nodes) for nodes in (usual, nullable)]
    assert np.array_equal(runs[0].predict(), runs[1].predict())
    scores = [run.score(nodes).to_numpy()[:, 1:] for run in runs for nodes in (usual, nullable)]
    assert all(np.array_equal(scores[0], one) for one in scores)
    empty = nullable.assign(b=nullable["b"].where(nullable.index != 5))
    as_number = usual.assign(b=usual["b"].astype(float).where(usual.index != 5))
    options = {"missing": "zero", "edges": edge_frame()}
    runs = [train(nodes=nodes.assign(id=np.arange(N)), **options) for nodes in (empty, as_number)]
    assert np.array_equal(runs[0].predict(), runs[1].predict())


def test_features_may_be_called_label_and_split():
    nodes = frame(y=Y, fold=SPLIT).rename(columns={"a": "label", "b": "split"})
    run = train(EDGES, nodes, label="y", split="fold")
    assert run.columns == ["label", "split", "c"]
    assert np.array_equal(run.score(nodes[["c", "split", "label"]]).to_numpy()[:, 1:].astype("f4"), run.score(X))


@pytest.mark.parametrize("label", [Y.astype(float), Y, np.where(np.arange(N) < 3, np.nan, Y)])
def test_the_positive_class_may_be_a_number(label):
    for positive in (0.0, 0, "0", np.float32(0)):
        assert train(label=label, positive=positive).classes == ["1", "0"]


@pytest.mark.parametrize("nodes", [frame(label=Y), frame(label=Y, city="Rome")])
def test_a_training_beside_another_removes_its_own_data_alone(tmp_path, nodes):
    out, refused = tmp_path / "run", []

    def start_another(epoch, *_):
        if epoch == 2:
            with pytest.raises(Error) as error:
                train(EDGES, nodes, out=out, force=True)
            refused.append(error)
            assert all(path.name.startswith("data.") for path in out.glob("data*"))

    train(EDGES, nodes, out=out, on_epoch=start_another)
    assert refused and np.isfinite(geniepath.load(out).predict()).all()


def test_trainings_that_start_together_in_one_folder_leave_a_run(tmp_path):
    for attempt in range(4):
        out, ended, together = tmp_path / str(attempt), [], threading.Barrier(2)

        def start():
            together.wait()
            try:
                train(out=out)
            except Error as error:
                ended.append(error)

        threads = [threading.Thread(target=start) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(ended) == 1 and len(list(out.glob("data*"))) == 1
        assert np.isfinite(geniepath.load(out).predict()).all()


def test_files_of_new_data_are_one_training_s_own(tmp_path):
    with _run_data.new_files(tmp_path / "run", False, (".safetensors",)) as first:
        other = _run_data.new_files(tmp_path / "run", False, (".safetensors",))
        with pytest.raises(KeyboardInterrupt), other as second:
            assert first[0].name == "data.safetensors" and re.fullmatch(r"data-\d+\.safetensors", second[0].name)
            raise KeyboardInterrupt
        assert first[0].exists() and not second[0].exists()


@pytest.mark.parametrize("name", ["a;b", "|", " a", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL"])
def test_classes_that_tables_would_read_otherwise_are_refused(name):
    nodes = frame(label=np.where(Y == 1, name, "c"))
    assert train(EDGES, nodes).classes == sorted(["c", name])
    with pytest.raises(Error, match="label: the class '.*' (reads as (several labels|an empty)|begins or ends with a)"):
        train(EDGES, nodes.assign(city="Rome"))
    if name == "a;b":
        for task, found in (("multi-class", ["a;b", "c"]), ("multi-label", ["a", "b", "c"])):
            assert train(EDGES, nodes.assign(city="Rome"), task=task).classes == found


def test_scalars_of_numpy_and_paths_are_options(tmp_path):
    usual = train(hidden=4, bias=True, learning_rate=0.25, seed=2)
    given = train(hidden=np.int64(4), bias=np.bool_(True), learning_rate=np.float32(0.25), seed=np.uint8(2))
    assert np.array_equal(usual.predict(), given.predict())
    usual.folder.joinpath("data.safetensors").rename(tmp_path / "data.safetensors")
    again = geniepath.train(data=tmp_path / "data.safetensors", data_dir=tmp_path, seed=2, bias=True, **QUICK)
    assert again.predict().shape == (N, 2)
    for wrong, kind in ((object(), "object"), (np.ones(2), "ndarray"), (X.astype("g")[0, 0], "longdouble|float128")):
        with pytest.raises(Error, match=f"train: hidden is neither a number, a text nor a truth value, but a ({kind})"):
            train(hidden=wrong)


def test_devices_are_named_as_pytorch_names_them():
    run = train(device=torch.device("cpu"))
    assert np.array_equal(geniepath.load(run.folder, None).predict(), run.predict())
    assert np.array_equal(geniepath.load(run.folder, torch.device("cpu")).predict(), run.predict())
    assert [_options.device(x) for x in (1, np.int64(0), torch.device("cuda", 1))] == ["cuda:1", "cuda:0", "cuda:1"]
    for wrong in (True, 1.5):
        with pytest.raises(Error, match="device is a (bool|float), expected 'cpu', 'cuda', 'cuda:1' or a torch.device"):
            train(device=wrong)


@pytest.mark.parametrize("kind", [torch.bool, torch.uint8])
@pytest.mark.parametrize("names, sizes", [(("train", "test"), [20, 0, 20]), (("valid", "test"), [17, 20, 20]),
                                          (("test",), [37, 0, 20]), (("train", "valid", "test"), [20, 20, 20])])
def test_masks_of_pyg_are_those_it_has(names, sizes, kind):
    y = torch.from_numpy(np.where(np.isin(np.arange(N), [0, 3, 6]), -1, Y))  # nodes to train on
    run = geniepath.train(pyg_data(y=y if "train" not in names else torch.from_numpy(Y), **pyg_masks(*names, kind=kind)),
                          **QUICK)
    assert [len(run.splits[name]) for name in ("train", "valid", "test")] == sizes
    assert all(set(SPLIT[run.splits[name]]) == {name} for name in names)


def test_what_is_no_mask_of_pyg_is_named():
    for mask in (torch.arange(N), torch.ones(N, 2, dtype=torch.bool)):
        with pytest.raises(Error, match=r"val_mask has shape \[60.*\] of .*, expected one truth value per node, 60"):
            geniepath.train(pyg_data(val_mask=mask), **QUICK)


def test_classes_called_as_a_column_of_the_table_keep_both():
    run = train(label=np.where(Y == 1, "split", "predicted"), split=SPLIT)
    table = run.table()
    assert list(table.columns) == ["split", "predicted", "probability of predicted", "probability of split"]
    assert set(table["split"]) == {"train", "valid", "test"} and set(table["predicted"]) <= {"split", "predicted"}


@pytest.mark.parametrize(
    "given, message",
    [
        ({"out": ""}, "train: out is empty, expected the path of a run's folder"),
        ({"id": None}, "train: id is a NoneType, expected the name of a column"),
        ({"edges": pyg_data()}, "train: nodes was given, but edges is a SimpleNamespace, whose features are its x"),
        ({"out": "a\0b"}, "train: out holds a NUL, expected the path of a run's folder"),
        ({"out": 5}, "train: out is a int, expected the path of a run's folder"),
        ({"data": "cora"}, "train: data is 'cora', but edges were given, too: give one of them"),
        ({"split": {0: [1], "dev": [2]}}, "split has '0', expected train, valid, test"),
        ({"label": np.array([["a", "b"]] * N)}, r"label has shape \[60, 2\], expected 0 or 1 in each column"),
        ({"label": np.full((N, 2), 0.5)}, r"label is \[0.5, 0.5\] in row 0, expected 0 or 1 in each column, or NaN"),
        ({"label": [[1, 0]] * (N - 1) + [[np.nan, 1]]}, r"label is \[nan, 1.0\] in row 59, expected 0 or 1"),
        ({"label": np.ones((N, 2, 2))}, r"label has shape \[60, 2, 2\], expected one label per node, \[N\], or several"),
        ({"label": np.ones((N, 0))}, r"label has shape \[60, 0\], expected one label per node, \[N\], or several"),
        ({"nodes": 5}, r"nodes is a int, expected one row per node, \[N, P\]"),
        ({"label": [[1], [1, 2]]}, "label is a list of rows of different lengths"),
        ({"split": {"train": [[1], [1, 2]]}}, "split train is a list of rows of different lengths"),
        ({"epochs": "x", "progress": True}, "epochs: expected a whole number, found"),
        ({"nodes": [[10**400]] * N}, "nodes: expected numbers, int too large to convert to float"),
        ({"ignore": 3.5}, "ignore is a float, expected names of columns"),
        ({"label": np.where(Y == 1, b"a", b"b")}, r"label holds \|S1, expected numbers, text or truth values"),
        ({"label": [b"a", "b", *[None] * (N - 2)]}, "label holds bytes, expected numbers, text or truth values: dec"),
        ({"label": Y + 1j}, "label holds complex128, expected numbers, text or truth values"),
        ({"label": Y.astype("datetime64[s]")}, "label holds datetime64"),
    ],
)
def test_other_arguments_that_are_wrong_are_named(given, message):
    with pytest.raises(Error, match=message):
        train(**given)


@pytest.mark.parametrize("label", [0, 1, "yes"])
@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
def test_one_class_is_refused(label, text):
    with pytest.raises(Error, match=f"label: every label is '{label}', expected two classes or more"):
        train(EDGES, frame(label=label, **text))
    with pytest.raises(Error, match=f"label: every label is '{label}', expected two classes or more"):
        train(label=np.array([label, None, *[label] * (N - 2)], dtype=object))


FILE_OPTIONS = {"task": "multi-label", "missing": "zero", "most_categories": 3, "type_column": "a"}
COLUMNS = {"label_column": "label", "split_column": "split", "id_column": "id", "ignore_columns": "ignore"}


@pytest.mark.parametrize("name", [*FILE_OPTIONS, *COLUMNS])
@pytest.mark.parametrize("form", ["matrix", "networkx", "networkx and rows", "pyg", "data set"])
def test_options_of_tables_are_refused_where_there_is_none(name, form):
    forms = {"matrix": lambda **to: train(**to), "networkx": lambda **to: train(graph_of([*range(N)], a=Y, label=Y), None, **to),
             "networkx and rows": lambda **to: train(graph_of([*range(N)]), frame(label=Y), **to),
             "pyg": lambda **to: geniepath.train(pyg_data(), **QUICK | to),
             "data set": lambda **to: geniepath.train(data="known-paths", size=300, **QUICK | to)}
    message = f"{name} was given, but the data is" if name in FILE_OPTIONS else f"{name} is {COLUMNS[name]} here"
    with pytest.raises(Error, match=f"train: {message}"):
        forms[form](**{name: FILE_OPTIONS.get(name, "b")})


def test_walks_are_a_task_with_any_data():
    assert np.isfinite(train(task="unsupervised", objective="walks").embed()).all()


@pytest.mark.parametrize("name", [*COLUMNS, "separator", "edge_source", "node_header"])
def test_how_a_frame_is_written_is_no_option(name):
    message = f"{name} is {COLUMNS[name]} here" if name in COLUMNS else f"{name} was given, but nodes is a data frame"
    with pytest.raises(Error, match=f"train: {message}"):
        train(EDGES, frame(label=Y, city="Rome"), **{name: "auto" if name == "node_header" else "tab"})


OTHERS = {"label": Y, "split": {"train": [1]}, "id": "name", "ignore": ["a"], "positive": 1, "directed": True}


@pytest.mark.parametrize("name", OTHERS)
def test_what_says_how_data_is_read_is_refused_beside_a_data_set_and_a_resumed_run(name, tmp_path):
    with pytest.raises(Error, match=f"train: {name} was given, but no edges: a data set"):
        geniepath.train(data="known-paths", size=300, **QUICK | {name: OTHERS[name]})
    with pytest.raises(Error, match=f"train: {name} was given, but a resumed run has its own data"):
        geniepath.train(out=tmp_path, resume=True, **{name: OTHERS[name]})


@pytest.mark.parametrize("name", ["label", "split", "id", "ignore"])
def test_columns_are_not_named_where_there_are_none(name):
    given = {name: ["fold"] if name == "ignore" else "fold"}
    for call in (lambda: train(**given), lambda: geniepath.train(pyg_data(), **QUICK | given)):
        with pytest.raises(Error, match=f"train: {name} names the column 'fold', but nodes has no columns"):
            call()
    if name in ("id", "ignore"):
        with pytest.raises(Error, match=f"score: {name} names the column 'fold', but nodes has no columns"):
            train().score(X[:1], **given)


def test_truth_values_may_be_numpy_s():
    for nodes in (frame(label=Y), frame(label=Y, city="Rome")):
        run = train(EDGES, nodes, directed=np.bool_(True), progress=np.bool_(False), force=np.bool_(False))
        assert np.array_equal(run.predict(), train(EDGES, nodes, directed=True).predict())


@pytest.mark.parametrize("name", ["directed", "force", "resume", "progress"])
def test_truth_values_are_no_text(name):
    with pytest.raises(Error, match=f"train: {name} is 'no', expected True or False"):
        train(**{name: "no"})


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
@pytest.mark.parametrize(
    "change, message",
    [
        ({"id": ["n\ud800", *map(str, range(1, N))]}, r"id.* 'n\\ud800' has half of a surrogate pair"),
        ({"label": np.where(Y == 1, "\udfff", "c")}, r"label.* '\\udfff' has half"),
        ({"x\ud800": 1.0}, r"the name of a column, 'x\\ud800' has half"),
    ],
)
def test_what_is_no_text_is_refused(change, message, text):
    with pytest.raises(Error, match=message):
        train(EDGES, frame(label=Y).assign(**change, **text))
