"""Layers among PyG's modules: its explainers, Sequential and mini-batches. Without PyG, a stand-in has the hooks alone."""

import collections
import copy
import importlib.util
import pickle
import sys
import types

import pytest
import torch

HAS_PYG = importlib.util.find_spec("torch_geometric") is not None
if HAS_PYG:
    import torch_geometric  # noqa: F401  before the layers are made
needs_pyg = pytest.mark.skipif(not HAS_PYG, reason="PyG (torch_geometric) is not installed")

from geniepath import Error, Graph  # noqa: E402
from geniepath.nn import GeniePath, GeniePathConv  # noqa: E402

NODES, WIDTH = 30, 8


@pytest.fixture
def edges() -> torch.Tensor:
    torch.manual_seed(3)
    edges = torch.randint(NODES, (2, 90))
    return torch.cat([edges, edges[:, :5], torch.tensor([[4], [4]])], 1)  # parallel edges and a self-loop among them


@pytest.fixture
def x() -> torch.Tensor:
    return torch.randn(NODES, WIDTH)


class StandIn(torch.nn.Module):
    """The part of PyG's MessagePassing that AttentionExplainer uses: hooks that read the arguments of `message`."""

    flow = "source_to_target"

    def __init__(self, aggr: str) -> None:
        super().__init__()
        self.explain = None
        self._message_forward_hooks = collections.OrderedDict()

    def register_message_forward_hook(self, hook):
        handle = torch.utils.hooks.RemovableHandle(self._message_forward_hooks)
        self._message_forward_hooks[handle.id] = hook
        return handle

    def propagate(self, edge_index, size, **arguments):
        out = self.message(**arguments)
        for hook in self._message_forward_hooks.values():
            hook(self, (arguments,), out)
        assert out.size(0) == edge_index.size(1) and int(edge_index[1].max()) < size[1]
        return out


@pytest.fixture
def message_passing(monkeypatch):
    """PyG's MessagePassing, or the stand-in."""
    if HAS_PYG:
        from torch_geometric.nn import MessagePassing

        return MessagePassing
    module = types.ModuleType("torch_geometric.nn")
    module.MessagePassing = StandIn
    monkeypatch.setitem(sys.modules, "torch_geometric", types.ModuleType("torch_geometric"))
    monkeypatch.setitem(sys.modules, "torch_geometric.nn", module)
    monkeypatch.delitem(sys.modules, "geniepath.nn._pyg", raising=False)
    return StandIn


def read_alpha(model: torch.nn.Module, kind: type, *arguments) -> list[torch.Tensor]:
    """The alpha that a hook on every MessagePassing of the model reads, as AttentionExplainer does."""
    found = []
    handles = [module.register_message_forward_hook(lambda _, given, __: found.append(given[0]["alpha"]))
               for module in model.modules() if isinstance(module, kind)]
    model(*arguments)
    for handle in handles:
        handle.remove()
    return found


def test_hooks_read_alpha_by_the_columns_of_edge_index(message_passing, x, edges):
    conv = GeniePathConv(WIDTH)
    (alpha,) = read_alpha(conv, message_passing, x, edges)
    _, (listed, weights) = conv(x, edges, return_attention_weights=True)
    known = {(s, t): a for (s, t), a in zip(listed.T.tolist(), weights[:, 0].tolist())}
    assert alpha.shape == (edges.size(1), 1)
    assert alpha[:, 0].tolist() == [known[s, t] for s, t in edges.T.tolist()]
    assert read_alpha(conv, message_passing, x, Graph(edges, NODES))[0].equal(weights)
    few = edges[:, edges[1] < 9]
    assert read_alpha(conv, message_passing, (x, x[:9]), few)[0].size(0) == few.size(1)


@pytest.mark.parametrize("kind", [torch.uint8, torch.int16])
def test_hooks_read_alpha_by_narrow_integers(message_passing, kind):
    conv, x, edges = GeniePathConv(2), torch.randn(50000, 2), torch.tensor([[7, 100, 3], [90, 4, 90]])
    (narrow,), (wide,) = (read_alpha(conv, message_passing, x, given) for given in (edges.to(kind), edges))
    assert narrow.equal(wide)


