"""Training, and what a trained run can do: as `geniepath train`, `predict`, `embed` and `explain`."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import warnings
from typing import Any, Callable

import numpy as np
import torch

from . import _arguments, _arrays, _core, _frames, _modes, _new_rows, _options, _run_data, _threads, nn
from ._cells import Array, check_text, name
from ._core import Error
from ._progress import Progress
from .explanation import Explanation

PathLike = str | os.PathLike[str]


def load(folder: PathLike, device: Any = "cpu") -> Run:
    """The run in a folder, with its best weights."""
    return Run(folder, device)


@_modes.usual()
def train(
    edges: Any = None,
    nodes: Any = None,
    *,
    label: Any = "label",
    split: Any = None,
    id: str = "id",
    ignore: tuple[str, ...] | list[str] = (),
    positive: Any = None,
    directed: bool = False,
    out: PathLike | None = None,
    force: bool = False,
    resume: bool = False,
    device: Any = "cpu",
    threads: int = 0,
    progress: bool = True,
    on_epoch: Callable[[int, float, float, int], Any] | None = None,
    **options: Any,
) -> Run:
    """Trains a model into the folder `out`, as `geniepath train` does with the same options, and returns the run.

    edges: a data frame of two columns of ids; integers [2, E]; a SciPy matrix; a networkx graph; PyG's Data; or the path
        of a table. Both ways, unless `directed`. None: options name the data (`data="account-device"`).
    nodes: a data frame with one row per node, whose other columns are features: numbers, dates, or text with one feature
        per value; a matrix of features, also SciPy's; or the path of a table.
    label: the column of labels, or one label per node; unknown where None, NaN, "" or negative. Two dimensions: several
        labels per node, 0 or 1.
    split: the column, or one of "train", "valid" and "test" per node, or a mask or numbers for each; None: drawn, with
        the classes in equal proportions ("stratified"), or not ("random").
    id: the column of ids, if any; else the frame's index. ignore: columns that are not features. positive: of two classes,
        the one to find.
    out: the run's folder; None: one that lives as long as the run.
    device: "cpu", "cuda", "cuda:1", a torch.device, or the number of a GPU.
    resume: continues the run in `out`, which has a record of its data. force: replaces it.
    threads: as many for this training; 0: as many as PyTorch uses, or, where that is its default of one, all cores.
    progress: shows a bar where tqdm is installed. on_epoch(epoch, loss, best_score, best_epoch) is called after each.
    options: those of `geniepath train --help-all`, with _ for -: model="geniepath-lazy", hidden=64, epochs=200.

    Ctrl-C stops the training as it stops the program's: the run in `out` can be resumed.
    """
    if on_epoch is not None and not callable(on_epoch):
        raise Error(f"train: on_epoch is a {type(on_epoch).__name__}, expected a function")
    ignore = _frames.as_names(ignore)
    flags = {"directed": directed, "force": force, "resume": resume, "progress": progress}
    directed, force, resume, progress = (_options.flag(f"train: {name}", given) for name, given in flags.items())
    if resume:
        own = {"edges": edges, "nodes": nodes, "label": label, "split": split, "id": id, "ignore": ignore,
               "positive": positive, "directed": directed, "force": force}
        _arguments.refuse([*_arguments.given(own), *options],
                          "a resumed run has its own data and options; give out and resume alone")
        if out is None:
            raise Error("train: resume was given without out, the folder of the run")
    temporary = _run_data.TemporaryFolder() if out is None else None
    folder = _options.folder("train: out", temporary.name if temporary else out)
    device = _options.device(device)
    given = _options.grouped(options)
    label, split, id = map(_frames.as_name, (label, split, id))
    if isinstance(split, str) and split in ("random", "stratified"):
        given.setdefault("transforms", {})["split"] = split
        split = None
    if not isinstance(id, str):
        raise Error(f"train: id is a {type(id).__name__}, expected the name of a column")
    written: list[pathlib.Path] = []
    replaced = _run_data.data_files(folder) if force else []
    file: _core.NewGraphFile | None = None
    with _threads.stopped_at_exit() as stopped, _threads.used(threads):
        if not resume:
            forms = {"label": label, "split": split, "id": id, "ignore": ignore, "positive": positive}
            written, file = _run_data.write(folder, force, directed, edges, nodes, forms, given)
        try:
            with Progress(progress, _epochs(folder, resume, given), on_epoch) as watch:
                _core.train(str(folder), _options.texts(given), force, resume, device, stopped(watch), _warn, file)
        except BaseException:
            if file is not None:
                file.abandon()
            _run_data.remove_unless_named(folder, written + replaced)
            raise
    _run_data.remove_unless_named(folder, replaced)
    run = Run(folder, device)
    run._temporary = temporary
    return run


def _epochs(folder: pathlib.Path, resume: bool, given: dict[str, dict[str, Any]]) -> Any:
    described = _run_data.described(folder) if resume else given
    return described.get("train", {}).get("epochs", _options.default("train", "epochs"))


def _warn(note: str) -> None:
    warnings.warn(note, _new_rows.Note, stacklevel=4)


class Run:
    """A trained run. Its data is read, and its model run over it, when first asked for."""

    @_modes.usual()
    def __init__(self, folder: PathLike, device: Any = "cpu") -> None:
        self.folder = _options.folder("load: folder", folder)
        self._device = _options.device(device)
        self._run = _core.Run(str(self.folder), self._device)
        self._temporary: Any = None  # the folder, where it is the run's own

    @property
    def task(self) -> str:
        """multi-class, multi-label or binary."""
        return self._run.task

    @property
    def classes(self) -> list[str]:
        return self._run.classes or [str(number) for number in range(self._run.num_classes)]

    @property
    def threshold(self) -> float:
        """Above which a binary or multi-label prediction is yes, as chosen in training."""
        return self._run.threshold

    @property
    @_modes.usual()
    def node_names(self) -> list[str]:
        """The ids of the nodes, in the order of `predict` and `embed`."""
        return self._run.node_names or [str(number) for number in range(self._run.num_nodes)]

    @property
    def columns(self) -> list[str]:
        """Names of the columns that its features were made from, those of several node tables one after the other; none if
        they had no names."""
        return [name for table in self._run.columns for name in table]

    @property
    @_modes.usual()
    def splits(self) -> dict[str, Array]:
        """Numbers of the training, validation and test nodes."""
        return {name: nodes.numpy() for name, nodes in self._run.splits().items()}

    @property
    def result(self) -> dict[str, Any] | None:
        """Scores and times of the training (result.json); None until it is finished."""
        path = self.folder / "result.json"
        found: dict[str, Any] | None = json.loads(path.read_text()) if path.exists() else None
        return found

    @_modes.usual()
    def predict(self) -> Array:
        """Probabilities of every node, one column per class: [N, C]."""
        return self._by_class(self._run.predict())

    def predicted(self, probabilities: Array | None = None) -> list[Any]:
        """The predicted class of every node, or the list of its labels in a multi-label task."""
        classes = self.classes
        values = self.predict() if probabilities is None else _arrays.matrix("predicted: probabilities", probabilities)
        if hasattr(values, "tocsr"):
            raise Error("predicted: probabilities is sparse, expected a dense matrix")
        if values.shape[1] != len(classes):
            raise Error(
                f"predicted: probabilities has {values.shape[1]} columns, expected {len(classes)}, one per class")
        if self.task == "multi-label":
            return [[classes[c] for c in np.flatnonzero(row > self.threshold)] for row in values]
        if self.task == "binary":
            return [classes[int(row[1] > self.threshold)] for row in values]
        return [classes[int(c)] for c in values.argmax(1)]

    def table(self) -> Any:
        """A pandas data frame with a row per node: id, split, prediction, and the probability of each class: by its
        name, or, for classes called split or predicted, as "probability of split"."""
        probabilities = self.predict()
        split: Array = np.full(len(probabilities), "", dtype=object)
        for name, nodes in self.splits.items():
            split[nodes] = name
        return self._frame(self.node_names, {"split": split}, probabilities)

    def _frame(self, ids: list[str], columns: dict[str, Any], probabilities: Array) -> Any:
        import pandas

        named = columns | {"predicted": self.predicted(probabilities)}
        names = [f"probability of {name}" if name in ("split", "predicted") else name for name in self.classes]
        return pandas.DataFrame(named | dict(zip(names, probabilities.T)), index=pandas.Index(ids, name="id"))

    @_modes.usual()
    def embed(self) -> Array:
        """Representation of every node, the output layer's input: [N, K]."""
        found: Array = self._run.embed().numpy()
        return found

    @_modes.usual()
    def explain(self, node: Any, *, hops: int = 2, top: int = 50, threshold: float = 0.0) -> Explanation:
        """The receptive paths of a node, named by its id; it shows itself in a notebook."""
        for what, value in (("hops", hops), ("top", top)):
            if not isinstance(value, (int, np.integer)) or abs(int(value)) >= 2**63:
                raise Error(f"explain: {what} is {value!r}, expected a whole number of at most 64 bits")
        if not isinstance(threshold, (int, float, np.number)):
            raise Error(f"explain: threshold is {threshold!r}, expected a number")
        id = name(node)
        check_text("explain: the node", [id])
        return Explanation(self._run.explain(self._run.find(id), hops, top, threshold))

    @_modes.usual()
    def score(
        self,
        nodes: Any,
        edges: Any = None,
        *,
        id: str | None = None,
        ignore: tuple[str, ...] | list[str] = (),
        directed: bool | None = None,
    ) -> Any:
        """Predictions for nodes outside the graph, joined to it by edges, as `geniepath score` makes them.

        nodes: a data frame, or the path of a table, with the columns of the training, by name: text, dates and empty cells are
            read as there. edges: a data frame or path of ids, of the run's own nodes and of new ones; None: there are none.
            id: the column of ids; by default the training's, where that read tables or a frame with text, else "id" or
            the frame's index. ignore: columns to leave out.
            Returns a data frame with a row per new node: the prediction, and the probability of each class.
        Or nodes: a matrix of features [M, P]. edges: numbers [2, E], where N + m stands for new node m, and smaller numbers
            for the run's own nodes, in the order of `node_names`. Returns probabilities [M, C].
        directed: None: as in the training, which other values may not contradict.
        """
        directed = self._directed(directed)
        id, ignore = _frames.as_name(id), _frames.as_names(ignore)
        if not _new_rows.is_path(nodes) and not _frames.is_frame(nodes):
            _arguments.check_no_columns_named("score", {"id": id, "ignore": ignore})
            return self._score_matrix(nodes, np.zeros((2, 0), dtype=np.int64) if edges is None else edges, directed)
        if self._run.is_of_tables:
            ids, probabilities = _new_rows.score_tables(self._run, nodes, edges, id, ignore,
                                                        self._description["tables"]["ignore-columns"])
            return self._frame(ids, {}, self._by_class(probabilities))
        if _new_rows.is_path(nodes):
            raise Error("score: nodes is a file, but the run was not trained on tables: give a data frame or a matrix")
        ids = _new_rows.frame_ids(nodes, id or _frames.USUAL_ID, ignore)
        features = _new_rows.frame_matrix(self._run, nodes, id, ignore)
        ends: Array = np.zeros((2, 0), dtype=np.int64)
        if edges is not None or _frames.has_ids(nodes, id or _frames.USUAL_ID):
            ends = _new_rows.frame_edges(self._run, ids, ends if edges is None else edges)
        return self._frame(ids, {}, self._score_matrix(features, ends, directed))

    @functools.cached_property
    def _description(self) -> dict[str, Any]:
        return _run_data.described(self.folder)

    def _directed(self, given: Any) -> bool:
        """Whether edges go one way only: `given`, or as in the training."""
        if given is not None and _options.flag("score: directed", given) != self._run.directed:
            in_training = "went one way" if self._run.directed else "went both ways"
            raise Error(f"score: directed is {given}, but in training edges {in_training}: leave it out")
        return bool(self._run.directed)

    def _score_matrix(self, features: Any, edges: Any, directed: bool) -> Array:
        matrix = _arrays.matrix("score: nodes", features)
        if hasattr(matrix, "tocsr"):
            raise Error("score: nodes is sparse, expected a dense matrix")
        if matrix.shape[1] != self._run.num_features:
            raise Error(f"score: nodes has {matrix.shape[1]} columns, expected {self._run.num_features}")
        ends = _arrays.edge_array(edges, self._run.num_nodes + matrix.shape[0])
        return self._by_class(self._run.score(_run_data.tensor(matrix), _run_data.tensor(ends), directed))

    def module(self) -> nn.GeniePath | nn.GeniePathLazy:
        """The model as a `torch.nn.Module` with the run's weights, for training further or as part of another."""
        options = json.loads(self._run.model_options)
        models = {"geniepath": nn.GeniePath, "geniepath-lazy": nn.GeniePathLazy}
        if options["model"] not in models:
            raise Error(f"{self.folder}: a run of {options['model']}, expected one of {', '.join(models)}")
        names = ("residual", "depth-function", "tied", "bias", "output-bias", "layer-norm", "dropout", "input-dropout",
                 "precision")
        given = {name.replace("-", "_"): options[name] for name in names}
        if options["model"] == "geniepath-lazy":
            given["lazy_start"] = options["lazy-start"]
        with _modes.usual():
            weights = self._run.weights()
        model = models[options["model"]](
            self._run.num_features, options["hidden"], options["depth"], weights["w_y"].size(1), **given
        )
        model.load_state_dict(weights)
        return model

    @_modes.usual()
    def save_weights(self, module: torch.nn.Module) -> Run:
        """Replaces the run's best weights by a module's, and returns the run with them.

        train(resume=True) continues from the training's own last state: it puts weights of its own in their place.
        """
        if not isinstance(module, torch.nn.Module):
            raise Error(f"save_weights: module is a {type(module).__name__}, expected a torch.nn.Module")
        self._run.save_weights(dict(module.state_dict()))
        run = Run(self.folder, self._device)
        run._temporary = self._temporary
        return run

    def _by_class(self, probabilities: torch.Tensor) -> Array:
        values: Array = probabilities.numpy()
        return np.concatenate([1 - values, values], 1) if self.task == "binary" else values

    def __getstate__(self) -> dict[str, Any]:
        """The folder's path; of a temporary folder, which may be gone when this is read, its files."""
        if self._temporary is None:
            return {"folder": str(self.folder.resolve()), "device": self._device}
        files = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        return {"files": files, "device": self._device}

    def __setstate__(self, state: dict[str, Any]) -> None:
        temporary = _run_data.TemporaryFolder() if "files" in state else None
        folder = pathlib.Path(temporary.name if temporary else state["folder"])
        for name, content in state.get("files", {}).items():
            (folder / pathlib.PurePath(name).name).write_bytes(content)
        self.__init__(folder, state["device"])  # type: ignore[misc]
        self._temporary = temporary

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, task={self.task!r}, classes={len(self.classes)})"
