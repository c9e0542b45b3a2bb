"""``action=compare``."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from wikiapi.api import Action, Obj, iso
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Num
from wikiapi.site import Site
from wikiapi.store import RevisionRow
from wikiapi.store.queries import visibility
from wikiapi.title import Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.actions.compare.sides import MAIN, PARAMS, Side, Sides
from wikiapi_plugins.shared.diffs import neighbours
from wikiapi_plugins.shared.diffs.inline import inline, unified
from wikiapi_plugins.shared.diffs.table import table_rows


class Compare(Action):
    """Get the difference between two pages, revisions or texts."""

    name = "compare"
    position = 20
    params = PARAMS
    examples = (
        ("action=compare&fromrev=1&torev=2", "The difference between two revisions"),
        ("action=compare&fromrev=2&torelative=prev&prop=diffsize|ids", "What a revision changed"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Compare",)

    def execute(self) -> None:
        """Put the facts about both sides and the difference into the result.

        Raises:
            ApiError: a side does not exist, is hidden or is not specified correctly.
        """
        first, second = Sides(self).read()
        props = frozenset(self.p.texts("prop"))
        data = Obj(content="body")
        data |= side_facts(self.site, "from", first, props)
        data |= side_facts(self.site, "to", second, props)
        if "rel" in props:
            data |= self._neighbours(first, second)
        if props & {"diff", "diffsize"}:
            self._add_difference(data, self._difference(first, second))
        self.result.add((), self.name, data)

    def _neighbours(self, first: Side, second: Side) -> dict[str, Any]:
        data: dict[str, Any] = {}
        if first.revision and (before := neighbours.before(self.db, first.revision)):
            data["prev"] = before
        if second.revision and (after := neighbours.after(self.db, second.revision)):
            data["next"] = after
        return data

    def _add_difference(self, data: Obj, body: str | None) -> None:
        """Add the difference, or mark the result as truncated if it is too large for an answer."""
        if body is None:
            self.result.truncated = True
            return
        if "diffsize" in self.p.texts("prop"):
            data["diffsize"] = len(body.encode())
        if "diff" not in self.p.texts("prop"):
            return
        if not self.p.is_given("slots"):
            data["body"] = body
        else:
            slots = {name: body for name in self.p.texts("slots") if name == MAIN}
            data["bodies"] = Obj(slots, key="diff")

    def _difference(self, first: Side, second: Side) -> str | None:
        if first.text is None or second.text is None:
            hidden = first if first.text is None else second
            number = hidden.revision.rev_id if hidden.revision else 0
            raise ApiError("missingcontent", "apierror-missingcontent-revid", number)
        self.site.budgets.current.check()
        if self.p.text("difftype") == "unified":
            return unified(first.text, second.text, self.result.limit)
        draw = inline if self.p.text("difftype") == "inline" else table_rows
        return draw(first.text, second.text, self._line_label, self.result.limit)

    def _line_label(self, number: int) -> str:
        return self.site.messages.text(Message("lineno", (Num(number),)), self.context.language)


def side_facts(site: Site, prefix: str, side: Side, props: Set[str]) -> dict[str, Any]:
    """Return the facts about a side by prefixed name; empty if it is a text from the request."""
    if side.revision is None or side.title is None:
        return {}
    facts = _facts(site, side.revision, side.title, props)
    return {prefix + name: value for name, value in facts}


def _facts(
    site: Site, revision: RevisionRow, title: Title, props: Set[str]
) -> Iterator[tuple[str, Any]]:
    if "ids" in props:
        yield from (("id", revision.page_id), ("revid", revision.rev_id))
    if "title" in props:
        yield from (("ns", title.ns), ("title", title.prefixed_text))
    if "size" in props:
        yield "size", revision.length
    if "timestamp" in props:
        yield "timestamp", iso(revision.timestamp)
    if visibility.is_hidden(revision.deleted, visibility.TEXT):
        yield "texthidden", True
    if "user" in props:
        yield from _user(revision)
    if props & {"comment", "parsedcomment"}:
        yield from _comment(site, revision, title, props)


def _user(revision: RevisionRow) -> Iterator[tuple[str, Any]]:
    if visibility.is_hidden(revision.deleted, visibility.USER):
        yield "userhidden", True
    if not visibility.is_hidden(revision.deleted & ~revision.readable, visibility.USER):
        yield from (("user", revision.user_name), ("userid", revision.user_id))


def _comment(
    site: Site, revision: RevisionRow, title: Title, props: Set[str]
) -> Iterator[tuple[str, Any]]:
    if visibility.is_hidden(revision.deleted, visibility.COMMENT):
        yield "commenthidden", True
    if visibility.is_hidden(revision.deleted & ~revision.readable, visibility.COMMENT):
        return
    comment = revision.comment or ""
    if "comment" in props:
        yield "comment", comment
    if props & {"comment", "parsedcomment"}:
        yield "parsedcomment", format_comments(site.parser, [(comment, title)])[0]
