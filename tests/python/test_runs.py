"""Runs from Python: the same files as the program's, on data in every form, watched, stopped and resumed."""

import contextlib
import json
import os
import pathlib
import pickle
import signal
import tempfile
import threading

import numpy as np
import pytest
import torch

import geniepath
from geniepath import Error, _core, _modes, _threads, runs

QUICK = {"hidden": 8, "depth": 2, "epochs": 15, "progress": False}


def ring(nodes: int = 120) -> dict[str, np.ndarray]:
    """Nodes in a ring, each of the class that its left neighbour's features show."""
    shown = np.random.default_rng(1).integers(0, 2, nodes)
    features = np.stack([shown, 1 - shown, np.arange(nodes) % 3], 1).astype(np.float32)
    edges = np.stack([np.arange(nodes), (np.arange(nodes) + 1) % nodes])
    split = np.array(["valid", "test", "train", "train"])[np.arange(nodes) % 4]
    return {"edges": edges, "features": features, "labels": np.roll(shown, 1), "split": split}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> geniepath.Run:
    folder = tmp_path_factory.mktemp("runs") / "fraud"
    return geniepath.train(data="account-device", size=1000, out=folder, seed=3, **QUICK)


def test_a_run_is_the_program_s(run, tmp_path):
    again = geniepath.train(data="account-device", size=1000, out=tmp_path / "again", seed=3, **QUICK)
    for name in ("model.json", "best.safetensors", "config.toml"):
        assert (run.folder / name).read_bytes() == (again.folder / name).read_bytes(), name
    assert run.result is not None and run.result["epochs"] == 15 and run.task == "binary"


def test_it_predicts_embeds_and_tabulates(run):
    probabilities = run.predict()
    assert probabilities.shape == (1000, 2) and np.allclose(probabilities.sum(1), 1)
    assert run.embed().shape == (1000, 8)
    assert geniepath.load(run.folder).predict().tolist() == probabilities.tolist()
    pandas = pytest.importorskip("pandas")
    table = run.table()
    assert isinstance(table, pandas.DataFrame) and len(table) == 1000
    assert set(table["predicted"]) <= set(run.classes) and (table["split"] == "test").sum() == len(run.splits["test"])


def test_an_unfinished_run_chooses_its_threshold_on_its_data(tmp_path):
    call = QUICK | {"threshold": "tuned"}
    run = geniepath.train(data="account-device", size=1000, out=tmp_path / "tuned", **call)
    chosen = run.threshold
    assert chosen != 0.5
    (run.folder / "result.json").unlink()
    assert geniepath.load(run.folder).threshold == chosen


def test_its_weights_load_into_a_module_and_back(run, tmp_path):
    import shutil

    shutil.copytree(run.folder, tmp_path / "copy")
    copy = geniepath.load(tmp_path / "copy")
    before = (copy.folder / "best.safetensors").read_bytes()
    module = copy.module()
    assert copy.save_weights(module).result is not None
    assert (copy.folder / "best.safetensors").read_bytes() == before
    with torch.no_grad():
        module.w_y.neg_()
    changed = copy.save_weights(module)
    assert not np.allclose(changed.predict(), copy.predict()) and changed.result is None
    assert np.array_equal(geniepath.train(out=copy.folder, resume=True, progress=False).predict(), run.predict())
    with pytest.raises(Error, match="weights: b_y is missing"):
        copy.save_weights(geniepath.nn.GeniePath(3, 8, 2, 1, output_bias=False).requires_grad_(False))


def test_a_run_with_saved_weights_is_on_its_device(run, monkeypatch):
    devices = []
    copy, make = geniepath.load(run.folder), _core.Run
    copy._device = "cuda:3"
    monkeypatch.setattr(_core, "Run", lambda folder, device: (devices.append(device), make(folder))[1])
    assert copy.save_weights(copy.module())._device == "cuda:3" and devices == ["cuda:3"]


def frames(id="id"):
    pandas = pytest.importorskip("pandas")
    data = ring()
    names = np.array([f"n{number}" for number in range(120)])
    nodes = pandas.DataFrame({"label": np.where(data["labels"] == 1, "yes", "no"), "split": data["split"],
                              "a": data["features"][:, 0], "b": data["features"][:, 1] > 0,
                              "c": data["features"][:, 2].astype(int)})
    if id:
        nodes.insert(0, id, names)
    else:
        nodes.index = names
    return pandas.DataFrame({"src": names[data["edges"][0]], "dst": names[data["edges"][1]]}), nodes


