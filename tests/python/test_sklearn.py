"""The estimator in scikit-learn's own checks, in a search over options, and on a graph."""

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.ensemble import BaggingClassifier  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from geniepath import Error  # noqa: E402
from geniepath.sklearn import GeniePathClassifier  # noqa: E402
from lacks import lacks  # noqa: E402
from test_runs import ring  # noqa: E402

QUICK = {"hidden": 8, "depth": 1, "epochs": 30, "random_state": 1}


@parametrize_with_checks([GeniePathClassifier(hidden=16, depth=2)])
def test_scikit_learn_s_checks(estimator, check):
    if check.func.__name__ == "check_methods_sample_order_invariance" and lacks("onednn"):
        pytest.skip("the last bit of PyTorch's products depends on a row's place")
    check(estimator)


def test_it_classifies_nodes_by_their_neighbours():
    data = ring(300)
    nodes = np.arange(300)[:, None]
    classifier = GeniePathClassifier(data["edges"], data["features"], **(QUICK | {"epochs": 120}), options={"average": 0.9})
    scores = cross_val_score(classifier, nodes, data["labels"], cv=3)
    assert scores.mean() > 0.8
    with pytest.raises(Error, match="X: expected one column of node numbers, 0 to below 300"):
        clone(classifier).fit(np.array([[0], [300]]), [0, 1])
    with pytest.raises(Error, match="no features of all nodes"):
        GeniePathClassifier(data["edges"]).fit(nodes, data["labels"])


def test_a_node_in_several_rows_counts_once():
    data, rows = ring(100), np.random.default_rng(1).integers(0, 60, 100)
    classifier = GeniePathClassifier(data["edges"], data["features"], valid_fraction=0.2, **QUICK)
    _, first = np.unique(rows, return_index=True)
    once = rows[np.sort(first)]
    one, other = (clone(classifier).fit(found[:, None], data["labels"][found]) for found in (rows, once))
    assert np.array_equal(*(model.predict_proba(np.arange(100)[:, None]) for model in (one, other)))
    labels = np.array(["no", "yes"])[data["labels"][rows]]
    twice = next(row for row in range(100) if rows[row] in rows[:row])
    labels[twice] = "no" if labels[twice] == "yes" else "yes"
    message = f"X has the node {rows[twice]} in rows .* and {twice}, where y is (no and yes|yes and no)"
    with pytest.raises(Error, match=message):
        clone(classifier).fit(rows[:, None], labels)


def test_nodes_are_drawn_with_replacement():
    data, nodes = ring(100), np.arange(100)[:, None]
    classifier = GeniePathClassifier(data["edges"], data["features"], **QUICK)
    bagging = BaggingClassifier(classifier, n_estimators=2, random_state=1)
    assert bagging.fit(nodes, data["labels"]).predict_proba(nodes).shape == (100, 2)


def test_a_search_finds_the_better_number_of_epochs():
    data = ring(200)
    search = GridSearchCV(GeniePathClassifier(data["edges"], data["features"], **QUICK), {"epochs": [1, 120]}, cv=2)
    search.fit(np.arange(200)[:, None], data["labels"])
    assert search.best_params_ == {"epochs": 120} and search.predict_proba([[5]]).shape == (1, 2)


@pytest.mark.parametrize("share", [-0.1, 1.0, float("nan"), "x", None])
def test_a_share_of_validation_nodes_that_is_none_is_refused(share):
    data = ring(100)
    classifier = GeniePathClassifier(data["edges"], data["features"], **QUICK, valid_fraction=share)
    with pytest.raises(Error, match=f"fit: valid_fraction is {share!r}, expected 0 to below 1"):
        classifier.fit(np.arange(100)[:, None], data["labels"])


def test_columns_of_a_frame_are_known_by_name():
    pandas = pytest.importorskip("pandas")
    data = ring(100)
    frame = pandas.DataFrame(data["features"][:, :3], columns=["a", "b", "c"])
    classifier = GeniePathClassifier(**QUICK).fit(frame, data["labels"])
    assert classifier.feature_names_in_.tolist() == ["a", "b", "c"] and classifier.predict(frame).shape == (100,)
    for other in (frame[["b", "a", "c"]], frame.rename(columns={"a": "d"})):
        with pytest.raises(ValueError, match="feature names should match"):
            classifier.predict(other)


def test_features_in_a_frame_keep_their_names():
    pandas = pytest.importorskip("pandas")
    data, nodes = ring(100), np.arange(100)[:, None]
    frame = pandas.DataFrame(data["features"], columns=["a", "b", "c"])
    runs = [GeniePathClassifier(data["edges"], features, **QUICK).fit(nodes, data["labels"])
            for features in (frame, data["features"])]
    assert runs[0].run_.columns == ["a", "b", "c"]
    assert np.array_equal(*(run.predict_proba(nodes) for run in runs))
    with pytest.raises(Error, match="the feature column 'label' has the name of what was given beside it"):
        GeniePathClassifier(data["edges"], frame.assign(label=data["labels"]), **QUICK).fit(nodes, data["labels"])


def test_sparse_features_and_a_random_state_are_taken():
    sparse, data = pytest.importorskip("scipy.sparse"), ring(100)
    nodes = np.arange(100)[:, None]
    classifiers = [GeniePathClassifier(data["edges"], features, valid_fraction=0.3,
                                       **QUICK | {"random_state": np.random.RandomState(2)})
                   for features in (data["features"], sparse.csr_matrix(data["features"]))]
    one, other = (classifier.fit(nodes, data["labels"]).predict_proba(nodes) for classifier in classifiers)
    assert one.shape == other.shape == (100, 2)
    assert classifiers[0].run_.splits["valid"].tolist() == classifiers[1].run_.splits["valid"].tolist()


@pytest.mark.parametrize(
    "given, message",
    [
        ({"random_state": "x"}, "random_state is 'x', expected 0 or more, a RandomState or None"),
        ({"random_state": -1}, "random_state is -1"),
        *(({"options": {name: 0}}, f"options names {name}, expected others than what the classifier itself decides")
          for name in ("split", "positive", "edges", "hidden", "learning-rate", "seed")),
        ({"edges": None}, "features were given, but no edges"),
        ({"options": 5}, "options is a int, expected a dictionary"),
    ],
)
def test_options_that_it_cannot_take_are_named(given, message):
    data = ring(100)
    classifier = GeniePathClassifier(**{"edges": data["edges"], "features": data["features"]} | QUICK | given)
    with pytest.raises(Error, match=f"fit: {message}"):
        classifier.fit(np.arange(100)[:, None], data["labels"])
