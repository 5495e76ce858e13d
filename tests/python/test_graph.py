"""Graphs from edge_index and rows: what they hold, what they refuse, and where they may go."""

import copy
import multiprocessing
import pickle
import threading

import pytest
import torch

from geniepath import Error, Graph, ops

EDGES = torch.tensor([[0, 1, 2, 2], [1, 2, 0, 0]])


@pytest.mark.parametrize("use", [lambda graph: graph.num_nodes, lambda graph: graph.num_edges,
                                 lambda graph: graph.edge_index, lambda graph: graph.tensors(),
                                 lambda graph: graph.to("cpu"), pickle.dumps,
                                 lambda graph: ops.neighbour_sum(graph, torch.ones(2, 3)),
                                 lambda graph: ops.gat_attention(graph, *[torch.ones(2, 1)] * 3)])
def test_a_graph_that_was_never_made_is_an_error(use):
    graph = Graph.__new__(Graph)
    assert repr(graph) == "Graph()"
    with pytest.raises(Error, match=r"graph is a Graph that was never made, expected one of Graph\(edge_index\)"):
        use(graph)


def test_lists_edges_by_target_with_self_loops():
    graph = Graph(EDGES)
    assert (graph.num_nodes, graph.num_edges) == (3, 6)
    assert graph.edge_index.tolist() == [[0, 2, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]]
    assert repr(graph) == "Graph(num_nodes=3, num_edges=6)"


def test_options_change_the_edges():
    assert Graph(EDGES, self_loops="keep", merge_duplicates=False).num_edges == 4
    assert Graph(EDGES, 5, self_loops="keep").num_nodes == 5
    assert Graph(EDGES, symmetrise=True, self_loops="remove").num_edges == 6


def test_rows_of_any_order_and_integers_of_any_width():
    graph = Graph.from_csr(torch.tensor([0, 2, 3, 3]), torch.tensor([2, 1, 0], dtype=torch.int32), self_loops="keep")
    assert graph.edge_index.tolist() == [[1, 2, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Graph(torch.tensor([[0, 4], [1, 2]]), 4), "source of edge 1 is 4, expected 0 to below 4"),
        (lambda: Graph(torch.tensor([[0, 1], [1, -2]])), "target of edge 1 is -2"),
        (lambda: Graph(torch.tensor([0, 1])), r"edge_index has shape \[2\], expected \[2, E\]"),
        (lambda: Graph(torch.ones(2, 3)), "edge_index has dtype float32, expected integers"),
        (lambda: Graph(EDGES, 2**40), "num_nodes is 1099511627776"),
        (lambda: Graph(torch.tensor([[2**40], [0]])), "num_nodes is 1099511627777"),
        (lambda: Graph(EDGES, self_loops="some"), "self_loops is 'some', expected add, keep or remove"),  # type: ignore
        (lambda: Graph.from_csr(torch.tensor([0, 2]), torch.tensor([0])), "offset runs from 0 to 2, expected 0 to 1"),
        (lambda: Graph.from_csr(torch.tensor([0, 2, 1]), torch.tensor([0])), "offset of row 1 is 2"),
        (lambda: Graph.from_csr(torch.tensor([0, 9, 1]), torch.tensor([0])), "offset of row 1 is 9"),
        (lambda: Graph.from_csr(torch.tensor([0, 1]), torch.tensor([7])), "source of edge 0 is 7"),
        (lambda: Graph.from_csr(torch.tensor([], dtype=torch.long), torch.tensor([7])), "offset has shape"),
        (lambda: Graph(EDGES, self_loops=None), "self_loops is None, expected add, keep or remove"),  # type: ignore
        (lambda: Graph(EDGES, symmetrise="yes"), "symmetrise is 'yes', expected a truth value"),  # type: ignore
        (lambda: Graph(EDGES, 2**70), "num_nodes is 1180591620717411303424, expected a whole number of 32 bits"),
        (lambda: Graph.from_csr([0, 1], torch.tensor([0])), "offset is a list, expected a tensor"),  # type: ignore
        (lambda: Graph.from_csr(torch.tensor([0, 1]), torch.tensor([0]).to("meta")), "source is on meta"),
        (lambda: Graph(EDGES).to("x"), "device is 'x', expected cpu or a GPU that is there: Expected one of cpu"),
        (lambda: Graph(EDGES).to("cuda:99"), "device is 'cuda:99', expected cpu or a GPU that is there"),
        (lambda: Graph(EDGES).to("meta"), "device is 'meta', expected cpu or cuda"),
        (lambda: Graph(EDGES).to(None), "device is None, expected cpu or a GPU that is there"),  # type: ignore
        (lambda: Graph(EDGES).tensors("x"), "device is 'x', expected cpu or a GPU that is there"),
        (lambda: Graph(EDGES).tensors("cuda:99"), "device is 'cuda:99', expected cpu or a GPU that is there"),
    ],
)
def test_names_what_is_wrong(make, message):
    with pytest.raises(Error, match=message):
        make()


def test_goes_to_a_device_by_any_of_its_names():
    graph = Graph(EDGES)
    for device in ("cpu", torch.device("cpu"), "cpu:0"):
        assert graph.to(device).edge_index.equal(graph.edge_index) and len(graph.tensors(device)) == 5


def test_refuses_what_is_no_tensor():
    with pytest.raises(Error, match="edge_index is a list, expected a tensor"):
        Graph([[0, 1], [1, 0]])  # type: ignore
    assert repr(Graph.__new__(Graph)) == "Graph()"  # as a traceback shows it


def test_the_empty_graph_is_a_graph():
    assert Graph(torch.empty(2, 0, dtype=torch.long)).num_nodes == 0
    assert Graph(torch.empty(2, 0, dtype=torch.long), 3).num_edges == 3


def test_is_pickled_and_copied():
    graph = Graph(EDGES, merge_duplicates=False, self_loops="keep")
    for other in (pickle.loads(pickle.dumps(graph)), copy.copy(graph), copy.deepcopy(graph)):
        assert other.edge_index.equal(graph.edge_index)


def _edges_of(graph: Graph) -> int:
    return graph.num_edges


def test_goes_to_other_processes():
    Graph(EDGES)  # the parent's threads have run
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_edges_of, [Graph(EDGES)] * 4) == [6] * 4


def test_data_loader_workers_make_graphs():
    def collate(items):
        return Graph(torch.stack(items, 1), 8)

    loader = torch.utils.data.DataLoader(list(torch.arange(16).view(8, 2) // 2), batch_size=4, num_workers=2,
                                         collate_fn=collate)
    assert [graph.num_edges for graph in loader] == [8, 8]


def test_threads_make_graphs_at_once():
    edges = torch.randint(1000, (2, 20000))
    made = [None] * 4

    def make(i):
        made[i] = Graph(edges, 1000).num_edges

    threads = [threading.Thread(target=make, args=(i,)) for i in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(set(made)) == 1 and made[0] is not None