def test_every_form_of_the_same_graph_gives_the_same_weights(tmp_path):
    data = ring()
    sparse, networkx = pytest.importorskip("scipy.sparse"), pytest.importorskip("networkx")
    edges, nodes = frames()
    matrix = sparse.coo_matrix((np.ones(120), tuple(data["edges"])), (120, 120))
    graph = networkx.DiGraph()
    graph.add_nodes_from((row, {"x0": f[0], "x1": f[1], "x2": f[2], "label": int(label), "split": split})
                         for row, (f, label, split) in enumerate(zip(data["features"], data["labels"], data["split"])))
    graph.add_edges_from(data["edges"].T.tolist())

    class Data:  # as PyG's
        edge_index, x, y = map(torch.from_numpy, (data["edges"], data["features"], data["labels"]))
        train_mask, val_mask, test_mask = (torch.from_numpy(data["split"] == name) for name in ("train", "valid", "test"))

    arrays = {"label": data["labels"], "split": data["split"]}
    forms = {
        "arrays": lambda **to: geniepath.train(data["edges"], data["features"], **arrays, **to),
        "tensors": lambda **to: geniepath.train(*map(torch.from_numpy, (data["edges"], data["features"])), **arrays, **to),
        "scipy": lambda **to: geniepath.train(matrix, data["features"], **arrays, **to),
        "networkx": lambda **to: geniepath.train(graph, **to),
        "pyg": lambda **to: geniepath.train(Data(), **to),
        "frames": lambda **to: geniepath.train(edges, nodes, **to),
        "index": lambda **to: geniepath.train(edges, frames(id=None)[1], **to),
        "masks": lambda **to: geniepath.train(data["edges"], data["features"], label=data["labels"], split={
            name: np.flatnonzero(data["split"] == name) for name in ("train", "valid", "test")}, **to),
    }
    weights = {}
    for name, form in forms.items():
        run = form(out=tmp_path / name, model="geniepath", **(QUICK | {"epochs": 3}))
        weights[name] = (run.folder / "best.safetensors").read_bytes()
    assert all(found == weights["arrays"] for found in weights.values()), [n for n in weights if weights[n] != weights["arrays"]]
    assert run.predict().shape == (120, 2)
    assert geniepath.load(tmp_path / "frames").node_names[5] == "n5"


def test_it_learns_what_a_neighbour_shows():
    data = ring(400)
    run = geniepath.train(data["edges"], data["features"], label=data["labels"], split=data["split"], directed=True,
                          **(QUICK | {"epochs": 100, "depth": 1}))
    assert run.result is not None and run.result["test"]["accuracy"] > 0.9


def test_sparse_features_labels_in_many_columns_and_splits_drawn():
    sparse = pytest.importorskip("scipy.sparse")
    data = ring()
    labels = np.stack([data["labels"], 1 - data["labels"], np.ones(120)], 1)
    run = geniepath.train(data["edges"], sparse.csr_matrix(data["features"]), label=labels, **QUICK)
    assert run.task == "multi-label" and run.predict().shape == (120, 3) and len(run.splits["train"]) > 0
    assert all(isinstance(labels, list) for labels in run.predicted())


def test_unknown_labels_and_the_positive_class():
    data = ring()
    floats = np.where(np.arange(120) % 5 == 0, np.nan, data["labels"])
    assert geniepath.train(data["edges"], data["features"], label=floats, **QUICK).classes == ["0", "1"]
    words = np.where(data["labels"] == 1, "bad", "good").astype(object)
    words[::5] = None
    run = geniepath.train(data["edges"], data["features"], label=words, positive="bad", **QUICK)
    assert run.classes == ["good", "bad"]
    labelled = {node for nodes in run.splits.values() for node in nodes.tolist()}
    assert labelled and not labelled & set(range(0, 120, 5))


def test_files_are_read_as_by_the_program(tmp_path):
    tables = pathlib.Path(__file__).parents[2] / "examples" / "own_tables"
    run = geniepath.train(tables / "edges.csv", f"{tables / 'accounts.csv'},{tables / 'devices.csv'}",
                          positive="malicious", baselines=False, **QUICK)
    assert run.classes[1] == "malicious" and len(run.node_names) == 560


def test_new_nodes_are_scored(tmp_path):
    data = ring()
    run = geniepath.train(data["edges"], data["features"], label=data["labels"], split=data["split"], **QUICK)
    scores = run.score(data["features"][:2], [[120, 121], [0, 120]])
    assert scores.shape == (2, 2) and np.allclose(scores.sum(1), 1, atol=1e-6)
    with pytest.raises(Error, match="score: edge 0 has the node 122, expected 0 to below 122"):
        run.score(data["features"][:2], [[122], [0]])
    with pytest.raises(Error, match="score: nodes has 1 columns, expected 3"):
        run.score(data["features"][:2, :1], [[120], [0]])


def text_frames():
    pd = pytest.importorskip("pandas")
    edges, nodes = frames()
    nodes["city"] = pd.Categorical(np.where(np.arange(len(nodes)) % 3 == 0, "Rome", "Oslo"))
    nodes["since"] = pd.date_range("2024-05-01", periods=len(nodes), freq="36h")
    nodes["open"] = np.arange(len(nodes)) % 2 == 0
    return edges, nodes


