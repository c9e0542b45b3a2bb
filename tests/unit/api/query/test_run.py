"""Modules, generators and continuation working together, with modules made for the purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.api.context import CacheMode
from wikiapi.api.params.declaration import Param, continuation, limit
from wikiapi.api.params.types import DeferredLimitType
from wikiapi.api.query.module import ListModule, MetaModule, PropModule, QueryModule
from wikiapi.api.query.pageset import GeneratedPages
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import ask, make_site

LETTERS = [f"Letter {letter}" for letter in "ABCDEFG"]


class Letters(ListModule):
    """The letters, in order."""

    name = "letters"
    prefix = "lt"
    element = "letter"
    params = (limit(default=2), continuation())

    def execute(self) -> None:
        rows = self._rows()
        self.emit([{"title": text} for text in rows], rows, LETTERS.index)

    def generate(self, pages: GeneratedPages) -> None:
        for text in self.within_limit(self._rows(), LETTERS.index):
            title = self.site.titles.parse(text)
            pages.titles.append(title)
            pages.data[title.key] = {"index": LETTERS.index(text)}

    def _rows(self) -> list[str]:
        parts = self.continue_parts(1)
        start = self.continue_int(parts[0]) if parts else 0
        return LETTERS[max(start, 0) :]


class Stroke(NamedTuple):
    page_id: int
    number: int


def continue_value(stroke: Stroke) -> str:
    return f"{stroke.page_id}|{stroke.number}"


class Strokes(PropModule):
    """Three strokes of each page."""

    name = "strokes"
    prefix = "st"
    element = "stroke"
    params = (limit(default=10), continuation())
    strokes = 3

    def execute(self) -> None:
        strokes = self.strokes_left()
        items = [(page_id, {"n": number}) for page_id, number in strokes]
        self.emit(items, strokes, continue_value)

    def strokes_left(self) -> list[Stroke]:
        parts = self.continue_parts(2)
        start = tuple(map(self.continue_int, parts)) if parts else (0, 0)
        page_ids = sorted(page_id for page_id, _ in self.page_set.good_and_missing())
        strokes = [Stroke(page_id, n) for page_id in page_ids for n in range(self.strokes)]
        return [stroke for stroke in strokes if stroke >= start or not parts]


class Dots(Strokes):
    """Two dots of each page."""

    name = "dots"
    prefix = "dt"
    strokes = 2


class Lengths(PropModule):
    """The length of each title."""

    name = "lengths"
    prefix = "ln"
    params = (limit(default=10), continuation())

    def execute(self) -> None:
        parts = self.continue_parts(1)
        start = self.continue_int(parts[0]) if parts else 0
        pages = [(number, title) for number, title in self.page_set.good_and_missing()]
        rows = [(number, len(title.text)) for number, title in pages if number >= start]
        self.emit_values(rows, rows, itemgetter(0))


class Weather(MetaModule):
    """The weather, for nobody to keep."""

    name = "weather"
    prefix = "we"

    def execute(self) -> None:
        self.result.set(("query",), "weather", "fine")

    def cache_mode(self) -> CacheMode:
        return CacheMode.PRIVATE


class Plugin:
    @hookimpl
    def register_query_modules(self) -> Iterable[type[QueryModule]]:
        return [Letters, Deferred, Strokes, Dots, Lengths, Weather]


@pytest.fixture(scope="module")
def wiki(make_module_site: Callable[..., Site]) -> Site:
    return make_module_site(dict.fromkeys(LETTERS, "x"), plugins=[Plugin()])


def walk(site: Site, params: dict[str, str]) -> list[Any]:
    """Return all answers of a request and those that continue it."""
    answers, more = [], dict[str, str]()
    for _ in range(200):
        data = ask(site, {"action": "query"} | params | more).data
        assert "error" not in data
        assert "warnings" not in data
        answers.append(data)
        if "continue" not in data:
            return answers
        more = {name: str(value) for name, value in data["continue"].items()}
    raise AssertionError("the walk has no end")


def items(answers: list[Any], name: str) -> list[tuple[str, int]]:
    return [
        (page["title"], item["n"])
        for data in answers
        for page in data.get("query", {}).get("pages", [])
        for item in page.get(name, [])
    ]


def test_module_is_executed(wiki: Site) -> None:
    data = ask(wiki, {"action": "query", "list": "letters", "ltlimit": "max"}).data
    assert [item["title"] for item in data["query"]["letters"]] == LETTERS
    assert data["limits"] == {"letters": 500}


def test_items_are_elements_of_their_module(wiki: Site) -> None:
    params = {"action": "query", "list": "letters", "titles": LETTERS[0], "prop": "strokes"}
    result = ask(wiki, params).context.result
    assert result.get(("query", "letters")).element == "letter"
    assert result.get(("query", "pages", 1, "strokes")).element == "stroke"


class Deferred(Letters):
    """The letters, with a limit that the module decides on."""

    name = "deferred"
    prefix = "de"
    params = (Param(name="limit", type=DeferredLimitType(), default=2), continuation())

    def execute(self) -> None:
        """List nothing, and so never look at the limit."""


def test_highest_limit_is_reported_by_modules_that_do_not_look_at_it(wiki: Site) -> None:
    data = ask(wiki, {"action": "query", "list": "deferred", "delimit": "max"}).data
    assert data["limits"] == {"deferred": 500}


def test_steps_of_a_list(wiki: Site) -> None:
    answers = walk(wiki, {"list": "letters"})
    assert [item["title"] for data in answers for item in data["query"]["letters"]] == LETTERS
    assert len(answers) == 4
    assert answers[0]["continue"] == {"ltcontinue": 2, "continue": "-||"}


def test_data_of_a_generator(wiki: Site) -> None:
    answer = ask(wiki, {"action": "query", "generator": "letters", "gltlimit": "1"})
    (page,) = answer.data["query"]["pages"]
    assert page == {"pageid": 1, "ns": 0, "title": "Letter A", "index": 0}
    assert answer.data["continue"] == {"gltcontinue": 1, "continue": "gltcontinue||"}


@pytest.mark.parametrize(("number", "more"), [(6, True), (7, False), (8, False)])
def test_a_generator_that_finds_as_many_as_it_may(wiki: Site, number: int, more: bool) -> None:
    params = {"action": "query", "generator": "letters", "gltlimit": str(number)}
    data = ask(wiki, params).data
    assert len(data["query"]["pages"]) == min(number, len(LETTERS))
    assert ("continue" in data) is more


def test_batches_of_a_generator(wiki: Site) -> None:
    answers = walk(wiki, {"generator": "letters", "prop": "strokes", "stlimit": "4"})
    assert sorted(items(answers, "strokes")) == [(x, n) for x in LETTERS for n in range(3)]
    complete = [data.get("batchcomplete", False) for data in answers]
    assert complete == [False, True, False, True, False, True, True]


def test_continuation_of_a_generator_and_its_props(wiki: Site) -> None:
    params = {"generator": "letters", "prop": "strokes|dots", "stlimit": "4"}
    answers = walk(wiki, params)
    steps = [data.get("continue", {}) for data in answers[:3]]
    assert steps == [
        {"stcontinue": "2|1", "continue": "||dots"},
        {"gltcontinue": 2, "continue": "gltcontinue||"},
        {"gltcontinue": "2", "stcontinue": "4|1", "continue": "gltcontinue||dots"},
    ]
    assert sorted(items(answers, "dots")) == [(x, n) for x in LETTERS for n in range(2)]


@given(
    ltlimit=st.integers(1, 8),
    stlimit=st.integers(1, 22),
    dtlimit=st.integers(1, 15),
    gltlimit=st.integers(1, 8),
)
def test_walk_lists_everything_once(
    wiki: Site, ltlimit: int, stlimit: int, dtlimit: int, gltlimit: int
) -> None:
    limits = {"ltlimit": ltlimit, "stlimit": stlimit, "dtlimit": dtlimit, "gltlimit": gltlimit}
    params = {"generator": "letters", "prop": "strokes|dots", "list": "letters", "meta": "weather"}
    answers = walk(wiki, params | {name: str(value) for name, value in limits.items()})
    assert sorted(items(answers, "strokes")) == [(x, n) for x in LETTERS for n in range(3)]
    assert sorted(items(answers, "dots")) == [(x, n) for x in LETTERS for n in range(2)]
    listed = [
        item["title"] for data in answers for item in data.get("query", {}).get("letters", [])
    ]
    assert listed == LETTERS
    assert sum("weather" in data.get("query", {}) for data in answers) == 1


@given(st.integers(1, 22), st.integers(1, 15))
def test_walk_without_generator(wiki: Site, stlimit: int, dtlimit: int) -> None:
    params = {"titles": "|".join(LETTERS), "prop": "strokes|dots"}
    answers = walk(wiki, params | {"stlimit": str(stlimit), "dtlimit": str(dtlimit)})
    assert sorted(items(answers, "strokes")) == [(x, n) for x in LETTERS for n in range(3)]
    assert sorted(items(answers, "dots")) == [(x, n) for x in LETTERS for n in range(2)]


def test_small_result_is_walked_through_all_the_same() -> None:
    config = {"http": {"result_size_limit": 120}}
    site = make_site(dict.fromkeys(LETTERS, "x"), plugins=[Plugin()], config=config)
    titles, more = [], dict[str, str]()
    for _ in range(20):
        data = ask(site, {"action": "query", "list": "letters", "ltlimit": "max"} | more).data
        titles += [item["title"] for item in data["query"]["letters"]]
        if "continue" not in data:
            break
        more = {name: str(value) for name, value in data["continue"].items()}
    site.db.close()
    assert titles == LETTERS


def test_small_result_is_walked_through_page_by_page() -> None:
    config = {"http": {"result_size_limit": 3}}
    site = make_site(dict.fromkeys(LETTERS, "x"), plugins=[Plugin()], config=config)
    dots, more = [], dict[str, str]()
    for _ in range(20):
        params = {"action": "query", "titles": "|".join(LETTERS), "prop": "dots", "dtlimit": "max"}
        data = ask(site, params | more).data
        dots += items([data], "dots")
        if "continue" not in data:
            break
        more = {name: str(value) for name, value in data["continue"].items()}
    site.db.close()
    assert sorted(dots) == [(x, n) for x in LETTERS for n in range(2)]


def test_values_of_pages(wiki: Site) -> None:
    params = {"titles": "|".join(LETTERS), "prop": "lengths", "lnlimit": "3"}
    answers = walk(wiki, params)
    assert [data.get("continue", {}).get("lncontinue") for data in answers] == [4, 7, None]
    lengths = [
        (page["title"], page["lengths"])
        for data in answers
        for page in data["query"]["pages"]
        if "lengths" in page
    ]
    assert lengths == [(title, 8) for title in LETTERS]


def test_values_of_pages_stop_where_the_result_is_full(make_site: Any) -> None:
    config = {"http": {"result_size_limit": 3}}
    site = make_site(dict.fromkeys(LETTERS, "x"), plugins=[Plugin()], config=config)
    params = {"action": "query", "titles": "|".join(LETTERS), "prop": "lengths", "lnlimit": "max"}
    data = ask(site, params).data
    assert data["continue"] == {"lncontinue": 4, "continue": "||"}
    lengths = [page.get("lengths") for page in data["query"]["pages"]]
    assert lengths == [8, 8, 8, None, None, None, None]


@pytest.mark.parametrize(
    "value",
    ["", "x", "1|2", "|", "x' OR 1=1--", "1" + "0" * 18, "1_0", "٥", "1\n", " 1", "+1",
     "01", "1.0", "--1", "\x00"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("params", "name"),
    [({"list": "letters"}, "ltcontinue"), ({"generator": "letters"}, "gltcontinue")],
)
def test_hostile_position(wiki: Site, params: dict[str, str], name: str, value: str) -> None:
    assert ask(wiki, {"action": "query", name: value} | params).codes == "badcontinue"


@pytest.mark.parametrize(
    ("value", "first"), [("-1", "Letter A"), ("0", "Letter A"), ("2", "Letter C"), ("9" * 18, None)]
)
def test_position(wiki: Site, value: str, first: str | None) -> None:
    answer = ask(wiki, {"action": "query", "list": "letters", "ltcontinue": value})
    titles = [item["title"] for item in answer.data["query"]["letters"]]
    assert titles[:1] == ([first] if first else [])


def test_raw_continuation(wiki: Site) -> None:
    params = {"action": "query", "generator": "letters", "prop": "strokes", "stlimit": "1"}
    data = ask(wiki, params | {"rawcontinue": ""}).data
    assert data["query-continue"] == {
        "strokes": {"stcontinue": "1|1"},
        "letters": {"gltcontinue": 2},
    }
    assert "batchcomplete" not in data
    assert "continue" not in data


def test_finished_module_is_not_run_again(wiki: Site) -> None:
    params = {"action": "query", "list": "letters", "meta": "weather", "continue": "||weather"}
    assert "weather" not in ask(wiki, params).data["query"]


def test_parameters_of_a_finished_generator_are_known(wiki: Site) -> None:
    params = {"action": "query", "generator": "letters", "gltlimit": "2", "list": "letters"}
    answer = ask(wiki, params | {"continue": "-||", "ltcontinue": "5"})
    assert answer.warned == []
    assert "pages" not in answer.data["query"]


def test_parameters_of_a_finished_module_are_known(wiki: Site) -> None:
    params = {"action": "query", "meta": "weather", "list": "letters", "ltlimit": "2"}
    assert ask(wiki, params | {"continue": "||letters"}).warned == []


def test_parameters_are_read_module_by_module(wiki: Site) -> None:
    params = {"action": "query", "list": "letters", "ltcontinue": "x", "generator": "letters"}
    refused = ask(wiki, params | {"prop": "strokes", "stlimit": "0"})
    assert refused.codes == "badcontinue"
    assert refused.warned == ["paramvalidator-outofrange-minmax"]
    refused = ask(wiki, params | {"prop": "strokes", "stlimit": "0", "gltcontinue": "x"})
    assert refused.codes == "badcontinue"
    assert refused.warned == []


def test_strictest_cache_mode_wins(wiki: Site) -> None:
    public = ask(wiki, {"action": "query", "list": "letters", "uselang": "en"})
    assert public.context.cache.mode == CacheMode.PUBLIC
    params = {"action": "query", "list": "letters", "meta": "weather", "uselang": "en"}
    assert ask(wiki, params).context.cache.mode == CacheMode.PRIVATE


@pytest.mark.parametrize("name", ["strokes", "nothing", ""])
def test_what_is_no_generator(wiki: Site, name: str) -> None:
    assert ask(wiki, {"action": "query", "generator": name}).codes == "badgenerator"


class Narrowing:
    """Changes the query of one module, and leaves those of the others alone."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.askers: list[tuple[str, str]] = []

    @hookimpl
    def transform_query(self, module: QueryModule, query: Any, context: Any) -> Any:
        self.askers.append((module.name, context.user.name))
        return query.limit(self.limit) if module.name == "allpages" else None


