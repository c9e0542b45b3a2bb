"""``action=compare``."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any

from wikiapi.accounts import signature_of
from wikiapi.api import (
    Action,
    Obj,
    Param,
    RequestContext,
    boolean,
    enum,
    integer,
    iso,
    page_of_id,
    string,
    text,
    valid_title,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Num, Plain, plain_list
from wikiapi.store import RevisionRow
from wikiapi.store.models import Archive
from wikiapi.store.queries import pages, revisions, slots, texts, visibility
from wikiapi.title import Title, default_model
from wikiapi.wikitext import format_comments, section_text, without_trailing_blanks
from wikiapi_plugins.query.authorship import readable_revision_bits, suppressed_flag
from wikiapi_plugins.shared.diffs import neighbours
from wikiapi_plugins.shared.diffs.inline import inline, unified
from wikiapi_plugins.shared.diffs.table import table_rows
from wikiapi_plugins.wikitext.contentmodels.names import content_formats, content_models

_WIKITEXT = "wikitext"
MAIN = "main"
PROPS = (
    *("diff", "diffsize", "rel", "ids", "title", "user", "comment", "parsedcomment"),
    *("size", "timestamp"),
)
_VALUE_HELP = (
    ("diff", "The difference as HTML."),
    ("diffsize", "The size of that HTML in bytes."),
    ("rel", "The revisions before the older and after the newer one."),
    ("ids", "The ids of pages and revisions."),
    ("title", "The titles of the pages."),
    ("user", "The authors of the revisions."),
    ("comment", "The summaries of the revisions."),
    ("parsedcomment", "The summaries as HTML."),
    ("size", "The sizes of the revisions in bytes."),
    ("timestamp", "The timestamps of the revisions."),
)


def _side_params(side: str, which: str, *, is_second: bool) -> tuple[Param, ...]:
    slot = ("slot", f"{side}slots")
    relative = enum("torelative", "prev", "next", "cur",
                    help="Compare with the revision before or after the first one, or with the "
                    "current one.")  # fmt: skip
    return (
        string(f"{side}title", f"Title of the {which} page."),
        integer(f"{side}id", f"Id of the {which} page."),
        integer(f"{side}rev", f"Id of the {which} revision."),
        *((relative,) if is_second else ()),
        enum(f"{side}slots", choices=lambda _: (MAIN,), multi=True,
             help="Slots whose content is in the parameters named after them."),
        text(f"{side}text-{{slot}}", "Content of the slot.", template=slot),
        string(f"{side}section-{{slot}}", "The section that the content replaces.",
               template=slot),
        enum(f"{side}contentformat-{{slot}}", choices=content_formats, template=slot,
             help="Serialisation of the text."),
        enum(f"{side}contentmodel-{{slot}}", choices=content_models, template=slot,
             help="Content model of the text."),
        boolean(f"{side}pst", "Transform the text as saving it would."),
        text(f"{side}text", f"Use ``{side}slots=main`` instead.", deprecated=True),
        enum(f"{side}contentformat", choices=content_formats, deprecated=True,
             help=f"Use ``{side}slots=main`` instead."),
        enum(f"{side}contentmodel", choices=content_models, deprecated=True,
             help=f"Use ``{side}slots=main`` instead."),
        string(f"{side}section", "Only this section of the content.", deprecated=True),
    )  # fmt: skip


PARAMS = (
    *_side_params("from", "first", is_second=False),
    *_side_params("to", "second", is_second=True),
    enum("prop", *PROPS, multi=True, default="diff|ids|title", value_help=_VALUE_HELP,
         help="Properties to include."),
    enum("slots", choices=lambda _: (MAIN,), multi=True, all_value="*",
         help="Return a separate difference for each of these slots."),
    enum("difftype", "table", "inline", "unified", default="table",
         help="Show the difference as a table, marked within one text, or as lines with + "
         "and -."),
)  # fmt: skip


@dataclass(frozen=True)
class Side:
    """One side of a comparison.

    ``revision`` is ``None`` if the request contains the text, ``text`` is ``None`` if it is hidden.
    ``place`` is the stored revision to which others are earlier or later, also if the request
    replaces its text.
    """

    title: Title | None = None
    revision: RevisionRow | None = None
    text: str | None = ""
    model: str = _WIKITEXT
    place: RevisionRow | None = None


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
        first, second = self._sides()
        for side in (first, second):
            if side.text is None:
                number = side.revision.rev_id if side.revision else 0
                raise ApiError("missingcontent", "apierror-missingcontent-revid", number)
        props = frozenset(self.p.texts("prop"))
        data = Obj(content="body")
        data |= side_facts(self.context, "from", first, props)
        data |= side_facts(self.context, "to", second, props)
        if "rel" in props:
            if first.place and (before := neighbours.before(self.db, first.place)):
                data["prev"] = before
            if second.place and (after := neighbours.after(self.db, second.place)):
                data["next"] = after
        if props & {"diff", "diffsize"}:
            body = self._difference(first.text or "", second.text or "")
            if body is None:  # It is too large for an answer.
                self.result.truncated = True
            if body is not None and "diffsize" in props:
                data["diffsize"] = len(body.encode())
            if body is not None and "diff" in props:
                if self.p.is_given("slots"):
                    slots = {name: body for name in self.p.texts("slots") if name == MAIN}
                    data["bodies"] = Obj(slots, key="diff")
                else:
                    data["body"] = body
        self.result.add((), self.name, data)

    def _sides(self) -> tuple[Side, Side]:
        """Return both sides.

        Raises:
            ApiError: a side is not named, is named twice, or does not exist.
        """
        first_params = ("fromtitle", "fromid", "fromrev", "fromtext", "fromslots")
        second_params = ("totitle", "toid", "torev", "totext", "torelative", "toslots")
        for names in (first_params, second_params):
            if all(self.p[name] is None for name in names):
                key = "apierror-missingparam-at-least-one-of"
                raise ApiError("missingparam", key, plain_list(names), len(names))
        first = self._side("from")
        if not self.p.is_given("torelative"):
            return first, self._side("to", first)
        if first.place is None:
            key = "apierror-compare-relative-to-nothing"
            raise ApiError("compare-relative-to-nothing", key)
        return self._relative(first, first.place)

    def _side(self, side: str, other: Side | None = None) -> Side:
        base, content = self._base(side), self._text(side)
        if content is None:
            if self.p[f"{side}slots"]:
                key = "apierror-compare-maintextrequired"
                raise ApiError("compare-maintextrequired", key, side)
            section = self.p[f"{side}section"]
            if section is None or base.text is None:
                return base
            return replace(base, text=self._section(base.text, section))
        title = base.title or (other.title if other else None)
        requested = self.p.get(f"{side}contentmodel-{MAIN}") or self.p[f"{side}contentmodel"]
        if requested:
            model = str(requested)
        elif base.title is not None:
            model = base.model
        elif other is not None:
            model = other.model
        else:
            self.warn("apiwarn-compare-nocontentmodel", _WIKITEXT)
            model = _WIKITEXT
        section = self.p.get(f"{side}section-{MAIN}")
        if section == "new" and base.text:
            content = f"{base.text}\n\n{content}"
        elif section not in (None, "new") and base.text is not None:
            old = self._section(base.text, section)
            start = base.text.find(old)
            content = base.text[:start] + content + base.text[start + len(old) :]
        if self.p[f"{side}pst"] and model == _WIKITEXT:
            page, user = title or self.site.titles.parse("API"), self.context.user
            content = self.site.parser.saved(content, page, user.name, signature_of(user))
        elif self.p[f"{side}pst"]:
            content = without_trailing_blanks(content)
        return Side(title, None, content, model, base.place)

    def _text(self, side: str) -> str | None:
        """Return the text in the request, from the deprecated parameter or that of the slot."""
        legacy: str | None = self.p[f"{side}text"]
        return legacy if legacy is not None else self.p.get(f"{side}text-{MAIN}")

    def _base(self, side: str) -> Side:
        """Return the stored revision that the request names."""
        names = ("rev", "title", "id")
        revision_id, name, page_id = (self.p[f"{side}{what}"] for what in names)
        if revision_id is not None:
            return self._revision(revision_id)
        if name is not None:
            title = valid_title(self.site, name, interwiki=True)
            row = pages.by_titles(self.db, [title.key]).get(title.key)
            if row is not None and not title.interwiki:
                return self._revision(row.latest)
            if self._text(side) is None:
                key = "apierror-missingtitle-byname"
                raise ApiError("missingtitle", key, Plain(title.prefixed_text))
            return Side(title, model=default_model(title))
        if page_id is None:
            return Side()
        return self._revision(page_of_id(self.db, page_id).latest)

    def _revision(self, revision_id: int) -> Side:
        readable = readable_revision_bits(self.context.user)
        revision = revisions.by_ids(self.db, [revision_id], readable).get(revision_id)
        page = pages.by_revision_ids(self.db, [revision_id]).get(revision_id)
        if revision is None or page is None:
            return self._deleted_revision(revision_id)
        stored = texts.of_revisions(self.db, [revision_id], readable).get(revision_id)
        title = self.site.titles.make(*page.key)
        if stored is None:
            return Side(title, revision, None, place=revision)
        return Side(title, revision, stored.text, stored.model, revision)

    def _deleted_revision(self, revision_id: int) -> Side:
        """Return a revision of a deleted page, whose id is that of the page with its title now.

        Raises:
            ApiError: ``nosuchrevid``, if there is none or the user may not read deleted texts.
        """
        user, rows = self.context.user, []
        if user.can("deletedtext") or user.can("undelete"):
            query = revisions.SELECT_ARCHIVED_REVISIONS.select_extend(
                Archive.ar_namespace, Archive.ar_title, Archive.ar_id
            )
            rows = self.db.execute(query.where(Archive.ar_rev_id == revision_id))
        if not rows:
            raise ApiError("nosuchrevid", "apierror-nosuchrevid", revision_id)
        revision = revisions.read(rows[0], readable_revision_bits(user))
        title = self.site.titles.make(revision.namespace, revision.title)
        page = pages.by_titles(self.db, [title.key]).get(title.key)
        revision = revision._replace(page_id=page.page_id if page else 0)
        slot = slots.of_revisions(self.db, [revision_id]).get(revision_id, {}).get(MAIN)
        unreadable = revision.deleted & ~revision.readable
        if slot is None or visibility.is_hidden(unreadable, visibility.TEXT):
            return Side(title, revision, None, place=revision)
        text = texts.by_addresses(self.db, [slot.address])[slot.address]
        return Side(title, revision, text, slot.model, revision)

    def _relative(self, first: Side, revision: RevisionRow) -> tuple[Side, Side]:
        relative = self.p.text("torelative")
        if relative == "cur":
            key = first.title.key if first.title else None
            page = pages.by_titles(self.db, [key]).get(key) if key else None
            if page is None:
                raise ApiError("nosuchrevid", "apierror-nosuchrevid", revision.rev_id)
            return first, self._revision(page.latest)
        if revision.archive_id is not None:
            message = "apierror-compare-relative-to-deleted"
            raise ApiError("compare-relative-to-deleted", message, Plain(relative))
        find = neighbours.before if relative == "prev" else neighbours.after
        neighbour = find(self.db, revision)
        if neighbour is None:
            name = first.title.prefixed_text if first.title else ""
            self.warn(f"apiwarn-compare-no-{relative}", name, revision.rev_id)
        if relative == "prev":
            before = Side(model=first.model) if neighbour is None else self._revision(neighbour)
            return before, first
        if neighbour is None:
            return first, Side(None, None, first.text, first.model)
        return first, self._revision(neighbour)

    def _section(self, text: str, section: str) -> str:
        content = section_text(text, section, self.site.parser.preprocessor)
        if content is None:
            raise ApiError("nosuchsection", "apierror-nosuchsection", Plain(section))
        return content

    def _difference(self, first: str, second: str) -> str | None:
        """Return the difference of two texts as HTML or text; None if it is too large."""
        self.site.budgets.current.check()
        if self.p.text("difftype") == "unified":
            return unified(first, second, self.result.limit)
        draw = inline if self.p.text("difftype") == "inline" else table_rows
        messages, language = self.site.messages, self.context.language

        def line_label(number: int) -> str:
            return messages.text(Message("lineno", (Num(number),)), language)

        return draw(first, second, line_label, self.result.limit)


def side_facts(context: RequestContext, prefix: str, side: Side, props: Set[str]) -> dict[str, Any]:
    """Return the facts about a side by prefixed name; empty if it is a text from the request."""
    revision, title = side.revision, side.title
    if revision is None or title is None:
        return {}
    hidden, unreadable = revision.deleted, revision.deleted & ~revision.readable
    facts: dict[str, Any] = {}
    if "ids" in props:
        facts |= {"id": revision.page_id, "revid": revision.rev_id}
    if "title" in props:
        facts |= {"ns": title.ns, "title": title.prefixed_text}
    if "size" in props:
        facts["size"] = revision.length
    if "timestamp" in props:
        facts["timestamp"] = iso(revision.timestamp)
    if visibility.is_hidden(hidden, visibility.TEXT):
        facts["texthidden"] = True
    if visibility.is_hidden(hidden, visibility.USER):
        facts["userhidden"] = True
    if "user" in props and not visibility.is_hidden(unreadable, visibility.USER):
        facts |= {"user": revision.user_name, "userid": revision.user_id}
    if visibility.is_hidden(hidden, visibility.COMMENT):
        facts["commenthidden"] = True
    if props & {"comment", "parsedcomment"}:
        comment = revision.comment or ""
        if not visibility.is_hidden(unreadable, visibility.COMMENT):
            if "comment" in props:
                facts["comment"] = comment
            facts["parsedcomment"] = format_comments(
                context.site.parser, [(comment, title)], language=context.language
            )[0]
    facts |= suppressed_flag(hidden, facts)
    if revision.archive_id is not None:
        facts["archive"] = True
    return {prefix + name: value for name, value in facts.items()}
