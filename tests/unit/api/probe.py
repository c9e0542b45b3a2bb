"""A plugin with an action whose behaviour a test decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.cases import FIXTURES
from wikiapi.api.context import CacheMode
from wikiapi.api.module import Action
from wikiapi.api.params.declaration import boolean, enum, integer, limit, string
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.hookspecs import hookimpl
from wikiapi.languages.message import Plain


class Probe(Action):
    """Does what its parameters say.

    This paragraph is no part of the summary.
    """

    name = "probe"
    prefix = "p"
    params = (
        string("text"),
        string("old", deprecated=True),
        enum("prop", "a", "b", multi=True, default="a", deprecated_values=["b"]),
        integer("number", maximum=10),
        limit(),
        boolean("fail"),
        boolean("failtwice"),
        boolean("fill"),
    )

    def cache_mode(self) -> CacheMode:
        return CacheMode.PUBLIC

    def execute(self) -> None:
        if self.p["failtwice"]:
            raise ApiErrors([self._error("one"), self._error("two")])
        if self.p["fail"]:
            raise ApiError("show", "apierror-show", Plain("<b>"), data={"hint": "x"})
        if self.p["fill"]:
            self.result.append(("probe",), "x" * (self.result.limit + 1))
        self.result.set(("probe",), "text", self.p["text"])

    def _error(self, code: str) -> ApiError:
        return ApiError(code, "apierror-show")


class PostedProbe(Probe):
    """Refuses GET."""

    name = "postedprobe"
    must_be_posted = True


class WritingProbe(Probe):
    """Says that it writes."""

    name = "writingprobe"
    is_write = True
    needs_token = ""


class OpenProbe(Probe):
    """Takes no right to read."""

    name = "openprobe"
    needs_read = False


class ProbePlugin:
    """Registers the probes, with texts of messages that tests know.

    Remembers which module was executed.
    """

    def __init__(self) -> None:
        self.executed: list[tuple[str, Any]] = []

    @hookimpl
    def register_actions(self) -> Iterable[type[Action]]:
        return [Probe, PostedProbe, WritingProbe, OpenProbe]

    @hookimpl
    def register_messages(self) -> Iterable[Path]:
        return [FIXTURES / "api" / "messages"]

    @hookimpl
    def on_module_executed(self, module: Any, result: Mapping[str, object]) -> None:
        self.executed.append((module.name, result.get("probe")))
