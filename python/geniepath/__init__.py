"""Graph neural networks that learn which paths in a graph matter.

The kernels, models and runs of the C++ library `geniepath` (arXiv:1802.00910), beside PyTorch:

- `torch.ops.geniepath.*` and `geniepath.ops`: fused, differentiable operations;
- `geniepath.nn`: layers and models as `torch.nn.Module`s;
- `geniepath.train` and `geniepath.load`: runs, from data in memory or files, which predict and explain;
- `geniepath.sklearn`: an estimator of scikit-learn.
"""

import os as _os
import sys as _sys

# Threads of libgomp, which PyTorch loads, spin for 3 to 20 ms before they sleep, and where cores are shared keep those
# that they wait for from running. 1000 rounds take up to 50 us, as the program's threads spin (cli/launcher.cpp).
if "torch" not in _sys.modules and not {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & _os.environ.keys():
    _os.environ["GOMP_SPINCOUNT"] = "1000"

# First, since the library links against the libraries that it loads.
import torch as _torch  # noqa: F401

from . import _fakes, _modes, _threads, nn, ops
from ._core import Error, __version__, use_large_pages
from ._new_rows import Note
from .convert import convert_pyg
from .data import Dataset, dataset
from .explanation import Explanation
from .graph import Graph
from .runs import Run, load, train

_fakes.register()

_os.register_at_fork(after_in_child=_threads.after_fork)
_os.register_at_fork(after_in_child=_modes.after_fork)

__all__ = [
    "Dataset",
    "Error",
    "Explanation",
    "Graph",
    "Note",
    "Run",
    "__version__",
    "convert_pyg",
    "dataset",
    "load",
    "nn",
    "ops",
    "train",
    "use_large_pages",
]
