"""Histories that are imported, merged, moved, deleted and restored in random order."""

from __future__ import annotations

import random
from typing import Any
from xml.sax.saxutils import escape

import pytest

from tests.plugins.editing.consistency import problems
from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.api import ApiRequest, UploadedFile, tokens
from wikiapi.store import sha1_base36
from wikiapi.testing import ask
from wikiapi_plugins.editing.pageactions import mergehistory

_HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">'
TITLES = (
    "A",
    "B",
    "C",
    "Talk:A",
    "Talk:B",
    "User:A",
    "Template:T",
    "Category:K",
    "MediaWiki:A.css",
)
FREE = (*TITLES, "D", "E", "User:D", "Category:D")
"""Titles for moves, some of which nothing else uses."""
TEXTS = (
    "plain",
    "a [[B]] and [[C]] in [[Category:K]]",
    "#REDIRECT [[B]]",
    "#REDIRECT [[Talk:A]]",
    "{{T}} {{Template:A}} [[File:None.png]]",
    "<includeonly>[[Category:L]]</includeonly>[https://example.org/ x] {{#ifexist:A|1}}",
    "",
    "== Head ==\n[[Category:L|key]] [[User:A]] {{DEFAULTSORT:z}}",
)
MOMENTS = tuple(f"2019-03-0{day}T05:06:07Z" for day in range(1, 6))


def page_xml(title: str, revisions: list[tuple[str, str]], ns: int = 0) -> str:
    rows = "".join(
        f"<revision><id>{number}</id><timestamp>{moment}</timestamp><contributor>"
        f"<username>Ada</username><id>77</id></contributor><comment>old</comment>"
        f"<model>wikitext</model><format>text/x-wiki</format><text>{escape(text)}</text>"
        f"<sha1>{sha1_base36(text.encode())}</sha1></revision>"
        for number, (moment, text) in enumerate(revisions, 1)
    )
    return f"<page><title>{title}</title><ns>{ns}</ns><id>5</id>{rows}</page>"


def upload(wiki: Actors, xml: str, **params: Any) -> Any:
    wiki.clock.advance(1)
    fields = {"action": "import", "token": tokens.SUFFIX, "interwikiprefix": "o"} | params
    files = {"xml": UploadedFile("dump.xml", f"{_HEAD}{xml}</mediawiki>".encode())}
    request = ApiRequest("POST", params=fields, files=files)
    return ask(wiki.site, fields, user=wiki.users["Admin"], request=request)


def parents(wiki: Actors, title: str) -> list[tuple[int, int]]:
    page = wiki.query(titles=title, prop="revisions", rvprop="ids|timestamp", rvlimit=50)["pages"][
        0
    ]
    return [(one["revid"], one["parentid"]) for one in page["revisions"]]


def moments(wiki: Actors, title: str) -> list[str]:
    page = wiki.query(titles=title, prop="revisions", rvprop="ids|timestamp", rvlimit=50)["pages"][
        0
    ]
    return [one["timestamp"] for one in page.get("revisions", ())]


class RandomWriter:
    """Performs random actions on few pages, so that they meet."""

    def __init__(self, wiki: Actors, seed: int) -> None:
        self.wiki, self.draw = wiki, random.Random(seed)
        self.accepted: dict[str, int] = {}

    def act(self) -> str:
        """Perform an action, and return what it was and its error."""
        kind = self.draw.choice(("edit", "edit", "edit", "move", "delete", "undelete", "import",
                                 "import", "merge", "merge", "protect", "model"))  # fmt: skip
        answer, params = getattr(self, f"_{kind}")()
        if not answer.codes:
            self.accepted[kind] = self.accepted.get(kind, 0) + 1
        return f"{kind} {params} -> {answer.codes or 'done'}"

    def _title(self) -> str:
        return self.draw.choice(TITLES)

    def _do(self, action: str, **params: Any) -> tuple[Any, Any]:
        return self.wiki.act("Admin", action, **params), params

    def _edit(self) -> tuple[Any, Any]:
        return self._do("edit", title=self._title(), text=self.draw.choice(TEXTS))

    def _move(self) -> tuple[Any, Any]:
        more = {name: 1 for name in ("noredirect", "movetalk") if self.draw.random() < 0.5}
        return self._do("move", from_=self._title(), to=self.draw.choice(FREE), **more)

    def _delete(self) -> tuple[Any, Any]:
        return self._do("delete", title=self._title())

    def _undelete(self) -> tuple[Any, Any]:
        more = {}
        if self.draw.random() < 0.5:
            more["timestamps"] = "|".join(self.draw.sample(MOMENTS, 2))
        return self._do("undelete", title=self._title(), **more)

    def _protect(self) -> tuple[Any, Any]:
        return self._do("protect", title=self._title(), protections="move=sysop")

    def _model(self) -> tuple[Any, Any]:
        model = self.draw.choice(("wikitext", "text", "css"))
        return self._do("changecontentmodel", title=self._title(), model=model)

    def _import(self) -> tuple[Any, Any]:
        draw = self.draw
        titles = draw.sample(TITLES, draw.choice((1, 1, 2)))
        pages = {
            title: [(draw.choice(MOMENTS), draw.choice(TEXTS)) for _ in range(draw.randint(1, 3))]
            for title in titles
        }
        more: dict[str, Any] = {}
        if draw.random() < 0.4:
            more["namespace"] = str(draw.choice((0, 1, 2)))
        xml = "".join(page_xml(title, revisions) for title, revisions in pages.items())
        return upload(self.wiki, xml, **more), (pages, more)

    def _merge(self) -> tuple[Any, Any]:
        old, new = self._title(), self._title()
        there = moments(self.wiki, old)
        more = {}
        if there and self.draw.random() < 0.6:
            more["timestamp"] = self.draw.choice(there)
        if there and self.draw.random() < 0.4:
            more["starttimestamp"] = self.draw.choice(there)
        return self._do("mergehistory", from_=old, to=new, **more)


