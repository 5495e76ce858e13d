"""The number of threads that runs are trained with, and the end of those that train when the process ends."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from . import _core
from ._core import Error

MOST = 4096  # as the program's --threads

SECONDS_AT_EXIT = 10  # that a process waits for a training to stop

_forked = False
# Whether a training has used several threads: here, or in a process that this one was forked from; and in the latter.
_used_several = _lost_threads = False


def after_fork() -> None:
    """A forked process has none of its parent's OpenMP threads, and would wait for them: it begins with one, as PyTorch's own
    DataLoader workers do."""
    global _forked, _lost_threads
    _forked, _lost_threads = True, _used_several
    torch.set_num_threads(1)


def chosen(threads: Any) -> int:
    """The number of threads. 0: PyTorch's or, where that is Debian's default of 1, all cores this process may use."""
    if not isinstance(threads, (int, np.integer)) or isinstance(threads, bool) or not 0 <= threads <= MOST:
        raise Error(f"train: threads is {threads!r}, expected a number of threads, or 0 for all cores: 0 to {MOST}")
    if threads > 0:
        return int(threads)
    number = torch.get_num_threads()
    is_a_choice = number > 1 or _forked or "OMP_NUM_THREADS" in os.environ
    return number if is_a_choice else _core.usable_cpus()


@contextlib.contextmanager
def used(threads: Any) -> Iterator[None]:
    """Sets PyTorch's number of threads; afterwards it has its own again."""
    global _used_several
    before, number = torch.get_num_threads(), chosen(threads)
    if number > 1 and _lost_threads:
        raise Error(f"train: threads is {number}, expected 1: this process was forked from one that trained with several, "
                    "which it would wait for; start processes by spawning them (multiprocessing.get_context('spawn'))")
    _used_several |= number > 1
    if number != before:
        torch.set_num_threads(number)
    try:
        yield
    finally:
        if number != before:
            torch.set_num_threads(before)


@contextlib.contextmanager
def stopped_at_exit() -> Iterator[Callable[[Callable[..., Any]], Callable[..., None]]]:
    """Stops a daemon thread's training when the process ends: Python would end the thread within C++, which aborts.

    Yields a wrapper for the training's hook: at the end it raises SystemExit, which threads do not report.
    """
    process, stop, ended = os.getpid(), threading.Event(), threading.Event()

    def stop_and_wait() -> None:
        if os.getpid() == process:  # a forked one has no such thread
            stop.set()
            ended.wait(SECONDS_AT_EXIT)

    def wrapped(hook: Callable[..., Any]) -> Callable[..., None]:
        def call(*epoch: Any) -> None:
            if stop.is_set():
                raise SystemExit
            hook(*epoch)

        return call

    atexit.register(stop_and_wait)
    try:
        yield wrapped
    finally:
        ended.set()
        if not stop.is_set():
            atexit.unregister(stop_and_wait)