def test_text_and_dates_in_frames_are_read_as_in_files(tmp_path):
    edges, nodes = text_frames()
    run = geniepath.train(edges, nodes, positive="yes", out=tmp_path / "frames", **QUICK)
    edges.to_csv(tmp_path / "edges.csv", index=False)
    nodes.assign(open=nodes["open"].astype(int), b=nodes["b"].astype(int)).to_csv(tmp_path / "nodes.csv", index=False)
    same = geniepath.train(tmp_path / "edges.csv", tmp_path / "nodes.csv", positive="yes", out=tmp_path / "files", **QUICK)
    columns = [json.loads((one.folder / "model.json").read_text())["schema"]["tables"] for one in (run, same)]
    assert columns[0] == columns[1] and columns[0][0]["one_hot"][0]["values"] == ["Oslo", "Rome"]
    assert np.array_equal(run.predict(), same.predict())
    assert geniepath.load(run.folder).predict().shape == (len(nodes), 2)


def test_empty_cells_in_frames_are_read_as_asked():
    edges, nodes = frames()
    nodes.loc[3:7, "a"] = np.nan
    run = geniepath.train(edges, nodes, missing="mean", **QUICK)
    assert run.module().in_channels == 4  # three columns, and the mark of empty cells
    with pytest.raises(Error, match="column 'a' has a NaN .* in row 3; missing='zero' or 'mean' reads empty cells"):
        geniepath.train(edges, nodes, **QUICK)


def test_a_text_column_of_many_values_is_left_out_unless_asked_for():
    edges, nodes = frames()
    nodes["name"] = [f"name {row}" for row in range(len(nodes))]
    assert geniepath.train(edges, nodes, **QUICK).module().in_channels == 3
    assert geniepath.train(edges, nodes, most_categories=200, **QUICK).module().in_channels == 3 + len(nodes)


def test_ids_may_be_numbers_near_or_far_apart_and_of_any_type():
    edges, nodes = frames()
    numbers = {name: 7 + place for place, name in enumerate(nodes["id"])}
    found = []
    for spread, kind in ((1, "int64"), (1, "uint8"), (10**9, "int64"), (1, "float64")):
        ids = {name: number * spread for name, number in numbers.items()}
        call = edges.apply(lambda column: column.map(ids).astype(kind)), nodes.assign(id=nodes["id"].map(ids).astype(kind))
        found.append(geniepath.train(*call, **QUICK).predict())
    assert all(np.array_equal(one, found[0]) for one in found)
    close = nodes.assign(id=nodes["id"].map(numbers))
    far = edges.apply(lambda column: column.map(numbers))
    far.loc[5, "src"] = 10**6
    with pytest.raises(Error, match="edges: row 5 names '1000000' in its first column"):
        geniepath.train(far, close, **QUICK)
    close.loc[9, "id"] = 10
    with pytest.raises(Error, match="nodes: the id '10' occurs in rows 3 and 9"):
        geniepath.train(far, close, **QUICK)


def test_pandas_own_missing_values_are_empty_cells():
    pandas = pytest.importorskip("pandas")
    edges, nodes = frames()
    nodes["d"] = pandas.array([None, *range(119)], dtype="Int64")
    nodes["label"] = nodes["label"].astype("string").where(nodes.index != 5)
    nodes["split"] = nodes["split"].astype("string").where(nodes.index != 5)
    # pandas 1 has them as objects, which become cells of a table, pandas 2 as numbers.
    with pytest.raises(Error, match="(nodes.csv:2: .*|nodes: column )'d'"):
        geniepath.train(edges, nodes, **QUICK)
    run = geniepath.train(edges, nodes, missing="zero", **QUICK)
    assert run.module().in_channels == 4 and run.classes == ["no", "yes"]


def test_numbers_in_edges_are_the_text_of_ids_as_in_files():
    edges, nodes = frames()
    numbers = {name: place for place, name in enumerate(nodes["id"])}
    of_numbers = edges.apply(lambda column: column.map(numbers)), nodes.assign(id=nodes["id"].map(numbers))
    mixed = of_numbers[0], of_numbers[1].assign(id=of_numbers[1]["id"].astype(str))
    assert np.array_equal(geniepath.train(*of_numbers, **QUICK).predict(), geniepath.train(*mixed, **QUICK).predict())


