"""A progress bar on standard error, with the rate and the remaining time."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from types import TracebackType

_MEGABYTE = 1_000_000


class Progress:
    """A progress bar, shown only on a terminal and if the number of steps is known.

    ``scale`` is the number of steps per unit of the displayed rate.
    """

    def __init__(
        self, label: str, length: int | None, unit: str = "MB", scale: int = _MEGABYTE
    ) -> None:
        """Initialise the bar and start its clock."""
        self._unit, self._scale = unit, scale
        self._started = time.monotonic()
        self._stack = ExitStack()
        self._bar: Any = None
        if length and sys.stderr.isatty():
            self._bar = click.progressbar(
                length=length, label=label, file=sys.stderr, item_show_func=self._rate
            )

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._stack.enter_context(self._bar)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def move_to(self, position: int, note: str = "") -> None:
        """Update the bar."""
        if self._bar is not None:
            self._bar.update(position - self._bar.pos, (position, note))

    def _rate(self, item: tuple[int, str] | None) -> str:
        if item is None:
            return ""
        position, note = item
        rate = position / self._scale / max(time.monotonic() - self._started, 0.001)
        return f"{rate:.1f} {self._unit}/s {note}"
