"""The part of a layer that PyG's explainers look for. Imported only beside PyG."""

from __future__ import annotations

from torch import Tensor
from torch_geometric.nn import MessagePassing


class AttentionWeights(MessagePassing):
    """Passes a layer's attention through PyG's `message`, where `AttentionExplainer` reads it."""

    def __init__(self) -> None:
        super().__init__(aggr="add")

    def forward(self, edge_index: Tensor, alpha: Tensor, size: tuple[int, int]) -> Tensor:
        """alpha [E, 1], by the columns of edge_index; size: numbers of sources and targets."""
        return self.propagate(edge_index, alpha=alpha, size=size)

    def message(self, alpha: Tensor) -> Tensor:
        return alpha

    @property
    def is_read(self) -> bool:
        return len(self._message_forward_hooks) > 0

    @property
    def is_masked(self) -> bool:
        return bool(self.explain)
