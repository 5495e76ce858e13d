"""Layers and models of GeniePath as `torch.nn.Module`s, with the names of PyG and the weights of the program's runs.

Each takes node features `x` and the graph: an `edge_index` [2, E] of sources above targets, as in PyG, or a
`geniepath.Graph`, made once and reused.
"""

from ._graphs import union_graph
from .breadth import GeniePathConv
from .depth import GatedDepth
from .gat import GATConv
from .models import GeniePath, GeniePathLazy

__all__ = ["GATConv", "GatedDepth", "GeniePath", "GeniePathConv", "GeniePathLazy", "union_graph"]
