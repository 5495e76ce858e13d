"""Layers with PyG's habits: edge_index or a graph, pairs of inputs, sizes found later, attention returned."""

import concurrent.futures
import copy
import gc
import multiprocessing
import pickle

import pytest
import torch
import torch.nn.utils.parametrize
import torch.nn.utils.prune

from geniepath import Error, Graph
from geniepath.nn import GatedDepth, GATConv, GeniePath, GeniePathConv, _graphs, union_graph
from lacks import lacks

NODES, WIDTH = 30, 8


@pytest.fixture
def edges() -> torch.Tensor:
    torch.manual_seed(3)
    return torch.randint(NODES, (2, 100))


@pytest.mark.parametrize("make", [GeniePathConv, lambda width: GATConv(width, width),
                                  lambda width: GeniePath(width, width, 2)])
def test_a_traced_layer_takes_other_features_and_edges(make, x, edges):
    layer = make(WIDTH).eval()
    layer(x, edges)
    traced, others = torch.jit.trace(layer, (x, edges)), (torch.randn(NODES, WIDTH), torch.randint(NODES, (2, 70)))
    assert traced(x, edges).allclose(layer(x, edges), atol=1e-6)
    assert traced(*others).allclose(layer(*others), atol=1e-6)


@pytest.mark.parametrize("change", [lambda edges: edges.resize_(2, 40),
                                    lambda edges: setattr(edges, "data", torch.ones(2, 9, dtype=torch.long))])
def test_an_edge_index_of_another_size_or_memory_is_another_graph(change, x, edges):
    conv = GeniePathConv(WIDTH)
    conv(x, edges)
    torch.ops.geniepath.neighbour_sum(x, [edges])
    change(edges)
    assert conv(x, edges).equal(conv(x, edges.clone()))
    assert torch.ops.geniepath.neighbour_sum(x, [edges]).equal(torch.ops.geniepath.neighbour_sum(x, [edges.clone()]))


@pytest.fixture
def x() -> torch.Tensor:
    torch.manual_seed(4)
    return torch.randn(NODES, WIDTH)


