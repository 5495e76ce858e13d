"""An estimator of scikit-learn: for `GridSearchCV`, `cross_val_score` and pipelines."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import validation
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, check_X_y

from . import runs
from ._cells import Array
from ._core import Error
from ._frames import is_frame
from ._inputs import matrix
from ._new_rows import Note


class GeniePathClassifier(ClassifierMixin, BaseEstimator):
    """Classifies nodes of a graph.

    With `edges` and `features` of all nodes, X is a column of node numbers: scikit-learn splits the nodes, while every
    model sees the whole graph, without the labels of the others. Without edges, X has the features themselves, each row a
    node of its own.

    edges: as in `geniepath.train`. features: [N, P], or a data frame, as its nodes. model, hidden, depth, epochs,
    learning_rate, residual, bias: options of `geniepath train`, with biases by default. options: a dictionary of any
    others. valid_fraction: share of the nodes given to `fit` that choose the best epoch; with 0, all of them do.
    random_state: the seed, or what draws it.
    """

    def __init__(
        self,
        edges: Any = None,
        features: Any = None,
        *,
        model: str = "geniepath",
        hidden: int = 64,
        depth: int = 3,
        epochs: int = 100,
        learning_rate: float = 0.01,
        residual: str = "none",
        bias: bool = True,
        options: dict[str, Any] | None = None,
        valid_fraction: float = 0.0,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.edges = edges
        self.features = features
        self.model = model
        self.hidden = hidden
        self.depth = depth
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.residual = residual
        self.bias = bias
        self.options = options
        self.valid_fraction = valid_fraction
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> GeniePathClassifier:
        if not _is_share(self.valid_fraction):
            raise Error(f"fit: valid_fraction is {self.valid_fraction!r}, expected 0 to below 1")
        _check_feature_names(self, X, reset=True)
        X, y = check_X_y(X, y)
        check_classification_targets(y)
        self.n_features_in_ = X.shape[1]
        self.classes_, numbers = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise Error(f"fit: y has one class, {self.classes_[0]}: a classifier needs two or more")
        features, seed = self._features(X), self._seed()
        nodes = self._nodes(X, features.shape[0])
        nodes, numbers = self._once(nodes, numbers)
        labels: Array = np.full(features.shape[0], -1, dtype=np.int64)
        labels[nodes] = numbers
        data = {
            "edges": np.zeros((2, 0), dtype=np.int64) if self.edges is None else self.edges,
            "nodes": features,
            "label": labels,
            "split": self._split(nodes, numbers, seed),
            "positive": None,  # classes_ are in ascending order
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Note)
            self.run_ = runs.train(**self._with_options(data, seed))
        return self

    def predict_proba(self, X: Any) -> Array:
        """Probabilities, one column per class of `classes_`."""
        check_is_fitted(self)
        _check_feature_names(self, X, reset=False)
        X = check_array(X)
        if X.shape[1] != self.n_features_in_:
            raise Error(
                f"X has {X.shape[1]} features, but GeniePathClassifier is expecting {self.n_features_in_} features as input"
            )
        if self.edges is not None:
            probabilities = self.run_.predict()
            return probabilities[self._nodes(X, len(probabilities))]
        return self.run_.score(X, np.zeros((2, 0), dtype=np.int64))

    def predict(self, X: Any) -> Array:
        probabilities = self.predict_proba(X)
        if self.run_.task == "binary":
            return np.asarray(self.classes_[(probabilities[:, 1] > self.run_.threshold).astype(int)])
        return np.asarray(self.classes_[probabilities.argmax(1)])

    def _features(self, X: Array) -> Any:
        if self.edges is None:
            if self.features is not None:
                raise Error("fit: features were given, but no edges: give both, or neither, where X has the features")
            return np.ascontiguousarray(X, dtype=np.float32)
        if self.features is None:
            raise Error("fit: edges were given, but no features of all nodes")
        return self.features if is_frame(self.features) else matrix("features", self.features)

    def _nodes(self, X: Array, count: int) -> Array:
        """The rows, of `count`, of the features that X stands for."""
        if self.edges is None:
            return np.arange(len(X))
        nodes = np.asarray(X).reshape(len(X), -1)
        if nodes.shape[1] != 1 or (nodes != nodes.astype(np.int64)).any() or nodes.min() < 0 or nodes.max() >= count:
            raise Error(f"X: expected one column of node numbers, 0 to below {count}")
        return np.asarray(nodes[:, 0], dtype=np.int64)

    def _once(self, nodes: Array, numbers: Array) -> tuple[Array, Array]:
        """Each node, in the order of first rows, and its class, which rows that repeat it must have, too."""
        _, first, same = np.unique(nodes, return_index=True, return_inverse=True)
        other = numbers != numbers[first[same]]
        if other.any():
            row = int(np.argmax(other))
            rows = int(first[same[row]]), row
            found = " and ".join(str(self.classes_[numbers[row]]) for row in rows)
            raise Error(f"fit: X has the node {nodes[row]} in rows {rows[0]} and {rows[1]}, where y is {found}: "
                        "expected one label per node")
        first.sort()
        return nodes[first], numbers[first]

    def _seed(self) -> int | None:
        """random_state as scikit-learn reads it: a RandomState gives another number at each call."""
        state = self.random_state
        if isinstance(state, np.random.RandomState):
            return int(state.randint(2**31))
        if state is not None and (not isinstance(state, (int, np.integer)) or state < 0):
            raise Error(f"fit: random_state is {state!r}, expected 0 or more, a RandomState or None")
        return None if state is None else int(state)

    def _split(self, nodes: Array, numbers: Array, seed: int | None) -> dict[str, Array]:
        """Validation nodes of each class in turn, so that small classes have some of both."""
        generator = np.random.default_rng(seed)
        valid: Array = np.zeros(len(nodes), dtype=bool)
        for number in range(len(self.classes_)):
            members = generator.permutation(np.flatnonzero(numbers == number))
            valid[members[: int(self.valid_fraction * len(members))]] = True
        return {"train": nodes[~valid], "valid": nodes[valid]}

    def _with_options(self, data: dict[str, Any], seed: int | None) -> dict[str, Any]:
        others = {} if self.options is None else self.options
        if not isinstance(others, dict):
            raise Error(f"fit: options is a {type(others).__name__}, expected a dictionary")
        names = ("model", "hidden", "depth", "epochs", "learning_rate", "residual", "bias")
        decided = data | {name: getattr(self, name) for name in names} | {"seed": seed}
        for name in others:
            if str(name).replace("-", "_") in decided:
                raise Error(f"fit: options names {name}, expected others than what the classifier itself decides: "
                            "its arguments, the classes, and the seed (random_state)")
        if seed is None:
            del decided["seed"]
        return {"progress": False} | decided | others


def _is_share(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and bool(0 <= value < 1)


def _check_feature_names(estimator: BaseEstimator, X: Any, *, reset: bool) -> None:
    """Keeps a frame's names in `fit`, and compares them later; a method before scikit-learn 1.6, a function since."""
    if hasattr(validation, "_check_feature_names"):
        validation._check_feature_names(estimator, X, reset=reset)
    else:
        estimator._check_feature_names(X, reset=reset)
