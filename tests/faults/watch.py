"""A clock for deadlines, and a wiki on which wikitext and modules make it go on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wikiapi.api.query.module import ListModule
from wikiapi.budget import Budgets
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.declarations import FunctionCall, ParserFunction


class Watch:
    """Stands until it is moved; what has been done is noted."""

    def __init__(self) -> None:
        self.now = 100.0
        self.stands = False
        self.done: list[str] = []

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: float, name: str) -> None:
        self.done.append(name)
        if not self.stands:
            self.now += seconds


class SlowPlugin:
    """``{{#work:seconds|name}}``, and ``list=slow``, which takes ten seconds for each item."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    @hookimpl
    def register_parser_functions(self) -> Iterable[ParserFunction]:
        return [ParserFunction("#work", self._work)]

    @hookimpl
    def register_query_modules(self) -> Iterable[type[ListModule]]:
        watch = self._watch

        class Slow(ListModule):
            """List slowly."""

            name = "slow"
            prefix = "slw"

            def execute(self) -> None:
                for number in range(10):
                    watch.work(10, str(number))
                    self.result.append(("query", self.name), number)

        return [Slow]

    def _work(self, call: FunctionCall) -> str:
        self._watch.work(float(call.first), call.arg(1))
        return call.arg(1)


def slow_site(pages: Any, watch: Watch, **options: Any) -> Site:
    """Return a wiki whose requests are measured by a watch."""
    site = make_site(pages, plugins=[SlowPlugin(watch)], **options)
    site.budgets = Budgets(watch)
    watch.done.clear()  # a declared page is rendered to find its links
    return site
