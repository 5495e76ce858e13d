"""Matrices, tensors and edges without names: read as they are meant, or refused in words."""

import warnings

import numpy as np
import pytest
import torch

import geniepath
from geniepath import Error
from small_graph import EDGES, N, X, Y, edge_frame, train

pandas = pytest.importorskip("pandas")
sparse = pytest.importorskip("scipy.sparse")


@pytest.mark.parametrize("kind", ["float64", "uint8", "Int64", "object"])
def test_edges_beside_a_matrix_are_whole_numbers_of_any_type(kind):
    assert np.array_equal(train(edge_frame(kind)).predict(), train().predict())


@pytest.mark.parametrize(
    "edges, message",
    [
        (edge_frame("float64") + 0.5, "edges: row 0 has .*[.]5 in its first column, expected the number of a row"),
        (edge_frame(dst=(4, np.inf)), "edges: row 4 has inf in its second column"),
        ((edge_frame() + 2**24).astype("float32"), r"the first column holds .* in row 0, a float32, .* from 2\^24"),
        ((edge_frame() + 2**53).astype("float64"), r"the first column holds .* in row 0, a float64, .* from 2\^53"),
        (edge_frame(dst=(4, np.nan)), "edges: row 4 names no node in its second column"),
        (edge_frame(src=(5, None)), "edges: row 5 names no node in its first column"),
        (edge_frame(src=(5, "n1")), "edges: the first column holds object, expected numbers of rows"),
        (pandas.DataFrame({"src": [0, 1], "dst": [2, -10**400]}, dtype=object), "row 1 has a number beyond 2.53 in"),
        (edge_frame() > 20, "edges: the first column holds bool"),
        (edge_frame("datetime64[ns]"), "edges: the first column holds datetime64"),
        (edge_frame(dst=(4, 60)), "edges: edge 4 joins"),
    ],
)
def test_edges_beside_a_matrix_that_are_no_numbers_of_rows_are_refused(edges, message):
    with pytest.raises(Error, match=message):
        train(edges)


@pytest.mark.parametrize("kind", [list, np.array, torch.tensor, lambda pairs: list(map(tuple, pairs))])
@pytest.mark.parametrize("count", [0, 1, 3, 150])
def test_pairs_of_edges_are_to_be_transposed(kind, count):
    pairs = kind(EDGES.T[:count].tolist()) if count else np.zeros((0, 2), dtype=int)
    for call in (lambda: train(pairs), lambda: train().score(X[:1], pairs)):
        with pytest.raises(Error, match=rf"edges has shape \[{count}, 2\], expected integers \[2, E\].*: transpose it"):
            call()


def test_two_edges_are_sources_above_targets():
    edges = [(0, 1), (5, 7)]  # sources 0 and 1
    assert np.array_equal(train(edges, directed=True).predict(), train(np.array(edges), directed=True).predict())
    assert not np.array_equal(train(edges, directed=True).predict(), train(np.array(edges).T, directed=True).predict())