def test_plugins_change_the_queries_of_modules(make_site: Any) -> None:
    plugin = Narrowing(2)
    site = make_site(dict.fromkeys(LETTERS, "x"), plugins=[plugin])
    query = ask(site, {"action": "query", "list": "allpages|alllinks|recentchanges"}).data["query"]
    assert [page["title"] for page in query["allpages"]] == ["Letter A", "Letter B"]
    assert len(query["recentchanges"]) == len(LETTERS)
    assert {name for name, _ in plugin.askers} == {"allpages", "alllinks", "recentchanges"}
    assert {user for _, user in plugin.askers} == {"127.0.0.1"}


class Base(ListModule):
    """Generates pages for modules that say what they list."""

    def generate(self, pages: GeneratedPages) -> None:
        """Generate no pages."""


def test_which_modules_can_be_generators() -> None:
    assert Letters.can_generate()
    assert not Strokes.can_generate()
    assert not Base.can_generate()


def test_paths_and_places() -> None:
    assert Letters.path() == "query+letters"
    assert Letters.place() == "action=query&list=letters&"
    assert Strokes.place() == "action=query&prop=strokes&"


def test_redirects_of_generated_pages(make_site: Any) -> None:
    pages = {"Letter A": "#REDIRECT [[Target]]", "Target": "t"}
    site = make_site(pages, plugins=[Plugin()])
    params = {"action": "query", "generator": "letters", "gltlimit": "1", "redirects": ""}
    query = ask(site, params).data["query"]
    assert query["redirects"] == [{"from": "Letter A", "to": "Target"}]
    assert [page["title"] for page in query["pages"]] == ["Target"]


