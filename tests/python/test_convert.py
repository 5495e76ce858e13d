"""Converted layers compute what the originals do, in f64; what cannot be converted says which formula differs."""

import importlib.util

import pytest
import torch

import geniepath
from geniepath import Error, convert_pyg
from geniepath.nn import GATConv

NODES, WIDTH = 12, 5


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def edges() -> torch.Tensor:
    return torch.rand(NODES, NODES).lt(0.3).nonzero().T  # none twice


class PygGATConv(torch.nn.Module):
    """The formula and the parameters of PyG's GATConv, edge by edge."""

    def __init__(self, inputs: int, width: int, heads: int = 1, concat: bool = True, bias: bool = True) -> None:
        super().__init__()
        self.in_channels, self.out_channels, self.heads, self.concat = inputs, width, heads, concat
        self.negative_slope, self.dropout, self.add_self_loops, self.edge_dim = 0.2, 0.0, True, None
        self.lin = torch.nn.Linear(inputs, heads * width, bias=False)
        self.att_src, self.att_dst = (torch.nn.Parameter(torch.randn(1, heads, width)) for _ in range(2))
        self.bias = torch.nn.Parameter(torch.randn(heads * width if concat else width)) if bias else None

    def forward(self, x, edge_index):
        source, target = edge_index[:, edge_index[0] != edge_index[1]]
        source, target = (torch.cat([ends, torch.arange(len(x))]) for ends in (source, target))
        h = self.lin(x).view(len(x), self.heads, self.out_channels)
        src, dst = (h * self.att_src).sum(-1), (h * self.att_dst).sum(-1)
        weight = torch.nn.functional.leaky_relu(src[source] + dst[target], self.negative_slope).exp()
        alpha = weight / torch.zeros_like(src).index_add(0, target, weight)[target]
        out = torch.zeros_like(h).index_add(0, target, alpha.unsqueeze(-1) * h[source])
        out = out.flatten(1) if self.concat else out.mean(1)
        return out if self.bias is None else out + self.bias


PygGATConv.__name__ = "GATConv"


def gat_conv(*sizes, **options):
    if importlib.util.find_spec("torch_geometric") is None:
        return PygGATConv(*sizes, **options)
    from torch_geometric.nn import GATConv as Original

    return Original(*sizes, **options)


@pytest.mark.parametrize("options", [{}, {"heads": 3}, {"heads": 2, "concat": False}, {"bias": False}], ids=str)
def test_gat_conv_is_the_same_layer(options):
    theirs, x, graph = gat_conv(WIDTH, 4, **options).double(), torch.randn(NODES, WIDTH).double(), edges()
    ours = convert_pyg(theirs)
    assert isinstance(ours, GATConv)
    assert torch.allclose(ours(x, graph), theirs(x, graph), rtol=0, atol=1e-12)
    for module in (ours, theirs):
        module(x, graph).sin().sum().backward()
    weight = theirs.lin.weight if getattr(theirs, "lin", None) is not None else theirs.lin_src.weight
    assert torch.allclose(ours.w.grad.T, weight.grad, rtol=0, atol=1e-12)


class StandIn(torch.nn.Module):
    """A popular stand-in: tanh of GATConv, and an LSTM whose state is zero in every layer."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.lstm = gat_conv(WIDTH, WIDTH), torch.nn.LSTM(WIDTH, WIDTH, 1, bias=False)

    def forward(self, x, edge_index):
        return self.lstm(torch.tanh(self.conv(x, edge_index))[None])[0][0]


def test_a_stand_in_s_attention_becomes_ours():
    theirs, x, graph = StandIn().double(), torch.randn(NODES, WIDTH).double(), edges()
    ours = convert_pyg(theirs)
    assert isinstance(ours.conv, GATConv) and not isinstance(theirs.conv, GATConv)
    assert torch.allclose(ours(x, graph), theirs(x, graph), rtol=0, atol=1e-12)
    depth = convert_pyg(theirs.lstm, zero_state=True)
    assert torch.allclose(depth(torch.tanh(ours.conv(x, graph)))[0], theirs(x, graph), rtol=0, atol=1e-12)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", [torch.nn.LSTM, torch.nn.LSTMCell, torch.nn.GRU, torch.nn.GRUCell])
def test_gates_without_recurrent_weights_are_gated_depth(kind, bias):
    theirs = kind(WIDTH, WIDTH, bias=bias).double()
    with torch.no_grad():
        for name, weight in theirs.named_parameters():
            if "weight_hh" in name:
                weight.zero_()
            elif "bias_hh" in name and "GRU" in kind.__name__:
                weight[2 * WIDTH:].zero_()
    ours, hops = convert_pyg(theirs), torch.randn(4, NODES, WIDTH).double()
    memory = state = None
    for hop in hops:
        out, memory = ours(hop, memory)
        if kind in (torch.nn.LSTM, torch.nn.GRU):
            expected, state = theirs(hop[None], state)
            expected = expected[0]
        else:
            state = theirs(hop, state)
            expected = state[0] if kind is torch.nn.LSTMCell else state
        assert torch.allclose(out, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("make", [lambda: gat_conv(WIDTH, 4), lambda: torch.nn.LSTM(WIDTH, WIDTH), lambda: torch.nn.GRU(
    WIDTH, WIDTH, bias=False)])
@pytest.mark.parametrize("is_trained", [True, False])
def test_frozen_parameters_stay_frozen(make, is_trained):
    theirs = make().requires_grad_(is_trained)
    ours = convert_pyg(theirs, zero_state=isinstance(theirs, torch.nn.RNNBase))
    assert {parameter.requires_grad for parameter in ours.parameters()} == {is_trained}


def test_a_frozen_weight_beside_trained_ones_stays_frozen():
    theirs = gat_conv(WIDTH, 4)
    theirs.att_src.requires_grad_(False)
    ours = convert_pyg(theirs)
    assert [name for name, parameter in ours.named_parameters() if not parameter.requires_grad] == ["a_src"]


def test_a_layer_in_several_places_stays_one_layer():
    shared = gat_conv(WIDTH, WIDTH)
    ours = convert_pyg(torch.nn.ModuleList([shared, torch.nn.Sequential(shared), gat_conv(WIDTH, WIDTH)]))
    assert isinstance(ours[0], GATConv) and ours[1][0] is ours[0] and ours[2] is not ours[0]


def test_parts_stay_in_training_or_evaluation():
    theirs = torch.nn.ModuleList([gat_conv(WIDTH, WIDTH).eval(), torch.nn.Dropout().eval(), gat_conv(WIDTH, WIDTH)])
    assert [part.training for part in convert_pyg(theirs)] == [False, False, True]


def test_what_is_ours_stays_as_it_is():
    x, graph = torch.randn(NODES, WIDTH), edges()
    once = convert_pyg(StandIn())
    for module in (once, once.conv, geniepath.nn.GeniePathConv(WIDTH), torch.nn.Sequential(GATConv(WIDTH, 2))):
        again = convert_pyg(module)
        assert type(again) is type(module) and again is not module
        assert all(one.equal(other) for one, other in zip(again.parameters(), module.parameters()))
    assert convert_pyg(once)(x, graph).equal(once(x, graph))


class DglGATConv(torch.nn.Module):
    """As DGL's: other attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(WIDTH, WIDTH, bias=False)