def test_new_rows_take_edges_in_every_form():
    run, ends = train(), np.array([[N, N + 1, 4], [N + 1, N + 2, N]])
    expected = run.score(X[:3], ends)
    assert not np.array_equal(expected, run.score(X[:3]))
    matrix = sparse.coo_matrix((np.ones(3), tuple(ends)), (N + 3, N + 3))
    read_only = ends.copy()
    read_only.flags.writeable = False
    reversed_rows = np.ascontiguousarray(ends[::-1])[::-1]
    forms = (matrix, matrix.tocsr(), ends[:, ::-1], reversed_rows, read_only, ends.astype(">i4"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(np.array_equal(run.score(X[:3], form), expected) for form in forms)
        rows = X[:3].copy()
        rows.flags.writeable = False
        assert np.array_equal(run.score(rows, ends), expected)
    with pytest.raises(Error, match=r"edges has shape \[3, 3\], expected \[63, 63\], as there are 63 nodes"):
        run.score(X[:3], sparse.csr_matrix((3, 3)))


def test_text_ids_beside_a_matrix_of_new_rows_are_refused():
    with pytest.raises(Error, match="edges: the first column holds object, expected numbers of rows"):
        train().score(X[:2], pandas.DataFrame({"src": ["n1"], "dst": ["n2"]}))


def rows_of(x) -> "sparse.csr_matrix":
    """Unsorted, and each entry in two halves."""
    columns = np.tile([2, 0, 1, 0, 2, 1], N)
    return sparse.csr_matrix((x[np.repeat(np.arange(N), 6), columns] / 2, columns, np.arange(0, 6 * N + 1, 6)), (N, 3))


def test_sparse_features_in_any_order_and_in_parts_are_the_dense_ones():
    expected = train().predict()
    for is_fixed in (False, True):
        given = rows_of(X).astype(np.float32 if is_fixed else np.float64)
        before = given.indices.copy()
        for array in (given.data, given.indices, given.indptr):
            array.flags.writeable = not is_fixed
        assert np.allclose(train(nodes=given).predict(), expected, atol=1e-5)
        assert np.array_equal(given.indices, before)


def test_sparse_features_may_be_of_any_type_of_numbers():
    whole = np.round(np.abs(X))
    for kind in ("bool", "uint16", "int8", "longdouble"):
        given = sparse.csr_matrix(whole > 0 if kind == "bool" else whole)
        assert np.array_equal(train(nodes=given.astype(kind)).predict(), train(nodes=given.astype("f4")).predict())


def test_the_row_of_a_nan_in_sparse_features_is_named():
    given = rows_of(np.where(np.arange(N)[:, None] == 41, np.nan, X))
    with pytest.raises(Error, match="nodes has a NaN or infinite value, the first in row 41"):
        train(nodes=given)


def spoilt(kind, shape, **arrays) -> "sparse.spmatrix":
    matrix = sparse.random(*shape, 0.1, format="csr", random_state=0).asformat(kind)
    for name, change in arrays.items():
        change(getattr(matrix, name))
    return matrix


def put(place, value):
    return lambda array: array.__setitem__(place, value)


@pytest.mark.parametrize("given", ["edges", "nodes"])
@pytest.mark.parametrize(
    "kind, arrays, message",
    [
        ("csr", {"indptr": put(7, 10**6)}, "indptr of a sparse matrix must ascend from 0 to at most 360 in 61"),
        ("csr", {"indptr": put(7, -5)}, "indptr of a sparse matrix must ascend"),
        ("csr", {"indptr": put(-1, 10**6)}, "indptr of a sparse matrix must ascend"),
        ("csr", {"indptr": put(0, 1)}, "indptr of a sparse matrix must ascend"),
        ("csr", {"indices": put(3, 10**6)}, "indices of a sparse matrix: entry 3 is 1000000, expected 0 to below 60"),
        ("csc", {"indices": put(3, -1)}, "indices of a sparse matrix: entry 3 is -1, expected 0 to below 60"),
        ("bsr", {"indptr": put(2, 10**6)}, "indptr of a sparse matrix must ascend"),
        ("coo", {"row": put(4, 10**6)}, "row of a sparse matrix: entry 4 is 1000000, expected 0 to below 60"),
        ("coo", {"col": put(4, -7)}, "col of a sparse matrix: entry 4 is -7, expected 0 to below 60"),
    ],
)
def test_the_entries_of_a_sparse_matrix_lie_inside_it(given, kind, arrays, message):
    with pytest.raises(Error, match=f"{given}: {message}"):
        train(**{given: spoilt(kind, (N, N), **arrays)})


def test_sparse_matrices_of_every_format_are_read():
    edges, x = sparse.random(N, N, 0.1, random_state=0), sparse.random(N, 6, 0.5, random_state=0)
    expected = train(edges, x).predict()
    for kind in ("csr", "csc", "coo", "bsr", "lil", "dok", "dia"):
        assert np.allclose(train(edges.asformat(kind), x.asformat(kind)).predict(), expected, atol=1e-6)


def test_zeros_that_pad_blocks_are_no_edges():
    edges = sparse.coo_matrix((np.ones(EDGES.shape[1]), tuple(EDGES)), (N, N))
    expected = train(edges).predict()
    for size in (1, 2, 5):
        blocks = edges.tobsr((size, size))
        stored = blocks.data.copy()
        assert np.array_equal(train(blocks).predict(), expected) and np.array_equal(blocks.data, stored)
    zeros = sparse.csr_matrix((np.zeros(EDGES.shape[1]), tuple(EDGES)), (N, N))
    assert np.array_equal(train(zeros).predict(), expected)


def test_tensors_of_any_kind_are_read():
    x, edges, y = torch.from_numpy(X), torch.from_numpy(EDGES), torch.from_numpy(Y)
    pairs = torch.sparse_coo_tensor(edges, torch.ones(150), (N, N)).coalesce()
    expected = train().predict()
    half = train(nodes=x.bfloat16().float()).predict()
    for given, same in (
        ({"nodes": x.to_sparse()}, expected), ({"nodes": x.to_sparse_csr()}, expected), ({"nodes": x.bfloat16()}, half),
        ({"nodes": torch.complex(x, -x).conj().imag}, expected), ({"edges": pairs}, expected),
        ({"edges": pairs.to_sparse_csr()}, expected), ({"edges": edges, "label": y.bfloat16()}, expected),
        ({"label": y.double().requires_grad_()}, expected),
    ):
        assert np.allclose(train(**given).predict(), same, atol=1e-5)
    both = torch.stack([y, 1 - y], 1)
    assert np.array_equal(train(label=both.to_sparse()).predict(), train(label=both).predict())


@pytest.mark.parametrize(
    "given, message",
    [
        ({"nodes": torch.zeros(N, 3, dtype=torch.complex64)}, "nodes holds complex64, expected numbers"),
        ({"nodes": X + 1j}, "nodes holds complex64, expected numbers"),
        ({"nodes": sparse.csr_matrix(X + 1j)}, "nodes holds complex64, expected numbers"),
        ({"nodes": X.astype("datetime64[s]")}, "nodes holds datetime64.*, expected numbers"),
        ({"nodes": np.ma.masked_array(X, X > 1)}, "nodes is a masked array, expected a plain one"),
        ({"nodes": torch.ones(N, 3, 1).to_sparse()}, "nodes is a sparse tensor of shape .*, expected a matrix"),
        ({"nodes": torch.quantize_per_tensor(torch.ones(N, 3), 1.0, 0, torch.qint8)}, "nodes is a tensor of"),
        ({"edges": torch.zeros(2, 3, dtype=torch.bfloat16)}, "edges has shape .* of float32, expected integers"),
        ({"edges": np.ma.masked_array(EDGES)}, "edges is a masked array"),
        ({"label": np.ma.masked_array(Y)}, "label is a masked array"),
    ],
)
def test_arrays_that_are_no_numbers_are_refused(given, message):
    with pytest.raises(Error, match=message):
        train(**given)


def test_the_features_of_a_data_set_are_taken_as_they_are():
    data = geniepath.dataset("known-paths", size=300)
    run = train(data.edge_index, data.x, label=data.y)
    assert data.x.is_sparse and len(run.predict()) == len(data.y)


def test_a_module_takes_prepared_features_and_edges_both_ways():
    run, x, edges = train(), torch.from_numpy(X), torch.from_numpy(EDGES)
    known = x[run.splits["train"]]
    prepared = (x - known.mean(0)) / known.std(0, unbiased=False)
    with torch.no_grad():
        logits = run.module().eval()(prepared, torch.cat([edges, edges.flip(0)], 1))
    assert np.allclose(torch.sigmoid(logits).numpy().reshape(-1), run.predict()[:, 1], atol=1e-5)
