"""Graph neural networks that learn which paths in a graph matter.

The kernels, models and runs of the C++ library `geniepath` (arXiv:1802.00910), beside PyTorch:

- `torch.ops.geniepath.*` and `geniepath.ops`: fused, differentiable operations;
- `geniepath.nn`: layers and models as `torch.nn.Module`s;
- `geniepath.train` and `geniepath.load`: runs, from data in memory or files, which predict and explain;
- `geniepath.sklearn`: an estimator of scikit-learn.
"""

# First, since the library links against the libraries that it loads.
import torch as _torch  # noqa: F401

from . import nn, ops
from ._core import Error, Graph, __version__, use_large_pages
from .explanation import Explanation
from .runs import Run, load, train

__all__ = [
    "Error",
    "Explanation",
    "Graph",
    "Run",
    "__version__",
    "load",
    "nn",
    "ops",
    "train",
    "use_large_pages",
]