DglGATConv.__name__ = "GATConv"


class GATv2Conv(torch.nn.Module):
    pass


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: torch.nn.LSTM(WIDTH, WIDTH), "gates of LSTM also read the last output.*zero_state=True"),
        (lambda: torch.nn.LSTM(WIDTH, 3), "gates of LSTM also"),
        (lambda: torch.nn.LSTM(WIDTH, WIDTH, 2), "LSTM has several layers"),
        (DglGATConv, "GATConv has no in_channels, expected PyG's GATConv"),
        (lambda: torch.nn.Sequential(DglGATConv()), "GATConv has no in_channels, expected PyG's GATConv"),
        (GATv2Conv, "GATv2Conv differs .* LeakyReLU.* tanh"),
        (lambda: torch.nn.Sequential(GATv2Conv()), r"nothing of Sequential .* 0 \(GATv2Conv\): its scores"),
        (lambda: torch.nn.Sequential(torch.nn.ReLU()), "no layer that is known here: GATConv; LSTM, GRU and their"),
        *((lambda kind=kind: torch.nn.Sequential(kind(4, 4)), rf"0 \({kind.__name__}\): .* only when given themselves")
          for kind in (torch.nn.LSTM, torch.nn.LSTMCell, torch.nn.GRU, torch.nn.GRUCell)),
    ],
)
def test_what_differs_is_said(make, message):
    with pytest.raises(Error, match=message):
        convert_pyg(make())


def test_a_state_of_zeros_is_said_of_lstm_and_gru_alone():
    for module in (torch.nn.Sequential(torch.nn.LSTM(4, 4)), gat_conv(WIDTH, 4), geniepath.nn.GeniePathConv(WIDTH)):
        with pytest.raises(Error, match=f"zero_state was given, but module is a {type(module).__name__}: it is about"):
            convert_pyg(module, zero_state=True)


def test_widths_and_options_that_differ_are_said():
    with pytest.raises(Error, match="maps 5 columns to 3, GatedDepth to as many"):
        convert_pyg(torch.nn.LSTM(WIDTH, 3), zero_state=True)
    gru = torch.nn.GRU(WIDTH, WIDTH)
    with pytest.raises(Error, match="reset gate of GRU scales a bias"):
        convert_pyg(gru, zero_state=True)
    for option, value, message in (
        ("add_self_loops", False, "adds no self-loops"),
        ("flow", "target_to_source", "its flow is 'target_to_source', here targets attend to sources"),
        ("aggr", "mean", "its aggr is 'mean', the one here adds"),
    ):
        conv = PygGATConv(WIDTH, WIDTH)
        setattr(conv, option, value)
        with pytest.raises(Error, match=f"GATConv differs: .*{message}"):
            convert_pyg(conv)


def test_the_layer_refuses_what_it_cannot_be(monkeypatch):
    with pytest.raises(Error, match="heads is 0, expected 1 or more"):
        geniepath.nn.GATConv(WIDTH, WIDTH, 0)
    with pytest.raises(Error, match="dropout is 1, expected 0 to below 1"):
        geniepath.nn.GATConv(WIDTH, WIDTH, dropout=1)
    conv, x, graph = geniepath.nn.GATConv(WIDTH, WIDTH, dropout=0.5), torch.randn(NODES, WIDTH), edges()
    assert not conv(x, graph).equal(conv(x, graph)) and conv.eval()(x, graph).equal(conv(x, graph))
