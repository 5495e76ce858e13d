"""A small graph that is trained on at once, in the forms that tests change."""

import numpy as np
import pytest

import geniepath

pandas = pytest.importorskip("pandas")

QUICK = {"hidden": 4, "depth": 1, "epochs": 3, "model": "geniepath", "progress": False, "threads": 1}
N = 60
DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(N, 3)).astype(np.float32)
Y = DRAW.integers(0, 2, N)
EDGES = DRAW.integers(0, N, (2, 150))
SPLIT = np.array(["train", "valid", "test"])[np.arange(N) % 3]


def train(edges=EDGES, nodes=X, **options):
    given = {} if callable(getattr(edges, "nodes", None)) or hasattr(nodes, "columns") else {"label": Y}
    return geniepath.train(edges, nodes, **(QUICK | given | options))


def frame(**columns) -> "pandas.DataFrame":
    return pandas.DataFrame(X, columns=["a", "b", "c"]).assign(**columns)


def edge_frame(kind="int64", **changes):
    ends = pandas.DataFrame(EDGES.T, columns=["src", "dst"])
    for name, (row, value) in changes.items():
        ends[name] = ends[name].astype(object)
        ends.loc[row, name] = value
        ends[name] = ends[name].infer_objects()
    return ends if changes else ends.astype(kind)
