"""Every action that writes, in random order: derived rows are those of a fresh derivation."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.editing.consistency import problems
from tests.plugins.editing.files.uploadwiki import UploadWiki, png
from wikiapi.accounts.groups import rights_of

GROUPS = ("*", "user", "autoconfirmed", "sysop", "bureaucrat", "suppress", "interface-admin")
PAGES = (
    "A", "B", "B/sub", "Talk:A", "User:Ada", "User talk:Ada", "Template:T", "Template:U",
    "Category:K", "Category:L", "File:P.png", "File:Q.png", "MediaWiki:Any",
    "MediaWiki:Common.css", "Project:X",
)  # fmt: skip
FILES = ("P.png", "Q.png")
TEXTS = (
    "plain",
    "",
    "[[A]] [[B]] [[B/sub]] {{T}} [[Category:K|key]]",
    "{{U|1}} [[File:P.png]] [[Media:Q.png]] [[File:Never.png|thumb|[[User:Ada]]]]",
    "#REDIRECT [[B]]",
    "#REDIRECT [[File:P.png]]",
    "#REDIRECT [[Category:L]]",
    "<includeonly>[[Category:L]] {{U}}</includeonly><noinclude>[[Talk:A]]</noinclude>",
    "{{#ifexist:A|[[X1]]|[[X2]]}} {{#ifexist:Media:Q.png|[[X3]]}} __NOINDEX__",
    "{{DISPLAYTITLE:a}} {{DEFAULTSORT:z}} https://example.org/a [[de:Haus]] __HIDDENCAT__",
    "== One ==\ntext\n== Two ==\n<gallery>P.png\nQ.png|[[B]]</gallery>",
    "{{PAGESINCATEGORY:K}} {{:A}}",
)
_HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">'
_REVISION = (
    "<revision><id>{id}</id><timestamp>2019-03-0{id}T00:00:00Z</timestamp><contributor>"
    "<username>Ada</username></contributor><comment>c</comment><model>wikitext</model>"
    "<format>text/x-wiki</format><text>[[A]] {id} [[File:Q.png]]</text></revision>"
)


class Acts:
    """A user with all rights, who does random things."""

    def __init__(self, wiki: UploadWiki, seed: int) -> None:
        self.wiki, self.draw = wiki, random.Random(seed)
        self.kinds: dict[str, Callable[[], dict[str, Any]]] = {
            name.removeprefix("_do_"): getattr(self, name)
            for name in dir(self)
            if name.startswith("_do_")
        }
        self.accepted: Counter[str] = Counter()

    def act(self) -> str:
        """Do something; return what it was, and the code of its error."""
        kind = self.draw.choice(["edit", "edit", "edit", *self.kinds])
        answer = self.kinds[kind]()
        code = answer.get("error", {}).get("code", "")
        self.accepted[kind] += not code
        return f"{kind}: {self._last} -> {code or 'done'}"

    def _page(self) -> str:
        return self.draw.choice(PAGES)

    def _post(self, action: str, files: Any = None, **params: Any) -> dict[str, Any]:
        self._last = params
        return self.wiki.post(action, files=files, **params)

    def _some_revision(self) -> dict[str, Any]:
        query = self.wiki.query(titles=self._page(), prop="revisions", rvprop="ids", rvlimit=9)
        revisions: list[dict[str, Any]] = query["pages"][0].get("revisions", [{"revid": 1}])
        return self.draw.choice(revisions)

    def _do_edit(self) -> dict[str, Any]:
        more: dict[str, Any] = self.draw.choice(
            ({}, {}, {"section": "1"}, {"bot": "1", "minor": "1"}, {"watchlist": "watch"})
        )
        key = self.draw.choice(("text", "text", "appendtext"))
        return self._post("edit", title=self._page(), **{key: self.draw.choice(TEXTS)}, **more)

    def _do_undo(self) -> dict[str, Any]:
        revision = self._some_revision()
        return self._post("edit", title=self._page(), undo=revision["revid"])

    def _do_rollback(self) -> dict[str, Any]:
        self._last = {}
        tokens = self.wiki.query(meta="tokens", type="rollback")["tokens"]
        user = self.draw.choice(("Ada", "Bob"))
        return self._post("rollback", title=self._page(), user=user, token=tokens["rollbacktoken"])

    def _do_move(self) -> dict[str, Any]:
        names = ("noredirect", "movetalk", "movesubpages", "ignorewarnings")
        more = {name: "1" for name in names if self.draw.random() < 0.5}
        target = self.draw.choice((*PAGES, "C", "File:R.png", "Template:V", "Category:M"))
        return self._post("move", **{"from": self._page(), "to": target}, **more)

    def _do_delete(self) -> dict[str, Any]:
        more = {"deletetalk": "1"} if self.draw.random() < 0.3 else {}
        return self._post("delete", title=self._page(), **more)

    def _do_undelete(self) -> dict[str, Any]:
        return self._post("undelete", title=self._page())

    def _do_upload(self) -> dict[str, Any]:
        data = png(4, 3, self.draw.randint(1, 200))
        return self._post(
            "upload", {"file": ("x", data)}, filename=self.draw.choice(FILES), ignorewarnings="1",
            text=self.draw.choice(TEXTS),
        )  # fmt: skip

    def _do_filerevert(self) -> dict[str, Any]:
        name = self.draw.choice(FILES)
        old = [one["archivename"] for one in self.wiki.image(name) if "archivename" in one]
        return self._post("filerevert", filename=name, archivename=(old or ["x"])[0])

    def _do_imagerotate(self) -> dict[str, Any]:
        return self._post("imagerotate", titles=f"File:{self.draw.choice(FILES)}", rotation="90")

    def _do_import(self) -> dict[str, Any]:
        revisions = "".join(_REVISION.format(id=number) for number in (1, self.draw.randint(2, 9)))
        page = f"<page><title>{self._page()}</title><ns>0</ns><id>5</id>{revisions}</page>"
        files = {"xml": ("dump.xml", f"{_HEAD}{page}</mediawiki>".encode())}
        return self._post("import", files, interwikiprefix="o")

    def _do_mergehistory(self) -> dict[str, Any]:
        return self._post("mergehistory", **{"from": self._page(), "to": self._page()})

    def _do_protect(self) -> dict[str, Any]:
        level = self.draw.choice(("edit=sysop", "edit=all", "create=sysop"))
        more = {"cascade": "1"} if level == "edit=sysop" else {}
        return self._post("protect", title=self._page(), protections=level, **more)

    def _do_changecontentmodel(self) -> dict[str, Any]:
        model = self.draw.choice(("wikitext", "text", "css"))
        return self._post("changecontentmodel", title=self._page(), model=model)

    def _do_setpagelanguage(self) -> dict[str, Any]:
        language = self.draw.choice(("de", "fr", "default"))
        return self._post("setpagelanguage", title=self._page(), lang=language)

    def _do_revisiondelete(self) -> dict[str, Any]:
        visibility = self.draw.choice(({"hide": "content|user"}, {"show": "content|user|comment"}))
        number = self._some_revision()["revid"]
        return self._post("revisiondelete", type="revision", ids=number, **visibility)

    def _do_tag(self) -> dict[str, Any]:
        self._post("managetags", operation="create", tag="mine", ignorewarnings="1")
        return self._post("tag", revid=self._some_revision()["revid"], add="mine")

    def _do_purge(self) -> dict[str, Any]:
        return self._post("purge", titles=self._page(), forcerecursivelinkupdate="1", token=None)

    def _do_block(self) -> dict[str, Any]:
        self._post("unblock", user="192.0.2.1")
        return self._post("block", user="192.0.2.1", expiry="1 day")

    def _do_userrights(self) -> dict[str, Any]:
        self._last = {}
        tokens = self.wiki.query(meta="tokens", type="userrights")["tokens"]
        add = self.draw.choice(("bot", "sysop"))
        return self._post("userrights", user="Bob", add=add, token=tokens["userrightstoken"])

    def _do_watch(self) -> dict[str, Any]:
        self._last = {}
        tokens = self.wiki.query(meta="tokens", type="watch")["tokens"]
        return self._post("watch", titles=self._page(), token=tokens["watchtoken"])


def unexpected(wiki: UploadWiki) -> list[str]:
    """Return what is wrong in the store, apart from two numbers that MediaWiki gets wrong as well.

    New versions of files are no edits, and restoring a file that has no versions counts a file.
    """
    return [
        text
        for text in problems(wiki.site)
        if " revisions, there are " not in text and " files, there are " not in text
    ]


SEEDS = (0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 10)))


@pytest.mark.parametrize("seed", SEEDS)
def test_derived_rows_are_those_of_a_fresh_derivation(tmp_path: Path, seed: int) -> None:
    tables: dict[str, Any] = {"editing": {"page_languages": True}} if seed % 2 else {}
    wiki = UploadWiki(tmp_path / "images", pages={"A": "first [[B]]", "B": "second"}, **tables)
    rights = frozenset(rights_of(wiki.site, GROUPS)) | {"pagelang", "editcontentmodel"}
    acts = Acts(wiki, seed)
    trace: list[str] = []
    for number in range(120):
        with wiki.user(("Ada", "Bob")[number % 2], rights):
            trace.append(acts.act())
        if number % 3 == 0:
            assert unexpected(wiki) == [], "\n".join(trace[-12:])
    assert unexpected(wiki) == []
    assert acts.accepted["edit"] > 10
    assert "internal_api_error" not in "".join(trace)
    assert len([kind for kind in acts.kinds if acts.accepted[kind]]) > 12, acts.accepted