def test_models_have_a_hook_per_hop_and_no_more_weights(message_passing, x, edges):
    model = GeniePath(WIDTH, WIDTH, 3, 2)
    assert len(read_alpha(model, message_passing, x, edges)) == 3
    assert not any("explained" in name for name in model.state_dict())
    assert model.eval()(x, edges).equal(copy.deepcopy(model)(x, edges))


def test_edge_masks_are_refused_in_words(message_passing, x, edges):
    conv = GeniePathConv(WIDTH)
    conv.explained.explain = True
    with pytest.raises(Error, match="edge mask, which fused attention cannot apply; expected AttentionExplainer"):
        conv(x, edges)


@needs_pyg
def test_attention_explainer_names_the_edges_of_a_node(x, edges):
    from torch_geometric.explain import AttentionExplainer, Explainer

    model = GeniePath(WIDTH, WIDTH, 2, 3).eval()
    explainer = Explainer(model, AttentionExplainer(), explanation_type="model", edge_mask_type="object",
                          model_config={"mode": "multiclass_classification", "task_level": "node", "return_type": "raw"})
    mask = explainer(x, edges, index=5).edge_mask
    assert mask.shape == (edges.size(1),) and 0 <= mask.min() and 0 < mask.max() <= 1
    reached = {5} | set(edges[0, edges[1] == 5].tolist())
    outside = torch.tensor([int(target) not in reached for target in edges[1]])
    assert mask[outside].sum() == 0


@needs_pyg
def test_gnn_explainer_is_refused_in_words(x, edges):
    from torch_geometric.explain import Explainer, GNNExplainer

    model = GeniePath(WIDTH, WIDTH, 2, 3).eval()
    explainer = Explainer(model, GNNExplainer(epochs=2), explanation_type="model", edge_mask_type="object",
                          model_config={"mode": "multiclass_classification", "task_level": "node", "return_type": "raw"})
    with pytest.raises(Error, match="edge mask"):
        explainer(x, edges, index=5)


@needs_pyg
def test_is_a_part_of_sequential(x, edges):
    from torch_geometric.nn import GATv2Conv, Sequential

    def model(conv):
        return Sequential("x, edge_index", [(conv, "x, edge_index -> x"), torch.nn.ReLU(), torch.nn.Linear(WIDTH, 3)])

    assert model(GeniePathConv(WIDTH))(x, edges).shape == model(GATv2Conv(WIDTH, WIDTH))(x, edges).shape == (NODES, 3)


@needs_pyg
def test_trains_on_mini_batches_of_neighbor_loader(x, edges):
    from torch_geometric.data import Data
    from torch_geometric.loader import NeighborLoader

    data = Data(x=x, edge_index=edges, y=torch.randint(3, (NODES,)))
    try:
        loader = NeighborLoader(data, num_neighbors=[4, 4], batch_size=8)
        batches = list(loader)
    except ImportError as error:  # PyG samples through pyg-lib or torch-sparse
        pytest.skip(str(error))
    model = GeniePath(WIDTH, WIDTH, 2, 3)
    adam = torch.optim.Adam(model.parameters())
    for batch in batches:
        adam.zero_grad()
        out = model(batch.x, batch.edge_index)[: batch.batch_size]
        torch.nn.functional.cross_entropy(out, batch.y[: batch.batch_size]).backward()
        adam.step()
    assert sum(batch.batch_size for batch in batches) == NODES
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())


@needs_pyg
def test_is_pickled_beside_pyg(x, edges):
    conv = GeniePathConv(WIDTH)
    assert pickle.loads(pickle.dumps(conv))(x, edges).equal(conv(x, edges))


@needs_pyg
def test_trains_from_pyg_s_data(x, edges):
    import geniepath
    from torch_geometric.data import Data

    y = torch.randint(2, (NODES,))
    run = geniepath.train(Data(x=x, edge_index=edges, y=y), hidden=4, depth=1, epochs=2, progress=False)
    assert run.predict().shape == (NODES, 2)
