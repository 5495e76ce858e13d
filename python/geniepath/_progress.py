"""The progress of a training, as shown to its user."""

from __future__ import annotations

from typing import Any, Callable


class Progress:
    """Calls the user's function after each epoch, and moves a bar if tqdm is installed."""

    def __init__(self, show: bool, epochs: Any, on_epoch: Callable[[int, float, float, int], Any] | None) -> None:
        self.bar: Any = None
        self.on_epoch = on_epoch
        if show:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self.bar = tqdm(total=epochs if isinstance(epochs, int) else None, unit="epoch", leave=False)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: Any) -> None:
        if self.bar is not None:
            self.bar.close()

    def __call__(self, epoch: int, loss: float, best_score: float, best_epoch: int) -> None:
        if self.bar is not None:
            self.bar.update(epoch - self.bar.n)
            self.bar.set_postfix(loss=f"{loss:.4g}", best=f"{best_score:.4g}")
        if self.on_epoch is not None:
            self.on_epoch(epoch, loss, best_score, best_epoch)