def formula(conv: GeniePathConv, x: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
    """The paper's equations on a dense matrix of attention."""
    score = torch.full((NODES, NODES), -torch.inf)
    source, target = torch.cat([edges, torch.arange(NODES).repeat(2, 1)], 1)
    score[target, source] = torch.tanh(x[target] @ conv.w_s + x[source] @ conv.w_d) @ conv.v
    return torch.tanh(score.softmax(1) @ x @ conv.w)


def test_conv_is_the_paper_s_equation(x, edges):
    conv = GeniePathConv(WIDTH, 5)
    assert conv(x, edges).allclose(formula(conv, x, edges), atol=1e-6)
    assert conv(x, Graph(edges, NODES)).equal(conv(x, edges))


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support")
def test_every_form_of_the_graph_is_the_same_graph(x, edges):
    conv = GeniePathConv(WIDTH)
    offset, source = Graph(edges, NODES).tensors()[:2]
    rows = torch.sparse_csr_tensor(offset, source.long(), torch.ones(len(source)), (NODES, NODES))

    class SparseTensor:  # as torch_sparse's
        def csr(self):
            return offset, source, None

    assert conv(x, rows).equal(conv(x, edges)) and conv(x, SparseTensor()).equal(conv(x, edges))
    assert conv(x, edges.int()).equal(conv(x, edges))


def test_an_edge_index_becomes_a_graph_once_while_it_lives_unchanged(x, edges):
    first = _graphs.as_graph(edges, NODES)
    assert _graphs.as_graph(edges, NODES) is first
    assert _graphs.as_graph(edges, NODES + 1) is not first
    edges[0, 0] = (edges[0, 0] + 1) % NODES
    assert _graphs.as_graph(edges, NODES) is not first
    kept = len(_graphs._made)
    del edges
    gc.collect()
    assert len(_graphs._made) <= kept


def test_inference_mode_takes_tensors_made_in_it(x, edges):
    conv = GeniePathConv(WIDTH)
    with torch.inference_mode():
        assert conv(x.clone(), edges.clone()).equal(conv(x, edges))
        assert conv((x.clone(), x[:10].clone()), edges[:, edges[1] < 10]).shape == (10, WIDTH)


def test_a_graph_first_used_in_inference_mode_is_trained_on(x, edges):
    conv = GeniePathConv(WIDTH)
    with torch.inference_mode():
        graph, expected = Graph(edges, NODES), conv(x, edges)
    for given in (edges, graph):
        out = conv(x, given)
        out.sum().backward()
        assert out.equal(expected) and conv.w_s.grad is not None


def test_attention_weights_come_with_their_edges(x, edges):
    out, (listed, alpha) = GeniePathConv(WIDTH)(x, edges, return_attention_weights=True)
    assert out.shape == (NODES, WIDTH) and alpha.shape == (listed.size(1), 1)
    sums = torch.zeros(NODES).index_add(0, listed[1], alpha.squeeze(1))
    assert sums.allclose(torch.ones(NODES), atol=1e-5)


def test_sources_and_targets_may_be_different_nodes(x, edges):
    conv = GeniePathConv(WIDTH)
    # Targets that are the first sources: the same as one set of nodes, without edges from a node to itself.
    edges = edges[:, (edges[0] != edges[1])]
    few = edges[:, edges[1] < 10]
    whole = conv(x, few)[:10]
    out, (listed, alpha) = conv((x, x[:10]), few, return_attention_weights=True)
    assert out.allclose(whole, atol=1e-6)
    assert int(listed[0].max()) < NODES and int(listed[1].max()) < 10 and alpha.size(0) == listed.size(1)
    assert conv((x, x[:10]), union_graph(few, NODES, 10)).equal(out)


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support")
def test_sources_and_targets_may_be_rows_and_columns(x):
    conv, offset, source = GeniePathConv(WIDTH), torch.tensor([0, 2, 2, 5]), torch.tensor([0, 5, 1, 2, 4])
    given, edges = (x[:6], x[6:9]), torch.stack([source, torch.tensor([0, 0, 2, 2, 2])])

    class SparseTensor:  # as torch_sparse's
        def __init__(self, *sizes):
            self.sparse_sizes = lambda: sizes
            self.csr = lambda: (offset, source, None)

    def csr(*sizes):
        return torch.sparse_csr_tensor(offset, source, torch.ones(5), sizes)

    expected, (listed, alpha) = conv(given, edges, return_attention_weights=True)
    for rows in (csr(3, 6), SparseTensor(3, 6)):
        out, (ends, weights) = conv(given, rows, return_attention_weights=True)
        assert out.equal(expected) and ends.equal(listed) and weights.equal(alpha)
    for rows in (csr(3, 7), SparseTensor(6, 3)):
        with pytest.raises(Error, match=r"edge_index has shape \[., .\], expected \[3, 6\]: a row per target, a"):
            conv(given, rows)


@pytest.mark.parametrize("kind", [torch.uint8, torch.int8, torch.int16, torch.int32])
def test_ids_of_narrow_integers_do_not_wrap(kind):
    targets = 40000 if kind == torch.int16 else 300
    few = torch.tensor([[0, 4, 4], [1, 0, 100]])
    x, conv = (torch.randn(5, WIDTH), torch.randn(targets, WIDTH)), GeniePathConv(WIDTH)
    assert conv(x, few.to(kind)).equal(conv(x, few))
    assert union_graph(few.to(kind), 5, targets).edge_index.equal(union_graph(few, 5, targets).edge_index)


def test_sizes_are_found_at_the_first_call(x, edges):
    conv = GeniePathConv(-1, 4, bias=True)
    assert conv(x, edges).shape == (NODES, 4) and conv.in_channels == WIDTH
    assert GeniePathConv(-1)(x, edges).shape == (NODES, WIDTH)
    loaded = GeniePathConv(-1, 4, bias=True)
    loaded.load_state_dict(conv.state_dict())
    assert loaded(x, edges).equal(conv(x, edges)) and (loaded.in_channels, loaded.out_channels) == (WIDTH, 4)


@pytest.mark.parametrize(
    "make, weights, message",
    [
        (lambda: GeniePathConv(-1, 7), GeniePathConv(4, 5).state_dict(), r"w has shape \[4, 5\], expected \[4, 7\]"),
        (lambda: GeniePathConv(-1), GeniePathConv(4, 5).state_dict(), r"w has shape \[4, 5\], expected \[4, 4\]"),
        (lambda: GeniePathConv(-1), {"v": torch.ones(3), "w": torch.ones(4, 4)}, r"w has shape \[4, 4\], expected \[3, 3"),
        (lambda: GeniePathConv(-1), {"v": torch.tensor(1.0)}, r"v has shape \[\], expected \[-1\]"),
        (lambda: GeniePathConv(-1), {"v": torch.ones(0)}, "in_channels, the columns of x, is 0, expected 1 or more"),
        (lambda: GeniePath(-1, 7, 1), GeniePath(4, 5, 1).state_dict(), r"w_x has shape \[4, 5\], expected \[4, 7\]"),
    ],
)
def test_loaded_weights_must_be_of_the_sizes_that_are_known(make, weights, message):
    with pytest.raises(Error, match=message):
        make().load_state_dict(weights, strict=False)


@pytest.mark.parametrize("make", [lambda n: GeniePathConv(n), lambda n: GeniePath(n, 5, 1)])
def test_a_width_that_was_loaded_is_that_of_x(make, x, edges):
    loaded = make(-1)
    loaded.load_state_dict(make(4).state_dict())
    assert loaded.in_channels == 4
    with pytest.raises(Error, match=r"^x has shape \[30, 8\], expected \[N, 4\]"):
        loaded(x, edges)
    with pytest.raises(Error, match="in_channels, the columns of x, is 0, expected 1 or more"):
        make(-1)(x[:, :0], edges)


def test_weights_that_were_not_loaded_are_drawn(x, edges):
    conv = GeniePathConv(-1)
    conv.load_state_dict({"v": torch.ones(WIDTH)}, strict=False)
    assert conv.v.equal(torch.ones(WIDTH)) and conv.w_s.abs().sum() > 0 and conv(x, edges).shape == (NODES, WIDTH)


def test_residuals_and_options(x, edges):
    torch.manual_seed(5)
    plain = GeniePathConv(WIDTH)
    hop = GeniePathConv(WIDTH, residual="hop")
    into = GeniePathConv(WIDTH, residual="input")
    for other in (hop, into):
        other.load_state_dict(plain.state_dict())
    assert hop(x, edges).equal(plain(x, edges) + x)
    assert into(x, edges, h_0=torch.zeros_like(x)).allclose(plain(x, edges), atol=1e-6)
    tied = GeniePathConv(WIDTH, tied=True, layer_norm=True)
    assert sorted(tied.state_dict()) == ["v", "w", "w_s"] and tied(x, edges).shape == x.shape


def test_autocast_reads_and_computes_in_half_precision(x, edges):
    conv = GeniePathConv(WIDTH)
    exact = conv(x, edges)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rough = conv(torch.nn.functional.linear(x, torch.eye(WIDTH)), edges)
    assert rough.dtype == torch.float32 and not rough.equal(exact)
    assert rough.allclose(exact, atol=0.05)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_autocast_reads_a_memory_and_mu_in_half_precision(x, kind):
    depth, half = GatedDepth(WIDTH, kind=kind, with_mu=True), x.bfloat16()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = depth(half, half, half)
        expected = depth(half.float(), half.float(), half.float())
    assert all(one.dtype == torch.float32 and one.equal(other) for one, other in zip(found, expected))


def test_is_copied_pickled_and_scaled_to_double(x, edges):
    conv = GeniePathConv(WIDTH)
    for other in (copy.deepcopy(conv), pickle.loads(pickle.dumps(conv))):
        assert other(x, edges).equal(conv(x, edges))
    assert conv.double()(x.double(), edges).dtype == torch.float64


def _part_of_output(seed):
    torch.manual_seed(seed)
    conv, x = GeniePathConv(32), torch.randn(2000, 32)
    return conv(x, torch.randint(2000, (2, 20000)))[::100].detach().numpy()  # PyTorch's sums depend on the number of threads


def test_forked_processes_compute_the_same():
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    here = [_part_of_output(seed) for seed in range(3)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        there = pool.map_async(_part_of_output, range(3)).get(timeout=60)
    apart = 1e-5 if lacks("onednn") else 0  # PyTorch's products depend on the number of threads, too
    assert all(abs(one - other).max() <= apart for one, other in zip(here, there))
    torch.set_num_threads(threads)


def test_threads_share_a_layer():
    conv, x, edges = GeniePathConv(32), torch.randn(2000, 32), torch.randint(2000, (2, 20000))
    alone = conv(x, edges)
    apart = 1e-5 if lacks("onednn") else 0  # as above
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: conv(x, edges), range(8)):
            torch.testing.assert_close(found, alone, rtol=0, atol=apart)


def parametrized(layer, name):
    torch.nn.utils.parametrize.register_parametrization(layer, name, torch.nn.Identity())


def pruned(layer, name):
    torch.nn.utils.prune.identity(layer, name)


@pytest.mark.parametrize("replace", [parametrized, pruned])
@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_weights_and_biases_may_be_parametrized_or_pruned(x, edges, kind, replace):
    model = GeniePath(WIDTH, 4, 2, 3, bias=True, depth_function=kind)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    expected = model(x, edges)
    for layer in list(model.modules()):
        for name in list(layer._parameters):
            if layer._parameters[name] is not None:
                replace(layer, name)
    assert model(x, edges).equal(expected)
    model.reset_parameters()


def test_trains_with_an_optimizer_of_pytorch(x, edges):
    torch.manual_seed(6)
    conv, target = GeniePathConv(WIDTH), torch.rand(NODES, WIDTH) - 0.5
    adam = torch.optim.Adam(conv.parameters(), 0.02)
    losses = []
    for _ in range(60):
        adam.zero_grad()
        loss = (conv(x, edges) - target).square().mean()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda x, e: GeniePathConv(0), "in_channels is 0, expected 1 or more"),
        (lambda x, e: GeniePathConv(4, residual="skip"), "residual is 'skip', expected one of none, hop, input"),
        (lambda x, e: GeniePathConv(4, 5, residual="hop"), "residual hop adds 4 columns of x to 5"),
        (lambda x, e: GeniePathConv(4, precision="f16"), "precision is 'f16'"),
        (lambda x, e: GeniePathConv(4)(x, e), r"x has shape \[30, 8\], expected \[N, 4\]"),
        (lambda x, e: GeniePathConv(WIDTH)(x.numpy(), e), "x is a ndarray, expected a tensor"),
        (lambda x, e: GeniePathConv(WIDTH)(x.to_sparse(), e), "x is sparse_coo, expected a dense tensor"),
        (lambda x, e: GeniePathConv(WIDTH)(x.long(), e), "x has dtype int64, expected float32"),
        (lambda x, e: GeniePathConv(WIDTH)(x.half(), e), "x has dtype float16, expected float32"),
        (lambda x, e: GeniePathConv(WIDTH)(x[:9], e), r"Graph: source of edge \d+ is \d+, expected 0 to below 9"),
        (lambda x, e: GeniePathConv(WIDTH)(x, e.tolist()), "edge_index is a list, expected a tensor"),
        (lambda x, e: GeniePathConv(WIDTH)(x, e.float()), "edge_index has dtype float32, expected integers"),
        (lambda x, e: GeniePathConv(WIDTH)(x, Graph(e, 40)), "h has 30 rows but the graph has 40 nodes"),
        (lambda x, e: GeniePathConv(WIDTH)((x, None), e), r"x\[1\] is a NoneType, expected a tensor"),
        (lambda x, e: GeniePathConv(WIDTH)((None, x), e), r"x\[0\] is a NoneType, expected a tensor"),
        (lambda x, e: GeniePathConv(WIDTH)((x, x, x), e), r"x is a tuple of 3, expected \(x_src, x_dst\)"),
        (lambda x, e: GeniePathConv(WIDTH)(x.to("meta"), e), "x is on meta, expected cpu or cuda"),
        (lambda x, e: GeniePathConv(WIDTH)(x, e.to("meta")), "edge_index is on meta, expected cpu or cuda"),
        (lambda x, e: GeniePathConv(4.0), "in_channels is 4.0, expected a whole number"),
        (lambda x, e: Graph(e, "30"), "num_nodes is '30', expected a whole number"),
        (lambda x, e: Graph(e.tolist(), 30), "edge_index is a list, expected a tensor"),
        (lambda x, e: GeniePathConv(WIDTH)((x[:, :3], x), e), r"x\[0\] has shape \[30, 3\], expected \[N, 8\]"),
        (lambda x, e: GeniePathConv(WIDTH)((x, x[:2]), e), "edge_index has a target outside 0 to below 2"),
        (lambda x, e: GeniePathConv(WIDTH, residual="input")(x, e), "adds h_0, which was not given"),
        (lambda x, e: GatedDepth(WIDTH)(x, mu=x), "mu was given, but with_mu is False"),
        (lambda x, e: GatedDepth(WIDTH, with_mu=True)(x), "mu was not given, but with_mu is True"),
        (lambda x, e: GatedDepth(WIDTH, kind="rnn"), "kind is 'rnn', expected one of lstm, gru, identity"),
        (lambda x, e: GatedDepth(WIDTH)(x, x[:3]), r"memory has shape \[3, 8\], expected \[30, 8\]"),
        (lambda x, e: GatedDepth(WIDTH, kind="gru")(x, x[:1]), r"memory has shape \[1, 8\], expected \[30, 8\]"),
        (lambda x, e: GatedDepth(WIDTH, with_mu=True)(x, mu=x.double()), "mu has dtype float64, expected float32"),
        (lambda x, e: GeniePathConv(8, residual="input")(x, e, h_0=x[0]), r"h_0 has shape \[8\], expected \[30, 8\]"),
        (lambda x, e: GeniePathConv(WIDTH, -1), "out_channels is -1, expected 1 or more"),
        (lambda x, e: GeniePathConv(WIDTH)(x.double(), e), "x has dtype float64, expected float32, as the weights"),
        (lambda x, e: GATConv(WIDTH, 2).double()(x, e), "x has dtype float32, expected float64, as the weights"),
        (lambda x, e: GeniePath(-1, 4, 1, dropout="0.5"), "dropout is '0.5', expected 0 to below 1"),
        (lambda x, e: GeniePath(-1, 4, 1)(x.double(), e), "x has dtype float64, expected float32, as the weights"),
        (lambda x, e: union_graph(e.numpy(), 3, 3), "union_graph: edge_index is a ndarray, expected a tensor"),
        (lambda x, e: union_graph(e, "5", 5), "union_graph: num_sources is '5', expected a whole number"),
        (lambda x, e: union_graph(e, None, 5), "union_graph: num_sources is None, expected a whole number"),
        (lambda x, e: union_graph(e, 5, True), "union_graph: num_targets is True, expected a whole number"),
        (lambda x, e: union_graph(e, 5.0, 5), "union_graph: num_sources is 5.0, expected a whole number"),
        (lambda x, e: union_graph(e, 5, -5), "union_graph: num_targets is -5, expected 0 to"),
        (lambda x, e: union_graph(e, 5, 2**33), "union_graph: num_targets is 8589934592, expected 0 to 2147483641"),
        (lambda x, e: union_graph(e.bool(), 5, 5), "union_graph: edge_index has dtype bool, expected integers"),
        (lambda x, e: union_graph(e.to_sparse(), 5, 5), "union_graph: edge_index is sparse_coo, expected a dense"),
        (lambda x, e: GeniePathConv(WIDTH)(x, e.to_sparse()), "edge_index is sparse_coo, expected a dense tensor"),
        (lambda x, e: GeniePathConv(WIDTH)(x, torch.ones(2, 2).to_mkldnn()), "edge_index is _mkldnn, expected a dense"),
        (lambda x, e: Graph.from_csr(e[0].to_sparse(), e[1]), "Graph: offset is sparse_coo, expected a dense tensor"),
    ],
)
def test_what_is_wrong_is_named(x, edges, call, message):
    with pytest.raises(Error, match=message):
        call(x, edges)


def test_depth_filters_by_its_gates(x):
    depth = GatedDepth(WIDTH)
    memory = torch.rand(NODES, WIDTH)
    i, f, o = (torch.sigmoid(x @ w) for w in (depth.w_i, depth.w_f, depth.w_o))
    kept = f * memory + i * torch.tanh(x @ depth.w_c)
    out, found = depth(x, memory)
    assert found.allclose(kept, atol=1e-6) and out.allclose(o * torch.tanh(kept), atol=1e-6)
    assert GatedDepth(WIDTH, kind="identity")(x)[0].equal(x)
