"""The conformance suite finds the mistakes that it is for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.api import ListModule, PropModule, continuation, limit
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.store.models import Page
from wikiapi.testing.conformance import CHECKS, modules_of, query_modules_with

PAGES = {"A": "one", "B": "two", "C": "three", "Main Page": "four"}


class Letters(PropModule):
    """List the letters of the titles."""

    name, prefix, element = "letters", "lt", "l"
    params = (limit(), continuation())
    examples = (("action=query&prop=letters&titles=Main Page", "The letters of a title"),)

    def execute(self) -> None:
        start = tuple(map(self.continue_int, self.continue_parts(2) or ("0", "0")))
        rows = [
            (page_id, number, letter)
            for page_id, title in sorted(self.page_set.existing())
            for number, letter in enumerate(title.text)
            if (page_id, number) >= start
        ]
        self.emit(((row[0], row[2]) for row in rows), rows, self.position)

    def position(self, row: tuple[int, int, str]) -> str:
        return f"{row[0]}|{row[1]}"


class WithoutDocstring(PropModule):
    name, prefix = "undocumented", "ud"
    examples = (("action=query&prop=undocumented&titles=A", "Nothing"),)

    def execute(self) -> None:
        pass


class QueryForEachPage(Letters):
    """Ask for each page apart; with a single page in the example nobody sees it."""

    def execute(self) -> None:
        for page_id in self.page_set.good:
            self.db.execute(Page.select(Page.page_title).where(Page.page_id == page_id))
        super().execute()


class ValueForEachPage(PropModule):
    """Ask for each page apart, and answer a single value."""

    name, prefix = "letters", "lt"
    examples = (("action=query&prop=letters&titles=A", "The length of a title"),)

    def execute(self) -> None:
        for page_id in sorted(self.page_set.good):
            self.db.execute(Page.select(Page.page_len).where(Page.page_id == page_id))


class SkipsPages(Letters):
    """Continue with the next page, as if each page had one letter."""

    def position(self, row: tuple[int, int, str]) -> str:
        return f"{row[0] + 1}|0"


class StaysWhereItIs(Letters):
    """Continue with the first letter again."""

    def position(self, row: tuple[int, int, str]) -> str:
        return f"{row[0]}|0"


class RefusesItsOwn(Letters):
    """Continue with a position that it cannot read."""

    def position(self, row: tuple[int, int, str]) -> str:
        return f"{row[0]}"


class ForgetsWhatIsTooLarge(Letters):
    """Continue after the limit, but not after what an answer has no room for."""

    def position(self, row: tuple[int, int, str]) -> str:
        return f"{row[0]}|{row[1]}" if self.p.number("limit") == 1 else f"{row[0] + 1}|0"


class ReadsAnyNumber(Letters):
    """Take what is no number for the beginning."""

    def continue_int(self, text: str) -> int:
        return int(text[:9]) if text.isdecimal() else 0


class NeverContinues(ListModule):
    """List the pages up to the limit, and forget the others."""

    name, prefix, element = "letters", "lt", "l"
    params = (limit(), continuation())
    examples = (("action=query&list=letters", "Pages"),)

    def execute(self) -> None:
        query = Page.select(Page.page_id, Page.page_title).order_by(Page.page_id)
        rows = self.rows(query.limit(self.p.number("limit")))
        self.emit(({"title": row[1]} for row in rows), rows, lambda row: row[0])


@pytest.fixture
def site(request: pytest.FixtureRequest, make_site: Callable[..., Site]) -> Site:
    class Plugin:
        @hookimpl
        def register_query_modules(self) -> list[type]:
            return [request.param]

    return make_site(PAGES, plugins=[Plugin()])


@pytest.mark.parametrize("site", [Letters], indirect=True)
def test_requests_besides_the_examples(site: Site) -> None:
    (module,) = query_modules_with(site, ["prop=letters&titles=A|B&ltlimit=2"])
    assert module.name == "letters"
    assert module.examples[0][0] == "action=query&prop=letters&titles=A|B&ltlimit=2"
    assert not [problem for check in CHECKS[2:] for problem in check(site, [module])]


def problems(site: Site) -> list[str]:
    names = ("letters", "undocumented")
    modules = [module for module in modules_of(site) if module.name in names]
    assert len(modules) == 1
    return [problem for check in CHECKS for problem in check(site, modules)]


@pytest.mark.parametrize("site", [Letters], indirect=True)
def test_right_module_has_no_problem(site: Site) -> None:
    assert problems(site) == []


@pytest.mark.parametrize(
    ("site", "text"),
    [
        (WithoutDocstring, "undocumented: no docstring"),
        (QueryForEachPage, "runs 4 times, by"),
        (ValueForEachPage, "runs 4 times, by"),
        (SkipsPages, "of 12 items"),
        (StaysWhereItIs, "stays at"),
        (RefusesItsOwn, "with badcontinue"),
        (ForgetsWhatIsTooLarge, "bytes gives other items"),
        (ReadsAnyNumber, "accepts '4|1_0' for '4|1'"),
        (NeverContinues, "gives 1 of 4 items"),
    ],
    indirect=["site"],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_mistake_is_found(site: Site, text: str) -> None:
    messages = problems(site)
    assert [problem for problem in messages if text in problem], messages
