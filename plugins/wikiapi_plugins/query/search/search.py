"""``list=search``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wikiapi.api import (
    GeneratedPages,
    ListModule,
    Obj,
    boolean,
    enum,
    integer,
    iso,
    limit,
    namespace,
    stored_title,
    string,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message
from wikiapi.search import near_match, parse_query
from wikiapi.store import PageRow
from wikiapi.store.queries import pages, revisions, search, slots, texts, visibility
from wikiapi.title import MAIN
from wikiapi.wikitext import escape_all

_DEFAULT = "title"
_MAX_RESULTS = 10_000
"""How many pages a search finds at most in miser mode, as in CirrusSearch."""
_OF_TEXT = frozenset({"snippet", "wordcount", "size"})
_OF_REVISION = _OF_TEXT | {"timestamp"}


@dataclass(frozen=True, slots=True)
class _Hits:
    """The pages found; ``total`` is None if it is not counted or not requested."""

    rows: list[PageRow]
    total: int | None
    terms: re.Pattern[str] | None = None


class Search(ListModule):
    """Search the titles or the texts of pages."""

    name = "search"
    prefix = "sr"
    element = "p"
    params = (
        string("search", "What to look for.", required=True),
        namespace(help="Search these namespaces.", multi=True, default="0"),
        limit(),
        integer("offset", "The position of the first result, from 0.", minimum=0, default=0),
        enum("what", "title", "text", "nearmatch",
             help="What to search: titles (the default), texts, or for the best-matching title."),
        enum("info", "totalhits", "suggestion", "rewrittenquery", multi=True,
             default="totalhits|suggestion|rewrittenquery",
             help="Data about the search to include."),
        enum("prop", "size", "wordcount", "timestamp", "snippet", "titlesnippet", "redirecttitle",
             "redirectsnippet", "sectiontitle", "sectionsnippet", "isfilematch",
             "categorysnippet", "score", "hasrelated", "extensiondata", multi=True,
             default="size|wordcount|timestamp|snippet", deprecated_values=("score", "hasrelated"),
             help="Properties of each page to include.",
             value_help=(("size", "Length in bytes."), ("wordcount", "Number of words."),
                         ("timestamp", "When it was last edited."),
                         ("snippet", "The text around the words found, as HTML."),
                         ("isfilematch", "Whether the words were found in a file's content."))),
        boolean("interwiki", "Include results of other wikis, if there are any."),
        boolean("enablerewrites", "Allow the search engine to rewrite the query."),
        enum("sort", "relevance", default="relevance", help="The order of the results."),
    )  # fmt: skip
    examples = (
        ("action=query&list=search&srsearch=meaning", "Titles with a word"),
        ("action=query&list=search&srwhat=text&srsearch=meaning", "Texts with a word"),
        ("action=query&generator=search&gsrsearch=meaning&prop=info", "Facts about the pages"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Search",)

    def execute(self) -> None:
        """List the pages found."""
        hits = self._hits()
        self._write_total(hits)
        items = (
            Obj(stored_title(self.site, row.namespace, row.title) | {"pageid": row.page_id} | more)
            for row, more in self._described(hits)
        )
        self.emit(items, range(len(hits.rows)), self._continue_value)

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the pages found, each with its position and the requested properties."""
        hits = self._hits()
        self._write_total(hits)
        self.within_limit(range(len(hits.rows)), self._continue_value)
        for index, (row, more) in enumerate(self._described(hits), self.p.number("offset") + 1):
            pages.rows.append(row)
            pages.data[row.key] = more | {"index": index}

    def set_continue(self, value: Any, param: str = "offset") -> None:
        """Continue at an offset, which is counted from the first result."""
        super().set_continue(value, param)

    def _continue_value(self, position: int) -> int:
        return self.p.number("offset") + position

    def _requested(self, name: str) -> tuple[str, ...]:
        """Return the values of a parameter, whose default does not apply to a generator."""
        if self.is_generator and self.full(name) not in self.context.request.params:
            return ()
        return self.p.texts(name)

    def _write_total(self, hits: _Hits) -> None:
        if hits.total is not None:
            self.result.set(("query", "searchinfo"), "totalhits", hits.total)

    def _hits(self) -> _Hits:
        if self.p.text_or_none("what") == "nearmatch":
            row = near_match(self.site, self.p.text("search"))
            return _Hits([row] if row and not self.p.number("offset") else [], None)
        if not self.db.full_text:
            what = self.p.text_or_none("what") or _DEFAULT
            message = Message("apierror-searchdisabled", (what,))
            raise ApiError(f"search-{what}-disabled", message)
        column = (
            search.Column.TEXT if self.p.text_or_none("what") == "text" else search.Column.TITLE
        )
        query = parse_query(
            self.site, self.p.text("search"), self.p.numbers("namespace") or (MAIN,)
        )
        criteria = search.Search(column, query.required, query.excluded, query.namespaces)
        most = _MAX_RESULTS if self.site.is_miser else None
        counts = "totalhits" in self._requested("info")
        total = search.count(self.db, criteria, most) if counts else None
        limit, offset = self.p.number("limit") + 1, self.p.number("offset")
        if most is not None:
            limit = max(0, min(limit, most - offset))
        ids = search.page_ids(self.db, criteria, limit, offset) if limit else []
        rows = pages.by_ids(self.db, ids)
        return _Hits([rows[i] for i in ids if i in rows], total, query.highlight)

    def _described(self, hits: _Hits) -> Iterator[tuple[PageRow, dict[str, Any]]]:
        """Yield each page with its requested properties."""
        props, rows = self._requested("prop"), hits.rows[: self.limit]
        needed = [row.latest for row in rows] if not _OF_REVISION.isdisjoint(props) else []
        latest = revisions.by_ids(self.db, needed)
        if _OF_TEXT.isdisjoint(self._requested("prop")):
            contents = {}
        else:
            visible = [
                row.rev_id
                for row in latest.values()
                if not visibility.is_hidden(row.deleted, visibility.TEXT)
            ]
            by_revision = slots.of_revisions(self.db, visible)
            addresses = {
                revision: by_role[slots.MAIN].address
                for revision, by_role in by_revision.items()
                if slots.MAIN in by_role
            }
            loaded = texts.by_addresses(self.db, addresses.values())
            contents = {
                revision: loaded.get(address) or "" for revision, address in addresses.items()
            }
        for row in rows:
            text, revision = contents.get(row.latest, ""), latest.get(row.latest)
            item: dict[str, Any] = {}
            if "size" in props:
                item["size"] = len(text.encode("utf-8", "surrogatepass"))
            if "wordcount" in props:
                item["wordcount"] = word_count(text)
            if "snippet" in props:
                item["snippet"] = snippet(text, hits.terms)
            if "timestamp" in props and revision:
                item["timestamp"] = iso(revision.timestamp)
            if "titlesnippet" in props:
                item["titlesnippet"] = ""
            if "categorysnippet" in props:
                item["categorysnippet"] = ""
            if "isfilematch" in props:
                item["isfilematch"] = False
            yield row, item


