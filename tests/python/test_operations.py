"""Operations against their formulas in PyTorch, with gradients; what they refuse."""

import inspect

import pytest
import torch

from geniepath import Error, Graph, ops

NODES, WIDTH = 12, 5


@pytest.fixture
def graph() -> Graph:
    torch.manual_seed(1)
    return Graph(torch.randint(NODES, (2, 40)), NODES)


def attention(graph: Graph, ab: torch.Tensor, h: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The formula, edge by edge."""
    source, target = graph.edge_index
    a, b = ab.chunk(2, 1)
    weight = (torch.tanh(a[target] + b[source]) @ v).exp()
    alpha = weight / torch.zeros(NODES, dtype=h.dtype).index_add(0, target, weight)[target]
    return torch.zeros_like(h).index_add(0, target, alpha.unsqueeze(1) * h[source]), alpha


def leaves(*shapes: tuple[int, ...], dtype: torch.dtype = torch.float64) -> list[torch.Tensor]:
    torch.manual_seed(2)
    return [torch.randn(*shape, dtype=dtype, requires_grad=True) for shape in shapes]


def _registered_calls(graph):
    """Arguments of operators, by name, with the number of results that they return."""
    h, v, w = torch.randn(NODES, WIDTH), torch.randn(WIDTH), torch.randn(WIDTH, 2 * WIDTH)
    ab, tensors, heads = torch.randn(NODES, 2 * WIDTH), graph.tensors(), torch.randn(NODES, 1)
    return {
        "dropout": ((h, 0.5, torch.tensor([3])), 1),
        "edge_attention": ((ab, h, v, tensors, "f32"), 1),
        "gat_attention": ((heads, heads, h, tensors, 0.2, 0.0, 0), 1),
        "gated_memory": ((h, None, torch.randn(WIDTH, 4 * WIDTH), torch.randn(4 * WIDTH), h, "f32"), 2),
        "linear": ((h, w, None, True, "f32"), 1),
        "neighbour_max": ((h, tensors, False), 1),
        "neighbour_sum": ((h, tensors, None, None), 1),
        "projected_attention": ((h, w, v, tensors, "f32"), 1),
        "tanh": ((h,), 1),
    }


READ_BACKWARD = {"edge_attention": [0, 1, 2, 3], "gat_attention": [0, 1], "gated_memory": [1, 2], "linear": [0],
                 "neighbour_max": [1], "projected_attention": [0, 1, 2, 3], "tanh": [0]}


@pytest.mark.parametrize("precision", ["f32", "bf16"])
@pytest.mark.parametrize("name", sorted(_registered_calls(Graph(torch.tensor([[0], [1]]), NODES))))
def test_backward_operators_take_what_the_forward_ones_return(graph, name, precision):
    arguments, results = _registered_calls(graph)[name]
    arguments = tuple(precision if one == "f32" else one for one in arguments)
    forward = getattr(torch.ops.geniepath, f"{name}_forward")(*arguments)
    kept = [forward] if isinstance(forward, torch.Tensor) else list(forward)
    grads = [torch.randn_like(one) for one in kept[:results]]
    wanted = [True for one in arguments if isinstance(one, torch.Tensor) and one.is_floating_point()]
    backward = getattr(torch.ops.geniepath, f"{name}_backward")
    assert len(backward(grads, kept, wanted, *arguments)) == len(wanted)
    for other in ([], grads[:results - 1], [torch.ones(2, WIDTH)] * results if name != "dropout" else []):
        with pytest.raises(Error, match=name):
            backward(other, kept, wanted, *arguments)
    with pytest.raises(Error, match=f"{name}_backward: wanted has 9 entries"):
        backward(grads, kept, [True] * 9, *arguments)
    for place in READ_BACKWARD.get(name, []):
        for wrong in (kept[place].new_zeros(2, WIDTH + 1), kept[place].to(torch.float16)):
            with pytest.raises(Error, match=rf"{name}_backward: forward\[{place}\] is .*, expected .*{name}_forward"):
                backward(grads, [*kept[:place], wrong, *kept[place + 1:]], wanted, *arguments)
        with pytest.raises(Error, match=f"{name}_backward: forward has {place} tensors, expected at least {place + 1}"):
            backward(grads, kept[:place], wanted, *arguments)


def test_traced_operations_read_their_arguments(graph):
    def formula(h, w, v):
        passed = ops.projected_attention(graph, h, w, v) + ops.neighbour_max(graph, h) + ops.neighbour_sum(graph, h)
        return ops.sigmoid(ops.linear(ops.tanh(passed), w[:, :WIDTH]))

    def drawn():
        return torch.randn(NODES, WIDTH), torch.randn(WIDTH, 2 * WIDTH), torch.randn(WIDTH)

    traced, others = torch.jit.trace(formula, drawn()), drawn()
    assert traced(*others).allclose(formula(*others), atol=1e-6)


@pytest.mark.parametrize("dtype, apart", [(torch.float64, 1e-12), (torch.float32, 1e-5)])
def test_attention_is_its_formula_with_its_gradients(graph, dtype, apart):
    ab, h, v = leaves((NODES, 2 * WIDTH), (NODES, WIDTH), (WIDTH,), dtype=dtype)
    expected, alpha = attention(graph, ab, h, v)
    found = ops.edge_attention(graph, ab, h, v)
    registered = torch.ops.geniepath.edge_attention(ab, h, v, graph.tensors())
    assert found.allclose(expected, atol=apart) and found.equal(registered)
    assert ops.edge_attention_weights(graph, ab, v).allclose(alpha, atol=apart)
    for exact, ours in zip(torch.autograd.grad(expected.sin().sum(), (ab, h, v)),
                           torch.autograd.grad(found.sin().sum(), (ab, h, v))):
        assert ours.allclose(exact, atol=10 * apart)


def test_gradients_pass_pytorch_s_own_check(graph):
    h, w, v = leaves((NODES, WIDTH), (WIDTH, 2 * WIDTH), (WIDTH,))
    assert torch.autograd.gradcheck(lambda *x: ops.projected_attention(graph, *x), (h, w, v))
    x, w, mu, bias, memory = leaves((NODES, WIDTH), (2 * WIDTH, 4 * WIDTH), (NODES, WIDTH), (4 * WIDTH,), (NODES, WIDTH))
    assert torch.autograd.gradcheck(ops.gated_memory, (x, w, mu, bias, memory))
    assert torch.autograd.gradcheck(lambda x: ops.tanh(x) + ops.sigmoid(x) + ops.dropout(x, 0.5, 7), (x,))
    dst, src = leaves((NODES, 1), (NODES, 1))
    assert torch.autograd.gradcheck(lambda *x: ops.gat_attention(graph, *x), (dst, src, x))
    assert torch.autograd.gradcheck(lambda x: ops.neighbour_sum(graph, x) + ops.neighbour_max(graph, x), (x,))


def operations(graph):
    x, w, v = leaves((NODES, WIDTH), (WIDTH, 2 * WIDTH), (WIDTH,), dtype=torch.float32)
    return {
        "linear": (x, lambda: ops.linear(x, w)),
        "projected_attention": (x, lambda: ops.projected_attention(graph, x, w, v)),
        "edge_attention": (x, lambda: ops.edge_attention(graph, ops.linear(x, w).detach(), x, v)),
        "gated_memory": (x, lambda: ops.gated_memory(x, torch.cat([w, w], 1))[0]),
        "dropout": (x, lambda: ops.dropout(x, 0.5, 1)),
        "tanh": (x, lambda: ops.tanh(x)),
        "neighbour_sum": (x, lambda: ops.neighbour_sum(graph, x)),
        "neighbour_max": (x, lambda: ops.neighbour_max(graph, x)),
        "gat_attention": (x, lambda: ops.gat_attention(graph, x[:, :1].detach(), x[:, :1].detach(), x)),
    }


@pytest.mark.parametrize("name", list(operations(Graph(torch.zeros(2, 1, dtype=torch.long), NODES))))
def test_second_derivatives_are_refused_in_words(graph, name):
    x, call = operations(graph)[name]
    (gradient,) = torch.autograd.grad(call().square().sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match=f"^{name}: has no second derivative"):
        gradient.sum().backward()


def test_bad_arguments_are_named(graph):
    h, w, v = torch.ones(NODES, WIDTH), torch.ones(WIDTH, 2 * WIDTH), torch.ones(WIDTH)
    with pytest.raises(Error, match="projected_attention: h has 3 rows but the graph has 12 nodes"):
        ops.projected_attention(graph, h[:3], w, v)
    with pytest.raises(Error, match="h has dtype BFloat16, expected f32 or f64"):
        ops.projected_attention(graph, h.bfloat16(), w, v)
    with pytest.raises(Error, match="v has dtype Double, expected Float"):
        ops.projected_attention(graph, h, w, v.double())
    with pytest.raises(Error, match="h is on meta, expected cpu or cuda"):
        ops.edge_attention(graph, h, h.to("meta"), v)
    with pytest.raises(Error, match="precision: 'f16' is not one of f32, tf32, bf16"):
        ops.linear(h, w, precision="f16")
    with pytest.raises(Error, match="dropout: rate is 1.5, expected 0 to below 1"):
        ops.dropout(h, 1.5, 1)
    with pytest.raises(Error, match="tanh: x has 1 dimensions, expected 2"):
        ops.tanh(v)


def test_registered_operators_check_the_graph_they_are_given(graph):
    tensors = list(graph.tensors())
    tensors[1] = tensors[1].clone().fill_(99)
    with pytest.raises(Error, match="entry 0 is 99, expected 0 to below 12"):
        torch.ops.geniepath.edge_attention(torch.ones(NODES, 10), torch.ones(NODES, 5), torch.ones(5), tensors)


@pytest.mark.parametrize("precision", ["f32", "bf16"])
@pytest.mark.parametrize("given", ["edge_index", "graph"])
def test_registered_operators_give_the_bits_of_the_library_s(given, precision):
    edges = torch.randint(NODES, (2, 40))
    graph, (x, w, v) = Graph(edges, NODES), leaves((NODES, WIDTH), (WIDTH, 2 * WIDTH), (WIDTH,), dtype=torch.float32)
    tensors = [edges] if given == "edge_index" else list(graph.tensors())
    ours = ops.projected_attention(graph, x, w, v, precision)
    registered = torch.ops.geniepath.projected_attention(x, w, v, tensors, precision)
    assert registered.equal(ours)
    for one, other in zip(*(torch.autograd.grad(out.sin().sum(), (x, w, v)) for out in (ours, registered))):
        assert one.equal(other)


def test_a_changed_edge_index_is_a_new_graph():
    edges, h = torch.tensor([[0, 1], [1, 2]]), torch.eye(3)
    before = torch.ops.geniepath.neighbour_sum(h, [edges])
    edges[0, 0] = 2
    assert before[1].tolist() == [1, 1, 0] and torch.ops.geniepath.neighbour_sum(h, [edges])[1].tolist() == [0, 1, 1]


def test_in_inference_mode_a_changed_edge_index_is_a_new_graph():
    with torch.inference_mode():
        edges, h = torch.tensor([[0, 1], [1, 2]]), torch.eye(3)
        before = torch.ops.geniepath.neighbour_sum(h, [edges])
        edges[0, 0] = 2
        after = torch.ops.geniepath.neighbour_sum(h, [edges])
        assert before[1].tolist() == [1, 1, 0] and after[1].tolist() == [0, 1, 1]


@pytest.mark.parametrize("inference", [False, True])
@pytest.mark.parametrize("place", range(5))
def test_a_graph_s_changed_tensors_are_checked_again(graph, place, inference):
    with torch.inference_mode(inference):
        h, tensors = torch.ones(NODES, WIDTH), [x.clone() for x in graph.tensors()]
        torch.ops.geniepath.neighbour_sum(h, tensors)
        tensors[place].fill_(2**30)
        with pytest.raises(Error, match="neighbour_sum: "):
            torch.ops.geniepath.neighbour_sum(h, tensors)


@pytest.mark.parametrize("change", [lambda x: x.data.fill_(2**30), lambda x: x.numpy().fill(2**30)])
def test_a_change_that_pytorch_does_not_see_leaves_what_was_checked(graph, change):
    h, (w,) = torch.randn(NODES, WIDTH, requires_grad=True), leaves((WIDTH, 3), dtype=torch.float32)
    tensors, x = [t.clone() for t in graph.tensors()], (torch.rand(NODES, WIDTH) < 0.4).float()
    rows = [t.clone() for sparse in (x.to_sparse_csr(), x.T.contiguous().to_sparse_csr())
            for t in (sparse.crow_indices(), sparse.col_indices().int(), sparse.values())]

    def call():
        sums, product = torch.ops.geniepath.neighbour_sum(h, tensors), torch.ops.geniepath.sparse_linear(*rows, w)
        return sums, product, *torch.autograd.grad(sums.sin().sum() + product.sin().sum(), (h, w))

    before = call()
    for changed in (*tensors, *rows[:2], *rows[3:5]):
        change(changed)
    assert all(one.equal(other) for one, other in zip(call(), before))


@pytest.mark.parametrize("inference", [False, True])
def test_writing_into_the_tensors_of_a_graph_leaves_the_graph(inference):
    edges, h = torch.tensor([[0, 1, 2, 2], [1, 2, 3, 3]]), torch.ones(4, 2)
    with torch.inference_mode(inference):
        graph = Graph(edges, 4)
        before, tensors = ops.neighbour_sum(graph, h), graph.tensors()
        assert all(one is other for one, other in zip(tensors, graph.tensors()))  # operators find them again
        assert not any(x.is_inference() for x in (*tensors, *graph._tensors))  # and see that they are unchanged
        for x in tensors:
            x.fill_(2**30)
        assert ops.neighbour_sum(graph, h).equal(before) and graph.edge_index.equal(Graph(edges, 4).edge_index)


def registered_calls(graph):
    """Each operator beside the function of geniepath.ops, with the tensors that both differentiate."""
    x, w, v, b = leaves((NODES, WIDTH), (WIDTH, 2 * WIDTH), (WIDTH,), (2 * WIDTH,), dtype=torch.float32)
    mu, gates, memory, dst = leaves((NODES, WIDTH), (2 * WIDTH, 4 * WIDTH), (NODES, WIDTH), (NODES, 1), dtype=torch.float32)
    registered, scale, tensors = torch.ops.geniepath, torch.rand(NODES), list(graph.tensors())
    return {
        "linear": ((x, w, b), ops.linear(x, w, b, True), registered.linear(x, w, b, True)),
        "gated_memory": ((x, mu, gates, memory), ops.gated_memory(x, gates, mu, None, memory)[0],
                         registered.gated_memory(x, mu, gates, None, memory)[0]),
        "edge_attention": ((x, v), ops.edge_attention(graph, ops.linear(x, w), x, v),
                           registered.edge_attention(ops.linear(x, w), x, v, tensors)),
        "dropout": ((x,), ops.dropout(x, 0.5, 7), registered.dropout(x, 0.5, torch.tensor([7]))),
        "tanh": ((x,), ops.tanh(x), registered.tanh(x)),
        "neighbour_sum": ((x,), ops.neighbour_sum(graph, x, scale), registered.neighbour_sum(x, tensors, scale)),
        "neighbour_max": ((x,), ops.neighbour_max(graph, x, True), registered.neighbour_max(x, tensors, True)),
        "gat_attention": ((x, dst), ops.gat_attention(graph, dst, dst, x), registered.gat_attention(dst, dst, x, tensors)),
    }


@pytest.mark.parametrize("name", list(registered_calls(Graph(torch.zeros(2, 1, dtype=torch.long), NODES))))
def test_registered_operators_give_the_same_bits_and_gradients(graph, name):
    inputs, ours, registered = registered_calls(graph)[name]
    assert registered.equal(ours)
    for one, other in zip(*(torch.autograd.grad(out.sin().sum(), inputs) for out in (ours, registered))):
        assert one.equal(other)


def test_second_derivatives_of_registered_operators_are_refused_in_words():
    x, w = leaves((4, 3), (3, 2), dtype=torch.float32)
    (gradient,) = torch.autograd.grad(torch.ops.geniepath.linear(x, w).square().sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="^linear: has no second derivative"):
        gradient.sum().backward()


def test_a_constant_without_gradient_stays_one(graph):
    x, scale = leaves((NODES, WIDTH), (NODES,), dtype=torch.float32)
    torch.ops.geniepath.neighbour_sum(x, graph.tensors(), scale).sum().backward()
    assert x.grad is not None and scale.grad is None


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda g, x: ops.neighbour_sum("g", x), "neighbour_sum: graph is a str, expected a geniepath.Graph"),
        (lambda g, x: ops.neighbour_max(g, None), "neighbour_max: h is a NoneType, expected a tensor"),
        (lambda g, x: ops.linear(x, [1]), "linear: w is a list, expected a tensor"),
        (lambda g, x: ops.linear(x, x.t(), precision=16), "linear: precision is a int, expected a text"),
        (lambda g, x: ops.dropout(x, "half", 1), "dropout: rate is a str, expected a number"),
        (lambda g, x: ops.dropout(x, 0.5, -1), "dropout: key is -1, expected 0 to below"),
        (lambda g, x: ops.tanh(3), "tanh: x is a int, expected a tensor"),
        (lambda g, x: ops.dropout(x, 0.5, "x"), "dropout: key is a str, expected a whole number"),
        (lambda g, x: ops.dropout(x, 0.5, None), "dropout: key is a NoneType, expected a whole number"),
        (lambda g, x: ops.dropout(x, 0.5, 1.5), "dropout: key is a float, expected a whole number"),
        (lambda g, x: ops.dropout(x, 0.5, torch.tensor(1.5)), "dropout: key is a float, expected a whole number"),
        (lambda g, x: ops.dropout(x, 0.5, torch.tensor([1, 2])), "dropout: key is a Tensor, expected a whole number"),
        (lambda g, x: ops.dropout(x, 0.5, torch.tensor([-1])), "dropout: key is -1, expected 0 to below"),
        (lambda g, x: ops.edge_attention_weights(g, torch.tensor(1.0), x[0]), "ab has 0 dimensions, expected 2"),
        (lambda g, x: ops.edge_attention_weights(g, x[:, :4], x[0, 0]), r"v has shape \[\], expected \[2\]"),
        (lambda g, x: ops.edge_attention_weights(g, x, x[0, :2]), "ab has 5 columns, expected 4"),
    ],
)
def test_an_argument_of_another_type_is_named(graph, call, message):
    with pytest.raises(Error, match=message):
        call(graph, torch.ones(NODES, WIDTH))


@pytest.mark.parametrize("layout", [torch.Tensor.to_sparse, torch.Tensor.to_mkldnn])
@pytest.mark.parametrize("name, arguments", [
    ("linear", {"x": (NODES, WIDTH), "w": (WIDTH, 3), "bias": (3,)}),
    ("gated_memory", {"x": (NODES, WIDTH), "w": (WIDTH, 4 * WIDTH), "bias": (4 * WIDTH,), "memory": (NODES, WIDTH)}),
    ("edge_attention", {"ab": (NODES, 2 * WIDTH), "h": (NODES, WIDTH), "v": (WIDTH,)}),
    ("edge_attention_weights", {"ab": (NODES, 2 * WIDTH), "v": (WIDTH,)}),
    ("projected_attention", {"h": (NODES, WIDTH), "w": (WIDTH, 2 * WIDTH), "v": (WIDTH,)}),
    ("neighbour_sum", {"h": (NODES, WIDTH), "destination_scale": (NODES,), "source_scale": (NODES,)}),
    ("neighbour_max", {"h": (NODES, WIDTH)}),
    ("gat_attention", {"dst": (NODES, 1), "src": (NODES, 1), "h": (NODES, WIDTH)}),
    ("dropout", {"x": (NODES, WIDTH)}),
    ("tanh", {"x": (NODES, WIDTH)}),
    ("sigmoid", {"x": (NODES, WIDTH)}),
])
def test_tensors_that_are_not_dense_are_named(graph, name, arguments, layout):
    operation, dense = getattr(ops, name), {argument: torch.ones(shape) for argument, shape in arguments.items()}
    others = {"graph": graph, "rate": 0.5, "key": 3}
    dense |= {argument: others[argument] for argument in inspect.signature(operation).parameters if argument in others}
    for argument in arguments:
        with pytest.raises(Error, match=f": {argument} has layout (Sparse|Mkldnn), expected a dense tensor"):
            operation(**(dense | {argument: layout(dense[argument])}))
