"""The two models against those of the C++ library: the same weights by name, the same bits."""

import copy
import json
import pickle

import pytest
import torch

import geniepath
from geniepath import Error, Graph, _core
from geniepath.nn import GeniePath, GeniePathLazy

NODES, FEATURES, WIDTH, OUTPUTS = 50, 7, 16, 3
MODELS = {"geniepath": GeniePath, "geniepath-lazy": GeniePathLazy}
VARIANTS = [
    {},
    {"residual": "hop", "tied": True},
    {"residual": "input", "bias": True},
    {"depth_function": "gru", "bias": True},
    {"depth_function": "identity", "layer_norm": True},
    {"output_bias": False, "precision": "bf16"},
]


@pytest.fixture
def graph() -> Graph:
    torch.manual_seed(7)
    return Graph(torch.randint(NODES, (2, 200)), NODES)


def library_model(name: str, options: dict) -> _core.Model:
    given = {"model": name, "hidden": WIDTH, "depth": 2} | {k.replace("_", "-"): v for k, v in options.items()}
    return _core.Model(json.dumps(given), FEATURES, OUTPUTS, 11)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("name", MODELS)
def test_has_the_library_s_weights_and_bits(name, options, graph):
    x = torch.randn(NODES, FEATURES)
    theirs = library_model(name, options)
    model = MODELS[name](FEATURES, WIDTH, 2, OUTPUTS, **options)
    model.load_state_dict(theirs.weights())
    whole = _core.ModelInput(x, graph)
    assert model(x, graph).equal(theirs.forward(whole))
    assert model.embed(x, graph).equal(theirs.embed(whole))
    theirs.set_weights(model.state_dict())
    assert all(weight.equal(model.state_dict()[name]) for name, weight in theirs.weights().items())


def test_lazy_start_leaves_out_the_first_hop(graph):
    theirs = library_model("geniepath-lazy", {"lazy-start": 1})
    model = GeniePathLazy(FEATURES, WIDTH, 2, OUTPUTS, lazy_start=1)
    model.load_state_dict(theirs.weights())
    x = torch.randn(NODES, FEATURES)
    assert model(x, graph).equal(theirs.forward(_core.ModelInput(x, graph)))


@pytest.mark.parametrize("model_class", MODELS.values())
def test_gradients_reach_every_weight_and_match_differences(model_class, graph):
    torch.manual_seed(8)
    model = model_class(FEATURES, 4, 2, 2, bias=True).double()
    x = torch.randn(NODES, FEATURES, dtype=torch.float64)
    model(x, graph).square().sum().backward()
    for name, parameter in model.named_parameters():
        if name == "depth_0.w_f":  # of the empty memory
            continue
        assert parameter.grad is not None and parameter.grad.abs().sum() > 0, name
        place, step = parameter.grad.abs().argmax(), 1e-6
        with torch.no_grad():
            flat = parameter.view(-1)
            flat[place] += step
            above = model(x, graph).square().sum()
            flat[place] -= 2 * step
            below = model(x, graph).square().sum()
            flat[place] += step
        assert torch.isclose((above - below) / (2 * step), parameter.grad.view(-1)[place], rtol=1e-4), name


def test_dropout_follows_pytorch_s_seed_and_ends_with_training(graph):
    model = GeniePath(FEATURES, WIDTH, 2, OUTPUTS, dropout=0.5, input_dropout=0.1)
    x = torch.randn(NODES, FEATURES)

    def call(seed):
        torch.manual_seed(seed)
        return model(x, graph)

    assert call(1).equal(call(1)) and not call(1).equal(call(2))
    model.eval()
    assert call(1).equal(call(2))


def test_input_size_is_found_at_the_first_call_or_in_weights(graph):
    x = torch.randn(NODES, FEATURES)
    model = GeniePath(-1, WIDTH, 2)
    assert model(x, graph).shape == (NODES, WIDTH)
    loaded = GeniePath(-1, WIDTH, 2)
    loaded.load_state_dict(model.state_dict())
    assert loaded(x, graph).equal(model(x, graph))
    assert "w_y" not in model.state_dict()