def test_columns_of_any_type_and_stride_are_the_matrix_s_rows(tmp_path):
    pandas = pytest.importorskip("pandas")
    whole = np.random.default_rng(1).integers(-3, 100, (120, 20)) + np.linspace(0, 1, 20)
    types = ["f8", "f4", "f2", ">f8", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?", ">i4", "g"]
    frame = pandas.DataFrame({name: np.abs(whole[:, place]).astype(name) for place, name in enumerate(types)})
    for table in (frame, pandas.DataFrame(whole), frame.iloc[::-1]):  # the second's columns lie within rows
        graph = ring(120)
        forms = {"label": graph["labels"], "split": graph["split"], "out": tmp_path / "run", "force": True}
        edges = pandas.DataFrame(graph["edges"].T, index=None)
        geniepath.train(edges, table, model="mlp", **forms, **QUICK)
        (file,) = (tmp_path / "run").glob("data*.safetensors")
        x = _core.read_data({"data": json.dumps({"data": str(file)})})["x"]
        assert np.array_equal(x.numpy(), np.stack([table[name].astype("f4") for name in table], 1))


def test_the_file_of_a_frame_is_that_of_its_matrix(tmp_path):
    """Bit for bit, but for the names that only a frame has."""
    pandas = pytest.importorskip("pandas")
    graph = ring()
    forms = {"label": graph["labels"], "split": graph["split"], **QUICK}
    geniepath.train(graph["edges"], graph["features"], **forms, model="mlp", out=tmp_path / "matrix")
    frames = [pandas.DataFrame(graph[name]) for name in ("edges", "features")]
    geniepath.train(frames[0].T, frames[1], **forms, model="mlp", out=tmp_path / "frame")
    read = [_core.read_data({"data": json.dumps({"data": str(tmp_path / name / "data.safetensors")})}) for name in ("matrix", "frame")]
    assert all(torch.equal(read[0][name], read[1][name]) for name in ("x", "y", "train", "valid", "test"))
    assert all(torch.equal(a, b) for a, b in zip(read[0]["graph"].tensors(), read[1]["graph"].tensors()))


def test_a_frame_that_is_refused_leaves_nothing_behind(tmp_path):
    pandas = pytest.importorskip("pandas")
    graph = ring()
    edges, nodes = pandas.DataFrame(graph["edges"].T), pandas.DataFrame(graph["features"])
    forms = {"label": graph["labels"], "split": graph["split"], "out": tmp_path / "run", **QUICK}
    for row, column, wrong in ((4, 1, 120), (7, 0, -1)):
        changed = edges.copy()
        changed.iloc[row, column] = wrong
        place = ("first", "second")[column]
        with pytest.raises(Error, match=f"edges: row {row} names '{wrong}' in its {place} column, which no row of nodes has"):
            geniepath.train(changed, nodes, **forms)
    for wrong in (np.nan, 1e300):
        changed = nodes.astype(float)
        changed.iloc[9, 2] = wrong
        with pytest.raises(Error, match="nodes: column '2' has a NaN or infinite value, the first in row 9; missing="):
            geniepath.train(edges, changed, **forms)
    assert not (tmp_path / "run").exists()
    with pytest.raises(Error, match="batch"):
        geniepath.train(edges, nodes, **forms, batch="nonsense")
    assert not list((tmp_path / "run").glob("*"))


def test_wrong_arguments_of_a_run_are_named(run):
    node = run.node_names[0]
    for call, message in (
        (lambda: run.explain(node, hops=1.5), "explain: hops is 1.5, expected a whole number"),
        (lambda: run.explain(node, hops=2**70), f"explain: hops is {2**70}, expected a whole number"),
        (lambda: run.explain("\ud800"), "explain: the node .* has half of a surrogate pair"),
        (lambda: run.explain(node, top="x"), "explain: top is 'x', expected a whole number"),
        (lambda: run.explain(node, threshold="x"), "explain: threshold is 'x', expected a number"),
        *((lambda wrong=wrong: run.predicted(wrong), f"predicted: probabilities.* expected {expected}") for wrong, expected in (
            ("x", "one row per node"), ([0.2, 0.8], "one row per node"), (np.zeros((3, 5)), "2, one per class"),
            ([["a", "b"]], "numbers"))),
        (lambda: run.predicted([[np.nan, 1.0]]), "predicted: probabilities has a NaN or infinite value, the first in row 0"),
        *((lambda wrong=wrong: run.explain(node).save(wrong), f"save: path {found}, expected a file that ends in .svg, .html or")
          for wrong, found in ((None, "is a NoneType"), ("", "is empty"), ("a\0.svg", "holds a NUL"))),
        (lambda: geniepath.dataset(None), "dataset: data is a NoneType, expected a name, or the path of a file or folder"),
        (lambda: run.predicted(torch.eye(2).to_sparse()), "predicted: probabilities is sparse, expected a dense"),
        (lambda: geniepath.dataset("cora", hiden=1), "dataset: no option hiden"),
        (lambda: geniepath.dataset("known-paths", hidden=8), "dataset: hidden was given, but it is about training"),
        (lambda: geniepath.dataset("known-paths", feature_transform="none"), "dataset: feature_transform was given"),
        (lambda: geniepath.dataset("known-paths", missing="zero"), "dataset: missing was given, but the data is"),
        (lambda: geniepath.dataset("known-paths", size=float("nan")), "dataset: size is nan, expected a finite number"),
        (lambda: geniepath.dataset("known-paths", size=object()), "dataset: size is neither a number"),
        (lambda: run.save_weights(None), "save_weights: module is a NoneType, expected a torch.nn.Module"),
        (lambda: geniepath.convert_pyg(None), "convert_pyg: module is a NoneType, expected a torch.nn.Module"),
    ):
        with pytest.raises(Error, match=message):
            call()


def test_graphs_of_a_data_set_are_found_by_nodes():
    data = geniepath.dataset("known-paths", size=300, graphs=3)
    assert [len(graph["x"]) for graph in data.graphs([0, 299])] == [100, 100]
    assert len(data.graphs(np.arange(300) < 101)) == 2 and data.graphs(torch.tensor([])) == []
    for wrong, message in ((torch.tensor([300]), "has the node 300, expected 0 to below 300"), ([-1], "has the node -1"),
                           (torch.tensor([0.5]), "holds float32, expected numbers of nodes"), (None, "holds object")):
        with pytest.raises(Error, match=f"graphs: nodes {message}"):
            data.graphs(wrong)


def test_text_of_a_networkx_graph_is_refused_in_words():
    networkx = pytest.importorskip("networkx")
    graph = networkx.path_graph(4)
    for node in graph:
        graph.nodes[node].update(label=node % 2, city="Rome")
    with pytest.raises(Error, match="column 'city' holds .*, expected numbers"):
        geniepath.train(graph, **QUICK)


def test_epochs_are_reported_and_errors_in_reports_end_the_training(tmp_path):
    data, seen = ring(), []
    call = {"label": data["labels"], "split": data["split"], **QUICK}
    geniepath.train(data["edges"], data["features"], on_epoch=lambda *epoch: seen.append(epoch), **call)
    assert [epoch[0] for epoch in seen] == list(range(1, 16)) and all(epoch[1] > 0 for epoch in seen)

    def fail(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        geniepath.train(data["edges"], data["features"], on_epoch=fail, **call)


def test_ctrl_c_stops_and_the_run_resumes_to_the_same_bits(tmp_path):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    data = ring()
    call = {"label": data["labels"], "split": data["split"], **(QUICK | {"epochs": 40})}
    whole = geniepath.train(data["edges"], data["features"], out=tmp_path / "whole", **call)

    def interrupt(epoch, *_):
        if epoch == 20:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        geniepath.train(data["edges"], data["features"], out=tmp_path / "cut", on_epoch=interrupt, **call)
    assert not (tmp_path / "cut" / "result.json").exists()
    resumed = geniepath.train(out=tmp_path / "cut", resume=True, progress=False)
    assert (resumed.folder / "best.safetensors").read_bytes() == (whole.folder / "best.safetensors").read_bytes()
    with pytest.raises(Error, match="a resumed run has its own data"):
        geniepath.train(data["edges"], out=tmp_path / "cut", resume=True)


def test_a_resumed_run_needs_its_folder_and_shows_its_own_epochs(tmp_path, monkeypatch):
    with pytest.raises(Error, match="train: resume was given without out, the folder of the run"):
        geniepath.train(resume=True)
    with pytest.raises(Error, match="no run here"):
        geniepath.train(out=tmp_path, resume=True)
    geniepath.train(data="account-device", size=1000, out=tmp_path / "run", **QUICK)
    totals, make = [], runs.Progress
    monkeypatch.setattr(runs, "Progress", lambda show, epochs, hook: (totals.append(epochs), make(show, epochs, hook))[1])
    geniepath.train(out=tmp_path / "run", resume=True, progress=False)
    assert totals == [QUICK["epochs"]]
    for nothing in ([], (), None):
        geniepath.train(out=tmp_path / "run", resume=True, progress=False, ignore=nothing)


def test_python_goes_on_while_the_library_works():
    data, moments = ring(2000), []
    done = threading.Event()

    def count():
        while not done.wait(0.001):
            moments.append(1)

    other = threading.Thread(target=count)
    other.start()
    geniepath.train(data["edges"], data["features"], label=data["labels"], **QUICK)
    done.set()
    other.join()
    assert len(moments) > 10


def bad_frames(change):
    edges, nodes = frames()
    change(edges, nodes)
    return lambda: geniepath.train(edges, nodes, **QUICK)


def bad_arrays(**changes):
    data = ring() | changes
    return lambda: geniepath.train(data["edges"], data["features"], label=data["labels"], split=data["split"], **QUICK)


def set_cell(which, column, row, value):
    def change(edges, nodes):
        frame = nodes if which == "nodes" else edges
        frame[column] = frame[column].astype(object)
        frame.loc[row, column] = value

    return change


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: bad_frames(set_cell("nodes", "id", 7, "n3")), "nodes: the id 'n3' occurs in rows 3 and 7"),
        (lambda: bad_frames(set_cell("edges", "dst", 4, "zz")), "edges: row 4 names 'zz' in its second column"),
        (lambda: bad_frames(lambda e, n: n.insert(5, "d", [*range(119), "x"])), r"nodes.csv:121: 'x' in column 'd', where most"),
        (lambda: bad_frames(lambda e, n: n.insert(5, "d", [0.0] * 5 + [np.nan] * 115)), "nodes: column 'd' has a NaN .* in row 5"),
        (lambda: bad_frames(lambda e, n: n.pop("label")), r"nodes has no column 'label' \(label\)"),
        (lambda: bad_frames(set_cell("nodes", "split", 2, "dev")), "split has 'dev', expected train, valid, test"),
        (lambda: bad_arrays(edges=np.array([[0, 1], [1, 120]])), r"edges: edge 1 joins \[1, 120\], but there are 120"),
        (lambda: bad_arrays(edges=np.ones((3, 4), dtype=int)), r"edges has shape \[3, 4\] of int64, expected integers"),
        (lambda: bad_arrays(edges=np.ones((2, 4))), "edges has shape .* of float64, expected integers"),
        (lambda: bad_arrays(features=np.full((120, 2), np.inf)), "nodes has a NaN or infinite value, the first in row 0"),
        (lambda: bad_arrays(features=np.array([["a"]] * 120)), "nodes: expected numbers"),
        (lambda: bad_arrays(features=np.ones(120)), r"nodes has shape \[120\], expected one row per node"),
        (lambda: bad_arrays(labels=np.ones(3)), r"label has shape \[3\], expected one label per node, 120"),
        (lambda: bad_arrays(split={"train": [500]}), "split train has the node 500, expected 0 to below 120"),
        (lambda: bad_arrays(split={"dev": [1]}), "split has 'dev', expected train, valid, test"),
        (lambda: bad_arrays(split={"train": [1, 2], "valid": [2]}), "split: the node 2 is in train and in valid"),
        (lambda: bad_arrays(split={"train": [1, 1]}), "split train has the node 1 twice"),
        (lambda: bad_arrays(split={"train": np.ones(120)}), "split train holds float64, expected numbers of nodes or one truth"),
        (lambda: bad_arrays(edges=[[0, 1], [1]]), "edges is a list of rows of different lengths"),
        (lambda: bad_frames(lambda e, n: n.insert(5, "a", 1, allow_duplicates=True)), "nodes has two columns 'a'"),
        (lambda: bad_frames(lambda e, n: n.insert(5, "label", 1, allow_duplicates=True)), "nodes has two columns 'label'"),
        (lambda: bad_frames(lambda e, n: e.insert(2, "src", 1, allow_duplicates=True)), "edges has two columns 'src'"),
        (lambda: bad_frames(set_cell("nodes", "id", 7, None)), r"nodes: row 7 has no id \(column 'id'\)"),
        (lambda: bad_frames(set_cell("nodes", "id", 7, float("nan"))), "nodes: row 7 has no id"),
        (lambda: bad_frames(set_cell("nodes", "id", 7, "")), "nodes: row 7 has no id"),
        (lambda: bad_frames(set_cell("nodes", "a", 7, [1])), "nodes: column 'a' holds a list in row 7, expected numbers"),
        (lambda: bad_frames(lambda e, n: n.insert(5, "d", np.arange(120).astype("m8[s]"))), "column 'd' holds timedelta64"),
        (lambda: bad_frames(lambda e, n: n.insert(5, "d", 1j)), "column 'd' holds complex128, expected numbers, dates or text"),
        (lambda: lambda: geniepath.train(ring()["edges"], **QUICK), "nodes was not given"),
        (lambda: lambda: geniepath.train(nodes=np.ones((2, 2)), **QUICK), "edges was not given"),
        (lambda: lambda: geniepath.train("e.csv", np.ones((2, 2)), **QUICK), "nodes is a ndarray, but the other is a file"),
        (lambda: lambda: geniepath.train("no.csv", "no.csv", **QUICK), "no.csv"),
        (lambda: lambda: geniepath.train(data="account-device", hiden=8), "no option hiden; did you mean hidden?"),
        (lambda: lambda: geniepath.train(data="account-device", hidden=0, progress=False), "hidden"),
        (lambda: lambda: geniepath.train(data="account-device", hidden=object(), progress=False), "neither a number"),
        (lambda: lambda: geniepath.train(data="account-device", learning_rate=float("nan")), "learning_rate is nan, expected a finite"),
        (lambda: lambda: geniepath.train(data="account-device", on_epoch=3), "on_epoch is a int, expected a function"),
        (lambda: lambda: geniepath.train(ring()["edges"], ring()["features"], label=ring()["labels"], out="/etc/passwd/run", **QUICK),
         "out: /etc/passwd/run: no folder can be made there"),
        (lambda: lambda: geniepath.train(data="known-paths", size=100, out="/etc/passwd", **QUICK),
         "/etc/passwd: cannot create the folder"),
        (lambda: lambda: geniepath.load(None), "load: folder is a NoneType, expected the path of a run"),
        (lambda: lambda: geniepath.load("/nowhere"), "/nowhere: no run here"),
        (lambda: lambda: geniepath.load("/nowhere", "quantum"), "quantum"),
    ],
)
def test_what_is_wrong_is_named(make, message):
    with pytest.raises(Error, match=message):
        make()()


