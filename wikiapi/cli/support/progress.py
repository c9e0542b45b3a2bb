"""Shows the progress of long work on standard error: a bar on a terminal, else a line at intervals.

A separate thread draws it, so that the elapsed and the remaining time are updated during long steps
too.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

__all__ = ["Progress"]

if TYPE_CHECKING:
    from types import TracebackType

_MEGABYTE = 1_000_000
_BAR_SECONDS = 0.5
"""Seconds between two updates of the bar."""
LINE_SECONDS = 10.0
"""Seconds between two lines where there is no terminal."""
_CLEARED = "\r\x1b[K"


class Progress:
    """The progress of one phase.

    ``length`` is the number of steps, or None if it is not known; if it is 0, nothing is shown.
    ``scale`` is the number of steps per unit of the displayed rate. ``reached`` returns the number
    of steps done so far, for work that does not call :meth:`move_to` regularly.
    """

    def __init__(
        self,
        label: str,
        length: int | None,
        unit: str = "MB",
        scale: int = _MEGABYTE,
        reached: Callable[[], int] | None = None,
    ) -> None:
        """Initialise the progress and start its clock."""
        self._label, self._length = label, length
        self._unit, self._scale = unit, scale
        self._reached = reached
        self._position, self._note = 0, ""
        self._started = time.monotonic()
        self._is_terminal = sys.stderr.isatty()
        self._bar: Any = None
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        if length != 0 and self._is_terminal:
            self._bar = click.progressbar(
                None if length else _of_unknown_length(),
                length=length,
                label=label,
                file=sys.stderr,
                item_show_func=self._rate,
                width=24,
            )

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._stack.enter_context(self._bar)
        if self._length != 0:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._bar is not None:
            self.show()
        self._stack.close()

    def move_to(self, position: int, note: str = "") -> None:
        """Set the number of steps done so far, and a note that is shown after the rate."""
        self._position, self._note = position, note

    def say(self, text: str) -> None:
        """Print a line on standard error, above the bar."""
        with self._lock:
            click.echo(f"{_CLEARED if self._bar is not None else ''}{text}", err=True)

    def show(self) -> None:
        """Draw the bar in its current state, or print a line."""
        with self._lock:
            if self._reached is not None:
                self._position = self._reached()
            if self._bar is not None:
                self._bar.update(self._position - self._bar.pos, (self._position, self._note))
                self._bar.render_progress()
            elif self._length != 0:
                click.echo(self.line(), err=True)

    def line(self) -> str:
        """Return the progress as a line of text."""
        seconds = time.monotonic() - self._started
        parts = [f"{self._label}:"]
        if self._length:
            parts.append(f"{100 * self._position // self._length} %,")
        parts += [self._rate((self._position, self._note)) or f"{seconds:.0f} s"]
        if self._length and self._position:
            left = seconds * (self._length - self._position) / self._position
            parts.append(f"({timedelta(seconds=round(left))} left)")
        return " ".join(parts)

    def _watch(self) -> None:
        seconds = _BAR_SECONDS if self._is_terminal else LINE_SECONDS
        while not self._over.wait(seconds):
            self.show()

    def _rate(self, item: tuple[int, str] | None) -> str:
        if item is None:
            return ""
        position, note = item
        seconds = max(time.monotonic() - self._started, 0.001)
        if not position and not note:
            return f"{seconds:.0f} s"
        return f"{position / self._scale / seconds:.1f} {self._unit}/s {note}".rstrip()


def _of_unknown_length() -> Iterator[object]:
    """Return an iterator without a length, for which click shows a bar of unknown length."""
    yield from ()


def say_retry(reason: str, seconds: float) -> None:
    """Tell that a request to a wiki is repeated; the ``on_retry`` of :mod:`wikiapi.fetching`."""
    click.echo(f"The wiki does not answer ({reason}): trying again in {seconds:.0f} s.", err=True)