def test_a_model_of_unknown_input_size_is_saved_copied_and_loaded(graph):
    torch.manual_seed(10)
    x, known = torch.randn(NODES, FEATURES), GeniePath(FEATURES, WIDTH, 2, bias=True)
    model = GeniePath(-1, WIDTH, 2, bias=True)
    state = model.state_dict()
    assert list(state) == list(known.state_dict())
    other = GeniePath(-1, WIDTH, 2, bias=True)
    other.load_state_dict(state)
    for copied in (other, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert copied(x, graph).shape == (NODES, WIDTH)
        assert torch.nn.parameter.is_lazy(model.input.w_x)
        unknown = copy.deepcopy(model)
        unknown.load_state_dict(known.state_dict())
        assert unknown(x, graph).equal(known(x, graph))
        with pytest.raises(RuntimeError):  # as of PyTorch's lazy modules
            copied.load_state_dict(state)


def test_seeds_and_resets_draw_by_xavier_s_rule():
    torch.manual_seed(9)
    model = GeniePath(FEATURES, WIDTH, 2, OUTPUTS)
    before = model.breadth(0).w_s.clone()
    model.reset_parameters()
    bound = (6 / (2 * WIDTH)) ** 0.5
    assert not model.breadth(0).w_s.equal(before) and model.b_y.abs().sum() == 0
    assert 0.8 * bound < model.breadth(0).w_s.abs().max() <= bound


def sparse_features() -> torch.Tensor:
    torch.manual_seed(12)
    x = torch.randn(NODES, FEATURES)
    return x * (torch.rand(NODES, FEATURES) < 0.3)


@pytest.mark.parametrize("layout", ["coo", "csr"])
@pytest.mark.parametrize("model_class", MODELS.values())
def test_sparse_features_give_what_dense_ones_give(model_class, layout, graph):
    dense = sparse_features()
    x = dense.to_sparse() if layout == "coo" else dense.to_sparse_csr()
    torch.manual_seed(13)
    model = model_class(-1, WIDTH, 2, OUTPUTS, bias=True)
    scores = model(x, graph)
    assert scores.allclose(model(dense, graph), atol=1e-6)
    gradients = []
    for given in (x, dense):
        model.zero_grad()
        model(given, graph).square().sum().backward()
        gradients.append({name: parameter.grad.clone() for name, parameter in model.named_parameters()})
    for name, gradient in gradients[0].items():
        assert gradient.allclose(gradients[1][name], atol=1e-5), name


@pytest.mark.parametrize("layout", ["coo", "csr"])
def test_sparse_features_in_f64_are_computed_in_f64(layout, graph):
    dense = sparse_features().double() / 3
    x = dense.to_sparse() if layout == "coo" else dense.to_sparse_csr()
    model = GeniePath(FEATURES, WIDTH, 2, OUTPUTS, bias=True).double()
    gradients = []
    for given in (x, dense):
        model.zero_grad()
        model(given, graph).square().sum().backward()
        gradients.append(model.input.w_x.grad.clone())
    assert model(x, graph).allclose(model(dense, graph), rtol=0, atol=1e-12)
    assert gradients[0].allclose(gradients[1], rtol=0, atol=1e-12)


def test_autocast_reads_sparse_features_in_half_precision(graph):
    model, x = GeniePath(FEATURES, WIDTH, 2, OUTPUTS), sparse_features().bfloat16()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert model(x.to_sparse(), graph).equal(model(x.float().to_sparse(), graph))


def test_inference_mode_takes_sparse_features_made_in_it(graph):
    model, dense = GeniePath(FEATURES, WIDTH, 2, OUTPUTS), sparse_features()
    with torch.inference_mode():
        for x in (dense.to_sparse(), dense.to_sparse_csr()):
            assert model(x, graph).allclose(model(dense, graph), atol=1e-6)


def test_sparse_features_first_used_in_inference_mode_are_trained_on(graph):
    model, x = GeniePath(FEATURES, WIDTH, 2, OUTPUTS), sparse_features().to_sparse()
    x = torch.sparse_coo_tensor(x.indices(), x.values(), x.shape)  # not coalesced
    with torch.inference_mode():
        expected = model(x, graph)
    out = model(x, graph)
    out.sum().backward()
    assert out.equal(expected) and model.input.w_x.grad is not None


def test_sparse_features_are_arranged_once_and_dropped_in_training(graph):
    from geniepath.nn._sparse import _made, sparse_rows

    x = sparse_features().to_sparse()
    model = GeniePath(FEATURES, WIDTH, 2, OUTPUTS, input_dropout=0.5)
    torch.manual_seed(14)
    first = model(x, graph)
    assert not first.equal(model(x, graph)) and sparse_rows(x) is sparse_rows(x)
    model.eval()
    assert model(x, graph).equal(model(x.coalesce(), graph))
    key = id(x)
    assert key in _made
    del x
    assert key not in _made


def test_a_run_on_sparse_features_loads_into_a_module():
    sparse = pytest.importorskip("scipy.sparse")
    x = sparse_features()
    edges = torch.randint(NODES, (2, 200))
    labels = (x.sum(1) > 0).long().numpy()
    run = geniepath.train(edges, sparse.csr_matrix(x.numpy()), label=labels, feature_transform="none", progress=False, epochs=3)
    both_ways = Graph(edges, NODES, symmetrise=True)
    scores = run.module().eval()(x.to_sparse_csr(), both_ways)
    assert torch.sigmoid(scores).detach().numpy()[:, 0] == pytest.approx(run.predict()[:, 1], abs=1e-6)


def test_bad_sparse_features_are_named(graph):
    x = sparse_features()
    model = GeniePath(FEATURES, WIDTH, 2)
    with pytest.raises(Error, match=r"x has shape \[50, 3\], expected \[N, 7\]"):
        model(x[:, :3].to_sparse(), graph)
    with pytest.raises(Error, match="x has dtype int64, expected float32"):
        model(x.long().to_sparse(), graph)
    with pytest.raises(Error, match="x is sparse and requires a gradient, .* expected x.to_dense.. or x.detach"):
        model(x.to_sparse().requires_grad_(), graph)
    with pytest.raises(Error, match="x is sparse in 1 of its dimensions, expected both"):
        model(x.to_sparse(1), graph)
    with pytest.raises(Error, match="x has dtype float64, expected float32, as the weights"):
        model(x.double().to_sparse(), graph)
    with pytest.raises(Error, match="x has dtype float32, expected float64, as the weights"):
        copy.deepcopy(model).double()(x.to_sparse_csr(), graph)
    x[3, 3] = float("nan")
    with pytest.raises(Error, match="x has a NaN or infinite value"):
        model(x.to_sparse(), graph)
    with pytest.raises(Error, match="h has .* rows but the graph has 50 nodes"):
        model(sparse_features()[:9].to_sparse(), graph)


def test_bad_options_and_weights_are_named(graph):
    with pytest.raises(Error, match="dropout is 1.0, expected 0 to below 1"):
        GeniePath(FEATURES, WIDTH, 2, dropout=1.0)
    with pytest.raises(Error, match="num_layers is 0, expected 1 or more"):
        GeniePath(FEATURES, WIDTH, 0)
    with pytest.raises(Error, match="lazy_start is 2, expected 0 to 1"):
        GeniePathLazy(FEATURES, WIDTH, 2, lazy_start=2)
    with pytest.raises(Error, match="lazy_start is 0.0, expected a whole number"):
        GeniePathLazy(FEATURES, WIDTH, 2, lazy_start=0.0)
    with pytest.raises(Error, match=r"x has shape \[50, 3\], expected \[N, 7\]"):
        GeniePath(FEATURES, WIDTH, 2)(torch.ones(NODES, 3), graph)
    theirs = library_model("geniepath", {})
    weights = theirs.weights()
    with pytest.raises(Error, match="weights: input.w_x is missing"):
        theirs.set_weights({name: w for name, w in weights.items() if name != "input.w_x"})
    with pytest.raises(Error, match=r"weights: w_y has shape \[1\], expected"):
        theirs.set_weights(weights | {"w_y": torch.ones(1)})
    with pytest.raises(Error, match="weights: extra is not a parameter of the model"):
        theirs.set_weights(weights | {"extra": torch.ones(1)})


@pytest.mark.skipif(not hasattr(torch, "compile"), reason="PyTorch 1 does not compile")
def test_a_compiled_model_computes_the_same(graph):
    model = GeniePath(FEATURES, WIDTH, 2, OUTPUTS)
    x = torch.randn(NODES, FEATURES)
    assert torch.compile(model, backend="eager")(x, graph).equal(model(x, graph))