def test_runs_are_pickled_with_the_files_that_would_be_lost(run):
    data = ring()
    own = geniepath.train(data["edges"], data["features"], label=data["labels"], split=data["split"], **QUICK)
    for one in (run, own):
        other = pickle.loads(pickle.dumps(one))
        assert other.predict().tolist() == one.predict().tolist()
    assert other.folder != own.folder


@pytest.mark.parametrize("read", [lambda one: one, lambda one: geniepath.load(one.folder.name)])
def test_a_run_at_a_relative_path_is_found_from_another_working_directory(read, tmp_path, monkeypatch):
    data = ring()
    monkeypatch.chdir(tmp_path)
    own = read(geniepath.train(data["edges"], data["features"], label=data["labels"], out="run", **QUICK))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir("other")
    assert own.result is not None and own.result["epochs"] == 15
    assert pickle.loads(pickle.dumps(own)).predict().tolist() == own.predict().tolist()


def _default_f64():
    @contextlib.contextmanager
    def mode():
        torch.set_default_dtype(torch.float64)
        try:
            yield
            assert torch.get_default_dtype() == torch.float64
        finally:
            torch.set_default_dtype(torch.float32)

    return mode()


CALLERS_MODES = {"no_grad": torch.no_grad, "inference_mode": torch.inference_mode, "default dtype": _default_f64,
                 "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16)}


@pytest.mark.parametrize("mode", CALLERS_MODES)
def test_a_run_does_not_depend_on_its_caller_s_modes(mode):
    def found():
        data = ring()
        given = {"label": data["labels"], "split": data["split"], "seed": 4}
        run = geniepath.train(data["edges"], data["features"], **given, **QUICK)
        return run, [run.predict(), run.embed(), run.score(data["features"][:3])]

    usual, expected = found()
    with CALLERS_MODES[mode]():
        run, values = found()
        loaded = geniepath.load(run.folder)
        why = loaded.explain(3).data
        assert loaded.save_weights(usual.module()).predict().tolist() == expected[0].tolist()
    assert all(np.array_equal(one, other) for one, other in zip(values, expected))
    assert why == usual.explain(3).data == loaded.explain(3).data


def test_the_default_dtype_is_the_caller_s_after_the_last_thread():
    with _default_f64():
        with _modes.usual():
            other = threading.Thread(target=lambda: _modes.usual()(torch.zeros)(1))
            other.start()
            other.join()
            assert torch.zeros(1).dtype == torch.float32
        assert torch.zeros(1).dtype == torch.float64


def test_a_run_in_the_way_is_kept(tmp_path):
    data = ring()
    call = {"label": data["labels"], "split": data["split"], "out": tmp_path / "run", **QUICK}
    geniepath.train(data["edges"], data["features"], **call)
    before = (tmp_path / "run" / "data.safetensors").read_bytes()
    with pytest.raises(Error, match="already holds a run; resume it"):
        geniepath.train(data["edges"], data["features"] + 1, **call)
    assert (tmp_path / "run" / "data.safetensors").read_bytes() == before
    assert geniepath.train(data["edges"], data["features"] + 1, force=True, **call).result is not None
    assert [path.suffix for path in (tmp_path / "run").glob("data*")] == [".safetensors"]


def test_an_interrupted_training_leaves_one_run_s_data(tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    data, folder = ring(), tmp_path / "run"
    call = {"label": data["labels"], "split": data["split"], "out": folder, **QUICK}
    geniepath.train(data["edges"], data["features"], **call)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            geniepath.train(data["edges"], data["features"], force=True, on_epoch=interrupt, **call)
    assert len(list(folder.glob("data*"))) == 1
    with pytest.raises(Error, match="hidden"):  # which replaces nothing
        geniepath.train(data["edges"], data["features"], force=True, **call | {"hidden": 0})
    assert len(list(folder.glob("data*"))) == 1
    assert len(geniepath.train(out=folder, resume=True, progress=False).predict()) == 120


def test_a_graph_file_in_a_folder_with_a_comma_is_read_again(tmp_path):
    data = ring()
    given = {"label": data["labels"], "split": data["split"], "out": tmp_path / "x,y"}
    run = geniepath.train(data["edges"], data["features"], **given, **QUICK)
    assert len(run.predict()) == len(geniepath.load(run.folder).predict()) == 120


def test_tables_are_not_written_into_a_folder_with_a_comma(tmp_path, monkeypatch):
    edges, nodes = text_frames()
    with pytest.raises(Error, match="train: out is .*/x,y, expected a path without a comma"):
        geniepath.train(edges, nodes, positive="yes", out=tmp_path / "x,y", **QUICK)
    assert not (tmp_path / "x,y").exists()
    run = geniepath.train(edges, nodes, positive="yes", **QUICK)
    (tmp_path / "t,t").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "t,t"))
    with pytest.raises(Error, match="score: .*/t,t/.* has a comma"):
        run.score(nodes.drop(columns="label").assign(id=nodes["id"] + "x").iloc[:2])


