"""Continuation of queries whose answers are incomplete.

An incomplete answer contains parameters with which the client repeats the request. One of them,
``continue``, is a marker of the form ``<generator parameters>||<finished modules>``. Its first part
is ``-`` if the generator and all prop modules are finished, and empty if prop modules continue with
the first batch.

A batch is the pages of one run of the generator. The generator continues after all prop modules
have finished a batch; until then, the parameters named in the marker are repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wikiapi.api.result import Result
from wikiapi.errors import ApiError

_GENERATOR_DONE = "-"
_SEPARATOR = "||"


def bad_continue() -> ApiError:
    """Return the error for an invalid continuation value."""
    return ApiError("badcontinue", "apierror-badcontinue")


class Continuation:
    """Reads the marker of a request, and collects the parameters of the next request."""

    def __init__(
        self,
        marker: str | None,
        modules: Iterable[str],
        prop_modules: Iterable[str],
        request: Mapping[str, str],
    ) -> None:
        """Read the marker.

        Args:
            marker: the request's ``continue``; None or empty for the first request.
            modules: all modules of the request, in order.
            prop_modules: the modules that add data to the pages of a batch.
            request: the request's parameters, including those named in the marker.

        Raises:
            ApiError: ``badcontinue``, if the marker does not have two parts.
        """
        self._modules = tuple(modules)
        self._props = frozenset(prop_modules)
        self.finished: frozenset[str] = frozenset()
        """The modules that have returned all their data in earlier answers."""
        self._same_batch: dict[str, Any] = {}
        self.generator_done = False
        if marker:
            parts = marker.split(_SEPARATOR)
            if len(parts) != 2:
                raise bad_continue()
            generator, finished = parts
            self.generator_done = generator == _GENERATOR_DONE
            if not self.generator_done:
                named = dict.fromkeys(generator.split("|"))
                self._same_batch = {name: request[name] for name in named if name in request}
            self.finished = frozenset(finished.split("|"))
            if self.generator_done:
                self.finished |= self._props
        self._positions: dict[str, dict[str, Any]] = {}
        self._next_batch: dict[str, Any] = {}
        self._generator = ""

    def set(self, module: str, param: str, value: Any) -> None:
        """Set a parameter with which a module continues in the next request."""
        self._positions.setdefault(module, {})[param] = value

    def set_next_batch(self, module: str, param: str, value: Any) -> None:
        """Set a parameter with which the generator continues with the next batch."""
        self._generator = module
        self._next_batch[param] = value

    def set_same_batch(self, param: str, value: Any) -> None:
        """Set a parameter with which the generator repeats this batch, even if pages are added."""
        self._same_batch[param] = value

    @property
    def batch_complete(self) -> bool:
        """Whether all prop modules have returned all data about the pages of this batch."""
        return not any(module in self._props for module in self._positions)

    def write(self, result: Result) -> None:
        """Add ``batchcomplete`` and ``continue`` to the answer."""
        if self.batch_complete:
            result.set((), "batchcomplete", True)
        generator = self._next_batch if self.batch_complete else self._same_batch
        position = dict(generator)
        # Those of the modules for this batch come first.
        for module in sorted(self._positions, key=lambda name: name not in self._props):
            position |= self._positions[module]
        if not position:
            return
        has_more = bool(generator) or not self.batch_complete
        marker = "|".join(generator) if has_more else _GENERATOR_DONE
        done = [module for module in self._modules if module not in self._positions]
        if self.batch_complete and self._next_batch:
            done = [module for module in done if module not in self._props]
        position["continue"] = f"{marker}{_SEPARATOR}{'|'.join(done)}"
        result.set((), "continue", position)

    def write_raw(self, result: Result) -> None:
        """Add ``query-continue`` to the answer, the format with ``rawcontinue``."""
        raw = dict(self._positions)
        if self._next_batch:
            raw[self._generator] = raw.get(self._generator, {}) | self._next_batch
        for module, position in raw.items():
            result.set(("query-continue",), module, position)
