"""What is given to train and to score, in all its forms: read as it is meant, or refused in words."""

import numpy as np
import pytest

import geniepath
from geniepath import Error

pandas = pytest.importorskip("pandas")

QUICK = {"hidden": 4, "depth": 1, "epochs": 3, "model": "geniepath", "progress": False, "threads": 1}
N = 60
DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(N, 3)).astype(np.float32)
Y = DRAW.integers(0, 2, N)
EDGES = DRAW.integers(0, N, (2, 150))
SPLIT = np.array(["train", "valid", "test"])[np.arange(N) % 3]


def train(edges=EDGES, nodes=X, **options):
    given = {} if hasattr(edges, "nodes") or hasattr(nodes, "columns") else {"label": Y}
    return geniepath.train(edges, nodes, **(QUICK | given | options))


def frame(**columns) -> "pandas.DataFrame":
    return pandas.DataFrame(X, columns=["a", "b", "c"]).assign(**columns)


@pytest.mark.parametrize("text", [{}, {"city": "Rome"}])
@pytest.mark.parametrize("name, given", [("label", {"label": Y}), ("split", {"split": SPLIT}),
                                         ("split", {"split": {"train": [1], "test": [2]}})])
def test_what_is_given_beside_a_column_of_its_name_would_be_a_feature(name, given, text):
    nodes = frame(**{name: SPLIT if name == "split" else Y}, **text)
    with pytest.raises(Error, match=f"the feature column '{name}' has the name of what was given beside it"):
        train(EDGES, nodes, **{"label": Y} | given)
    ignored = train(EDGES, nodes, **{"label": Y} | given, ignore=[name, *text])
    assert ignored.columns == ["a", "b", "c"]


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


def test_an_infinite_label_is_refused():
    with pytest.raises(Error, match="label is inf in row 3, expected a class, or nothing where it is unknown"):
        train(label=np.where(np.arange(N) == 3, np.inf, Y))