def test_names_with_a_comma_cannot_be_left_out_of_files(tmp_path):
    edges, nodes = text_frames()
    edges.to_csv(tmp_path / "edges.csv", index=False)
    nodes.to_csv(tmp_path / "nodes.csv", index=False)
    files = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    with pytest.raises(Error, match="train: ignore has the column 'a,b', expected names without commas"):
        geniepath.train(*files, ignore=["a,b"], positive="yes", **QUICK)
    with pytest.raises(Error, match="score: ignore has the column 'a,b', expected names without commas"):
        geniepath.train(*files, positive="yes", **QUICK).score(files[1], files[0], ignore=["a,b"])


def test_a_run_that_was_replaced_does_not_read_a_later_one_s_data(tmp_path):
    data = ring()
    call = {"label": data["labels"], "split": data["split"], "out": tmp_path / "run", "force": True, **QUICK}
    older = geniepath.train(data["edges"], data["features"], **call)
    for _ in range(2):
        geniepath.train(data["edges"], data["features"], **call)
    with pytest.raises(Error, match="data.safetensors is gone"):
        older.predict()
    geniepath.train(data="account-device", size=1000, out=tmp_path / "run", force=True, **QUICK)
    geniepath.train(data["edges"], data["features"], **call)
    with pytest.raises(Error, match="data.safetensors is gone"):
        older.predict()


