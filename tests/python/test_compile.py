"""torch.compile: every operator has a fake kernel, and layers compile whole, forward and backward, to the same numbers."""

import pytest
import torch

import geniepath
from geniepath import Graph, _fakes
from geniepath.nn import GatedDepth, GeniePath, GeniePathConv, GeniePathLazy

if not hasattr(torch.library, "opcheck"):
    pytest.skip(f"PyTorch {torch.__version__} has no fake kernels; 2.4 and later do", allow_module_level=True)

NODES, WIDTH = 20, 6
REGISTERED = torch.ops.geniepath


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(1)
    torch._dynamo.reset()


def edge_index() -> torch.Tensor:
    return torch.randint(NODES, (2, 60))


def leaf(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, requires_grad=True)


def sparse_rows() -> list[torch.Tensor]:
    dense = torch.rand(NODES, WIDTH) * (torch.rand(NODES, WIDTH) < 0.4)
    found = []
    for matrix in (dense, dense.T):
        rows = matrix.contiguous().to_sparse_csr()
        found += [rows.crow_indices().clone(), rows.col_indices().int(), rows.values().clone()]
    return found


def calls() -> dict[str, tuple]:
    """Arguments of every operator."""
    x, graph = leaf(NODES, WIDTH), list(Graph(edge_index(), NODES).tensors())
    return {
        "dropout": (x, 0.5, torch.tensor([3])),
        "edge_attention": (leaf(NODES, 2 * WIDTH), x, leaf(WIDTH), graph),
        "edge_attention_weights": (leaf(NODES, 2 * WIDTH), leaf(WIDTH), graph),
        "gat_attention": (leaf(NODES, 2), leaf(NODES, 2), x, graph),
        "gated_memory": (x, leaf(NODES, WIDTH), leaf(2 * WIDTH, 4 * WIDTH), leaf(4 * WIDTH), leaf(NODES, WIDTH)),
        "linear": (x, leaf(WIDTH, 4), leaf(4), True),
        "neighbour_max": (x, graph, True),
        "neighbour_sum": (x, [edge_index()], torch.rand(NODES)),
        "operand": (x,),
        "projected_attention": (x, leaf(WIDTH, 2 * WIDTH), leaf(WIDTH), [edge_index()]),
        "sparse_linear": (*sparse_rows(), leaf(WIDTH, 4)),
        "tanh": (x,),
    }


def test_every_operator_is_checked_here():
    named = {forward.__name__ for forward in _fakes.OPERATORS} | {"edge_attention_weights", "operand"}
    assert set(calls()) == named
    assert all(hasattr(geniepath.ops, name) or name in {"operand", "sparse_linear"} for name in named)


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support")
@pytest.mark.parametrize("name", list(calls()))
def test_operators_pass_pytorch_s_own_check(name):
    found = torch.library.opcheck(getattr(REGISTERED, name).default, calls()[name])
    assert set(found.values()) == {"SUCCESS"}


def same_when_compiled(module, *arguments, backend="aot_eager", apart=0.0):
    """Whether compiling the module whole changes neither its result nor its gradients."""
    found = []
    for function in (module, torch.compile(module, fullgraph=True, backend=backend)):
        torch.manual_seed(2)
        module.zero_grad()
        out = function(*arguments)
        out = out[0] if isinstance(out, tuple) else out
        out.sin().sum().backward()
        found.append([out.detach(), *(p.grad.clone() for p in module.parameters())])
    return all(torch.allclose(one, other, rtol=apart, atol=apart) for one, other in zip(*found))


@pytest.mark.parametrize(
    "options",
    [{}, {"residual": "hop", "bias": True, "dropout": 0.5}, {"residual": "input", "depth_function": "gru", "tied": True},
     {"layer_norm": True, "precision": "bf16", "depth_function": "identity"}],
    ids=str,
)
@pytest.mark.parametrize("model", [GeniePath, GeniePathLazy])
def test_models_compile_whole_to_the_same_numbers(model, options):
    assert same_when_compiled(model(4, WIDTH, 2, 3, **options), torch.randn(NODES, 4), edge_index(), apart=1e-6)


def test_layers_compile_whole():
    x, edges = torch.randn(NODES, WIDTH), edge_index()
    assert same_when_compiled(GeniePathConv(WIDTH, 3), x, Graph(edges, NODES))
    assert same_when_compiled(GatedDepth(WIDTH, with_mu=True, bias=True), x, None, x)
    few = edges[:, edges[1] < 8]
    assert same_when_compiled(GeniePathConv(WIDTH), (x, torch.randn(8, WIDTH)), few)


def test_inductor_compiles_a_training_step():
    assert same_when_compiled(GeniePath(4, WIDTH, 1, 3), torch.randn(NODES, 4), edge_index(), backend="inductor", apart=1e-5)


def test_sizes_that_change_do_not_recompile_forever():
    conv, compilations = GeniePathConv(WIDTH), []

    def backend(graph, _):
        compilations.append(graph)
        return graph

    compiled = torch.compile(conv, fullgraph=True, backend=backend)
    for nodes in (10, 15, 20, 25, 30):  # as mini-batches have them
        x, edges = torch.randn(nodes, WIDTH), torch.randint(nodes, (2, 3 * nodes))
        assert compiled(x, edges).equal(conv(x, edges))
    assert len(compilations) <= 2


def test_attention_weights_come_from_a_compiled_layer_on_a_graph():
    conv, x, edges = GeniePathConv(WIDTH), torch.randn(NODES, WIDTH), edge_index()
    compiled = torch.compile(lambda x, g: conv(x, g, return_attention_weights=True), fullgraph=True, backend="aot_eager")
    out, (listed, alpha) = compiled(x, Graph(edges, NODES))
    expected, (columns, weights) = conv(x, edges, return_attention_weights=True)
    assert out.equal(expected) and listed.equal(columns) and alpha.equal(weights)
    with pytest.raises(Exception, match="must be a geniepath.Graph"):
        compiled(x, edges)


def test_mistakes_in_compiled_calls_are_named():
    conv = torch.compile(GeniePathConv(WIDTH), fullgraph=True, backend="aot_eager")
    with pytest.raises(geniepath.Error, match="source of edge 0 is 20, expected 0 to below 20"):
        conv(torch.randn(NODES, WIDTH), torch.tensor([[20], [0]]))


def test_second_derivatives_are_refused_in_words():
    x, w = leaf(4, 3), leaf(3, 2)
    compiled = torch.compile(lambda x: geniepath.ops.linear(x, w).square().sum(), fullgraph=True, backend="aot_eager")
    (gradient,) = torch.autograd.grad(compiled(x), x, create_graph=True)
    with pytest.raises(RuntimeError, match="double backward|second derivative"):
        gradient.sum().backward()