_LINES = 2
_AROUND = 75
"""Characters shown before and after a term."""
_ELLIPSIS = "..."
_WORD = re.compile(r"[A-Za-z'-]+", re.ASCII)
_MARKED = '<span class="searchmatch">{}</span>'
_LONGEST_LINE = 100_000


def snippet(text: str, terms: re.Pattern[str] | None) -> str:
    """Return as HTML the text around the last term in each of the first lines with a term."""
    if terms is None:
        return ""
    lines: list[str] = []
    for whole in text.split("\n"):
        line, last = whole[:_LONGEST_LINE], None
        for match in terms.finditer(line):
            last = match
        if last is None:
            continue
        before = _end(line[: last.start()])
        after = line[last.end() : last.end() + _AROUND + 1]
        html = escape_all(before + last[0] + after)
        lines.append(terms.sub(lambda match: _MARKED.format(match[0]), html) + "\n")
        if len(lines) == _LINES:
            break
    return "".join(lines)


def word_count(text: str) -> int:
    """Return the number of words of Latin letters, as MediaWiki counts them."""
    return len(_WORD.findall(text.lstrip("'-")))


def _end(text: str) -> str:
    """Return the end of a text after an ellipsis, or all of it if that is not longer."""
    cut = _ELLIPSIS + text[-_AROUND:].lstrip()
    return cut if len(text) > _AROUND and len(cut) < len(text) else text