def test_data_of_a_replaced_run_goes_unless_the_new_run_reads_it(tmp_path):
    data, own = ring(), {"out": tmp_path / "run", "force": True, **QUICK}
    found = lambda: sorted(path.name for path in (tmp_path / "run").glob("data*"))  # noqa: E731
    geniepath.train(data["edges"], data["features"], label=data["labels"], **own)
    geniepath.train(data=tmp_path / "run" / "data.safetensors", **own)
    assert found() == ["data.safetensors"]
    with pytest.raises(Error):
        geniepath.train(data="nowhere", **own)
    assert found() == ["data.safetensors"] and len(geniepath.load(tmp_path / "run").predict()) == 120
    (tmp_path / "run" / "data-7.nodes.csv").write_text("another's")
    geniepath.train(data="known-paths", size=100, **own)
    assert found() == ["data-7.nodes.csv"]


def test_a_training_that_never_began_leaves_no_data(tmp_path):
    data = ring()
    with pytest.raises(Error, match="hidden"):
        geniepath.train(data["edges"], data["features"], label=data["labels"], out=tmp_path / "run", **(QUICK | {"hidden": 0}))
    assert not list((tmp_path / "run").glob("*.safetensors"))


def test_a_training_has_threads_of_its_own():
    before, seen = torch.get_num_threads(), []
    geniepath.train(data="account-device", size=1000, **QUICK | {"epochs": 1}, threads=3,
                    on_epoch=lambda *_: seen.append(torch.get_num_threads()))
    assert seen == [3] and torch.get_num_threads() == before
    assert _threads.chosen(np.int64(3)) == 3
    for wrong in (-1, True, 1.5):
        with pytest.raises(Error, match=f"threads is {wrong}, expected a number of threads, or 0 for all cores"):
            geniepath.train(data="account-device", threads=wrong)


