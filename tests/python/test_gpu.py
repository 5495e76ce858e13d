"""Operators and layers on a GPU against those on the CPU, plain and compiled."""

import pytest
import torch

import geniepath
from geniepath import Graph
from geniepath.nn import GeniePath, GeniePathConv

if not torch.cuda.is_available():
    pytest.skip("PyTorch finds no GPU", allow_module_level=True)

NODES, FEATURES, WIDTH = 500, 12, 64


@pytest.fixture
def edges() -> torch.Tensor:
    torch.manual_seed(1)
    return torch.cat([torch.randint(NODES, (2, 4000)), torch.stack([torch.arange(NODES), torch.zeros(NODES).long()])], 1)


def gradients(model: torch.nn.Module, *arguments) -> list[torch.Tensor]:
    model.zero_grad()
    out = model(*arguments)
    out.sin().sum().backward()
    return [out.detach().cpu(), *(p.grad.detach().clone().cpu() for p in model.parameters())]


def near(one: list[torch.Tensor], other: list[torch.Tensor], apart: float) -> bool:
    return all((a - b).abs().max() <= apart * (1 + b.abs().max()) for a, b in zip(one, other))


@pytest.mark.parametrize("given", ["edge_index", "edge_index on the GPU", "graph"])
def test_a_model_gives_the_cpu_s_numbers(given, edges):
    model, x = GeniePath(FEATURES, WIDTH, 2, 5), torch.randn(NODES, FEATURES)
    exact = gradients(model, x, edges)
    graph = {"edge_index": edges, "edge_index on the GPU": edges.cuda(), "graph": Graph(edges, NODES)}[given]
    assert near(gradients(model.cuda(), x.cuda(), graph), exact, 1e-4)


def test_operators_have_cuda_kernels_and_gradients(edges):
    for name in ("linear", "gated_memory", "projected_attention", "edge_attention", "tanh", "dropout"):
        for pass_name in (name, f"{name}_forward", f"{name}_backward"):
            for key in ("CPU", "CUDA"):
                assert torch._C._dispatch_has_kernel_for_dispatch_key(f"geniepath::{pass_name}", key), (pass_name, key)
        assert torch._C._dispatch_has_kernel_for_dispatch_key(f"geniepath::{name}", "Autograd"), name


@pytest.mark.parametrize("given", ["edge_index", "graph"])
@pytest.mark.parametrize("precision, apart", [("f32", 1e-5), ("tf32", 5e-3), ("bf16", 5e-2)])
def test_compiled_models_give_the_same_numbers(given, precision, apart, edges):
    torch._dynamo.reset()
    model, x = GeniePath(FEATURES, WIDTH, 2, 5, precision=precision).cuda(), torch.randn(NODES, FEATURES).cuda()
    graph = edges.cuda() if given == "edge_index" else Graph(edges, NODES)
    plain = gradients(model, x, graph)
    assert near(gradients(torch.compile(model, fullgraph=True), x, graph), plain, apart)


@pytest.mark.parametrize("precision, apart", [("f32", 1e-5), ("bf16", 5e-2)])
@pytest.mark.parametrize("options", [{}, {"dropout": 0.5}], ids=str)
def test_cuda_graphs_are_recorded_and_replayed(options, precision, apart, edges):
    torch._dynamo.reset()
    model, x = GeniePath(FEATURES, WIDTH, 2, 5, precision=precision, **options).cuda(), torch.randn(NODES, FEATURES).cuda()
    graph = Graph(edges, NODES).to("cuda")
    compiled = torch.compile(model, fullgraph=True, mode="reduce-overhead")
    for _ in range(4):  # warming up, recording, replaying
        torch.compiler.cudagraph_mark_step_begin()
        found = gradients(compiled, x, graph)
    if not options:
        assert near(found, gradients(model, x, graph), apart)
    model.eval()
    with torch.no_grad():
        assert near([compiled(x, graph).cpu()], [model(x, graph).cpu()], apart)


def test_graphs_take_turns_in_cuda_graphs(edges):
    torch._dynamo.reset()
    conv, x = GeniePathConv(WIDTH).cuda(), torch.randn(NODES, WIDTH, device="cuda")
    compiled = torch.compile(conv, fullgraph=True, mode="reduce-overhead")
    graphs = [Graph(edges, NODES).to("cuda"), Graph(edges[:, :3000], NODES).to("cuda")]
    with torch.no_grad():
        for _ in range(4):
            for graph in graphs:
                assert near([compiled(x, graph).cpu()], [conv(x, graph).cpu()], 1e-5)


