"""PyTorch's modes while the library works for a run: those that a process begins with, whatever its caller has set."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import torch

from .nn._module import autocast_is_on


@contextlib.contextmanager
def usual() -> Iterator[None]:
    """Gradients, no inference mode, no autocast, and f32 for tensors made without a dtype; then the caller's again."""
    with contextlib.ExitStack() as modes:
        modes.enter_context(torch.inference_mode(False))
        modes.enter_context(torch.enable_grad())
        for device in filter(autocast_is_on, ("cpu", "cuda")):
            modes.enter_context(torch.autocast(device, enabled=False))
        _default.enter()
        modes.callback(_default.leave)
        yield


def after_fork() -> None:
    _default.after_fork()


class _DefaultType:
    """The default dtype, one for all threads: f32 until the last thread has left, then the caller's again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside: list[int] = []  # threads, once per call
        self._callers = torch.float32

    def enter(self) -> None:
        with self._lock:
            if not self._inside:
                self._callers = torch.get_default_dtype()
                _set(torch.float32)
            self._inside.append(threading.get_ident())

    def leave(self) -> None:
        with self._lock:
            self._inside.remove(threading.get_ident())
            if not self._inside:
                _set(self._callers)

    def after_fork(self) -> None:
        """A forked process has none of the other threads."""
        self._lock = threading.Lock()
        others = [thread for thread in self._inside if thread != threading.get_ident()]
        self._inside = [threading.get_ident()] * (len(self._inside) - len(others))
        if others and not self._inside:
            _set(self._callers)


def _set(dtype: torch.dtype) -> None:
    if torch.get_default_dtype() != dtype:
        torch.set_default_dtype(dtype)


_default = _DefaultType()