def test_targets_of_generated_redirects_have_the_first_of_their_places(make_site: Any) -> None:
    pages = {
        "Letter A": "#REDIRECT [[Letter B]]",
        "Letter B": "#REDIRECT [[Target]]",
        "Letter C": "#REDIRECT [[Target]]",
        "Letter D": "#REDIRECT [[Letter E]]",
        "Letter E": "#REDIRECT [[Letter D]]",
        "Letter F": "f",
        "Letter G": "#REDIRECT [[Letter F]]",
        "Target": "t",
    }
    site = make_site(pages, plugins=[Plugin()])
    params = {"action": "query", "generator": "letters", "gltlimit": "max", "redirects": ""}
    answer = ask(site, params).data["query"]
    assert {page["title"]: page.get("index") for page in answer["pages"]} == {
        "Target": 0,
        "Letter F": 5,
    }


def test_titles_of_a_generator_are_redirected_first(make_site: Any) -> None:
    pages = {"Old": "#REDIRECT [[New]]", "New": "n", "Other": "#REDIRECT [[New]]"}
    site = make_site(pages)
    params = {"action": "query", "titles": "Old", "generator": "redirects", "redirects": ""}
    query = ask(site, params).data["query"]
    assert [page["title"] for page in query["pages"]] == ["New"]