def test_threads_are_all_cores_unless_pytorch_was_told(monkeypatch):
    before = torch.get_num_threads()
    try:
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        torch.set_num_threads(1)
        assert _threads.chosen(0) == _core.usable_cpus() >= 1
        monkeypatch.setattr(_threads, "_forked", True)
        assert _threads.chosen(0) == 1
        monkeypatch.setattr(_threads, "_forked", False)
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
        assert _threads.chosen(0) == 1
        torch.set_num_threads(2)
        assert _threads.chosen(0) == 2
    finally:
        torch.set_num_threads(before)


def test_a_frame_s_columns_get_the_model_of_tables(tmp_path):
    edges, nodes = frames()
    with pytest.warns(geniepath.Note, match="--model geniepath-lazy --residual hop"):
        run = geniepath.train(edges, nodes, out=tmp_path / "run", **QUICK | {"epochs": 1})
    described = json.loads((run.folder / "model.json").read_text())["model"]
    assert described["model"] == "geniepath-lazy" and described["residual"] == "hop"


def test_drawn_splits_are_an_option(tmp_path):
    data = ring()
    run = geniepath.train(data["edges"], data["features"], label=data["labels"], split="random", train_fraction=0.8,
                          valid_fraction=0.1, test_fraction=0.1, **QUICK)
    assert [len(run.splits[name]) for name in ("train", "valid", "test")] == [96, 12, 12]


def test_data_that_was_moved_is_named_with_where_it_was_looked_for(tmp_path):
    (tmp_path / "nodes.csv").write_text("id,x,label\n" + "".join(f"{n},{n % 5},{n % 2}\n" for n in range(40)))
    (tmp_path / "edges.csv").write_text("from,to\n" + "".join(f"{n},{(n + 2) % 40}\n" for n in range(40)))
    tables = {"edges": tmp_path / "edges.csv", "nodes": tmp_path / "nodes.csv"}
    made = geniepath.train(data="tables", **tables, out=tmp_path / "run", **QUICK)
    (tmp_path / "nodes.csv").rename(tmp_path / "elsewhere.csv")
    with pytest.raises(Error, match=r"nodes\.csv is gone; looked for .*nodes\.csv"):
        geniepath.load(made.folder).predict()