def test_a_graph_s_tensors_on_a_gpu_are_checked(edges):
    conv, x = GeniePathConv(WIDTH).cuda(), torch.randn(NODES, WIDTH, device="cuda")
    arguments = (x, torch.cat([conv.w_s, conv.w_d], 1), conv.v)
    graph = Graph(edges, NODES)
    tensors = graph.to("cuda")._tensors
    attention = torch.ops.geniepath.projected_attention
    assert attention(*arguments, tensors).equal(attention(*arguments, list(graph.tensors())))
    with pytest.raises(geniepath.Error, match="expected an edge_index, or the 5 or 13 of a graph"):
        attention(*arguments, tensors[:-1])
    for n, tensor in enumerate(tensors):
        for wrong in (tensor.float(), tensor + 1, tensor[1:], tensor.cpu()):
            if wrong.numel() > 0:
                with pytest.raises(geniepath.Error):
                    attention(*arguments, [*tensors[:n], wrong, *tensors[n + 1 :]])
    with pytest.raises(geniepath.Error, match="h is on cpu"):
        attention(*(t.detach().cpu() for t in arguments), tensors)


def test_operands_of_bf16_are_converted_once():
    x, w = (torch.randn(rows, WIDTH, device="cuda", requires_grad=True) for rows in (NODES, WIDTH))
    registered, plain = torch.ops.geniepath.linear(x, w, None, True, "bf16"), geniepath.ops.linear(x, w, None, True, "bf16")
    assert registered.equal(plain) and registered.dtype == torch.float32
    ours, theirs = (torch.autograd.grad(y.sin().sum(), (x, w)) for y in (registered, plain))
    assert all(a.equal(b) and a.dtype == torch.float32 for a, b in zip(ours, theirs))
    with pytest.raises(geniepath.Error, match="x has dtype BFloat16, expected f32 or f64"):
        torch.ops.geniepath.linear(x.bfloat16(), w)


def test_operators_pass_pytorch_s_own_check(edges):
    x, w, v = (torch.randn(*shape, device="cuda", requires_grad=True) for shape in ((NODES, 8), (8, 16), (8,)))
    call = torch.ops.geniepath.projected_attention.default
    assert set(torch.library.opcheck(call, (x, w, v, [edges.cuda()])).values()) == {"SUCCESS"}
    call = torch.ops.geniepath.gated_memory.default
    assert set(torch.library.opcheck(call, (x, None, torch.randn(8, 32, device="cuda"))).values()) == {"SUCCESS"}
    in_bf16 = (x, None, torch.randn(8, 32, device="cuda", requires_grad=True), None, None, "bf16")
    assert set(torch.library.opcheck(call, in_bf16).values()) == {"SUCCESS"}
    assert set(torch.library.opcheck(torch.ops.geniepath.operand.default, (x,)).values()) == {"SUCCESS"}


def test_changing_graphs_are_followed_without_recompiling_forever(edges):
    torch._dynamo.reset()
    conv = GeniePathConv(WIDTH).cuda()
    compiled = torch.compile(conv, fullgraph=True)
    for nodes in (100, 200, 300, 400):
        some = torch.randint(nodes, (2, 5 * nodes), device="cuda")
        x = torch.randn(nodes, WIDTH, device="cuda")
        assert near([compiled(x, some).detach()], [conv(x, some).detach()], 1e-5)


def test_wide_rows_are_refused_in_words(edges):
    with pytest.raises(geniepath.Error, match="columns, expected at most"):
        GeniePathConv(5000).cuda()(torch.randn(NODES, 5000, device="cuda"), edges)


def test_sparse_features_give_the_cpu_s_numbers(edges):
    x = torch.randn(NODES, FEATURES) * (torch.rand(NODES, FEATURES) < 0.3)
    model = GeniePath(FEATURES, WIDTH, 2, 3)
    cpu = gradients(model, x.to_sparse(), edges)
    model.cuda()
    assert near(cpu, gradients(model, x.to_sparse().cuda(), edges.cuda()), 1e-4)


def test_a_run_loaded_on_a_gpu_explains(tmp_path):
    out = tmp_path / "run"
    on_cpu = geniepath.train(data="account-device", size=1000, out=out, hidden=8, depth=2, epochs=3, progress=False)
    node = on_cpu.node_names[0]
    assert geniepath.load(out, "cuda").explain(node).verdict == on_cpu.explain(node).verdict