@pytest.mark.parametrize("seed", range(6))
def test_pages_agree_with_their_revisions(seed: int) -> None:
    wiki = Actors({"A": "first", "Talk:A": "talk [[A]]", "Template:T": "[[Category:K]]"})
    writer = RandomWriter(wiki, seed)
    trace: list[str] = []
    for _ in range(60):
        trace.append(writer.act())
        assert problems(wiki.site) == [], "\n".join(trace)
    assert writer.accepted.keys() >= {"edit", "import", "move", "delete", "merge"}, writer.accepted


pytestmark = pytest.mark.wiki({"A": "first"})


def save_texts(wiki: Actors, title: str, *texts: str) -> list[int]:
    """Save texts as revisions of a page, and return their ids."""
    return [
        wiki.act("Ada", "edit", title=title, text=text).data["edit"]["newrevid"] for text in texts
    ]


def histories(wiki: Actors, *titles: str) -> dict[str, list[int]]:
    """Return the ids of the revisions of pages, the oldest first."""
    return {title: [number for number, _ in parents(wiki, title)][::-1] for title in titles}


class TestMerging:
    """Which revisions of a page can be moved to another one."""

    def test_those_before_a_moment(self, wiki: Actors) -> None:
        one, two, three = save_texts(wiki, "Old", "1", "2", "3")
        four = save_texts(wiki, "New", "4")[0]
        moment = moments(wiki, "Old")[1]
        answer = wiki.act("Admin", "mergehistory", from_="Old", to="New", timestamp=moment)
        assert not answer.codes
        assert histories(wiki, "Old", "New") == {"Old": [three], "New": [one, two, four]}
        assert parents(wiki, "Old") == [(three, two)]
        assert parents(wiki, "New") == [(four, 0), (two, one), (one, 0)]
        assert problems(wiki.site) == []

    def test_those_of_a_period_between_those_of_the_target(self, wiki: Actors) -> None:
        first = save_texts(wiki, "Old", "1")
        oldest = save_texts(wiki, "New", "2")
        middle = save_texts(wiki, "Old", "3", "4")
        newest = save_texts(wiki, "New", "5")
        last = save_texts(wiki, "Old", "6")
        _, end, start, _ = moments(wiki, "Old")
        answer = wiki.act(
            "Admin", "mergehistory", from_="Old", to="New", starttimestamp=start, timestamp=end
        )
        assert not answer.codes
        new = [*oldest, *middle, *newest]
        assert histories(wiki, "Old", "New") == {"Old": [*first, *last], "New": new}
        assert wiki.text("New") == "5"
        assert problems(wiki.site) == []

    @pytest.mark.parametrize(
        ("period", "code"),
        [
            ((0, 1), "mergehistory-fail-timestamps-overlap"),
            ((2, 2), "mergehistory-fail-change-current-revision"),
            ((1, 0), "mergehistory-fail-start-after-end"),
        ],
    )
    def test_the_latest_revision_stays(
        self, wiki: Actors, period: tuple[int, int], code: str
    ) -> None:
        save_texts(wiki, "Old", "1")
        save_texts(wiki, "New", "2")
        save_texts(wiki, "Old", "3", "4")
        before = histories(wiki, "Old", "New")
        start, end = (moments(wiki, "Old")[::-1][number] for number in period)
        answer = wiki.act(
            "Admin", "mergehistory", from_="Old", to="New", starttimestamp=start, timestamp=end
        )
        assert code in answer.codes
        assert histories(wiki, "Old", "New") == before

    def test_a_later_moment_stands_for_the_last_revision_before_it(self, wiki: Actors) -> None:
        one = save_texts(wiki, "Old", "1")
        two = save_texts(wiki, "New", "2")
        now = moments(wiki, "New")[0]
        assert not wiki.act("Admin", "mergehistory", from_="Old", to="New", timestamp=now).codes
        assert histories(wiki, "New") == {"New": [*one, *two]}

    def test_revisions_of_the_same_second_are_ordered_by_their_ids(self, wiki: Actors) -> None:
        moment = MOMENTS[0]
        upload(wiki, page_xml("Old", [(moment, "1")]) + page_xml("New", [(moment, "2")]))
        old, new = histories(wiki, "Old", "New").values()
        wiki.site.db.execute_sql(
            "UPDATE page SET page_latest = ?, page_len = 1 WHERE page_title = 'Old'", (old[0],)
        )
        wiki.site.db.execute_sql("DELETE FROM revision WHERE rev_id = ?", (old[1],))
        answer = wiki.act("Admin", "mergehistory", from_="Old", to="New")
        assert not answer.codes
        assert histories(wiki, "New")["New"] == [old[0], *new]

    def test_watchers_of_the_source_watch_the_target(self, wiki: Actors) -> None:
        save_texts(wiki, "Old", "1")
        save_texts(wiki, "New", "2")
        wiki.act("Bob", "watch", titles="Old")
        wiki.act("Admin", "mergehistory", from_="Old", to="New")
        pages = wiki.query("Bob", titles="New", prop="info", inprop="watched")["pages"]
        assert pages[0]["watched"] is True

    def test_too_many_are_refused(self, wiki: Actors, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(mergehistory, "_MOST", 1)
        save_texts(wiki, "Old", "1", "2")
        save_texts(wiki, "New", "3")
        answer = wiki.act("Admin", "mergehistory", from_="Old", to="New")
        assert answer.codes == "mergehistory-fail-toobig"
        assert len(histories(wiki, "Old")["Old"]) == 2

    def test_the_redirect_follows_the_last_revision_and_is_no_edit_of_its_author(
        self, wiki: Actors
    ) -> None:
        one = save_texts(wiki, "Old", "1")
        save_texts(wiki, "New", "2")
        before = wiki.query(list="users", ususers="Admin", usprop="editcount")["users"][0]
        wiki.act("Admin", "mergehistory", from_="Old", to="New")
        assert [parent for _, parent in parents(wiki, "Old")] == one
        assert wiki.query(list="users", ususers="Admin", usprop="editcount")["users"][0] == before

    def test_a_redirect_to_another_page_changes_its_target(self, wiki: Actors) -> None:
        save_texts(wiki, "Old", "#REDIRECT [[Elsewhere]]")
        save_texts(wiki, "New", "2")
        wiki.act("Admin", "mergehistory", from_="Old", to="New")
        (page,) = wiki.query(titles="Old", prop="revisions", rvprop="tags")["pages"]
        assert page["revisions"][0]["tags"] == ["mw-changed-redirect-target"]

    def test_a_page_without_redirects_is_deleted(self, wiki: Actors) -> None:
        wiki.act("Admin", "edit", title="MediaWiki:Old", text="1")
        save_texts(wiki, "New", "2")
        wiki.act("Admin", "mergehistory", from_="MediaWiki:Old", to="New")
        assert wiki.text("MediaWiki:Old") is None
        assert problems(wiki.site) == []


class TestImporting:
    """The place of imported revisions in the history of a page."""

    def test_parents_are_the_revisions_before_them(self, wiki: Actors) -> None:
        upload(wiki, page_xml("P", [(MOMENTS[0], "a"), (MOMENTS[2], "c"), (MOMENTS[4], "e")]))
        a, c, _, noted = histories(wiki, "P")["P"]
        upload(wiki, page_xml("P", [(MOMENTS[1], "b"), (MOMENTS[2], "c"), (MOMENTS[3], "d")]))
        rows = dict(parents(wiki, "P"))
        b, d, last = sorted(rows)[-3:]
        assert (rows[b], rows[d], rows[last]) == (a, c, noted)
        assert wiki.text("P") == "e"
        assert problems(wiki.site) == []

    def test_a_revision_occurs_once(self, wiki: Actors) -> None:
        twice = page_xml("P", [(MOMENTS[0], "a"), (MOMENTS[0], "a"), (MOMENTS[0], "b")])
        assert upload(wiki, twice).data["import"][0]["revisions"] == 2
        assert wiki.text("P") == "b"
        assert problems(wiki.site) == []

    def test_two_pages_never_become_one(self, wiki: Actors) -> None:
        both = page_xml("P", [(MOMENTS[0], "page")]) + page_xml(
            "Talk:P", [(MOMENTS[1], "talk")], ns=1
        )
        answer = upload(wiki, both, namespace="2")
        assert answer.codes == "import-unknownerror"
        assert "'Talk:P'" in str(answer.data)
        assert wiki.text("User:P") is None
        assert problems(wiki.site) == []

    def test_a_title_is_read_in_its_new_namespace(self, wiki: Actors) -> None:
        one = page_xml("User:Talk:P", [(MOMENTS[0], "one")], ns=2)
        assert upload(wiki, one, namespace="0").data["import"][0]["title"] == "Talk:P"
        assert wiki.text("Talk:P") == "one"
        item = upload(wiki, page_xml("User:Special:P", [(MOMENTS[0], "x")], ns=2), namespace="0")
        assert item.data["import"] == []
