"""Items of revisions in answers: their properties, slots, contents and comparisons.

Slots, texts, tags and the targets of links in summaries take one query each for all revisions, and
only if a property needs them. For hidden parts an item only says that they are hidden. Contents
have a form with slots, and a legacy form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from wikiapi.accounts import preferences, signature_of
from wikiapi.api import Arr, Loose, Obj, QueryModule
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Num, Plain
from wikiapi.store import RevisionRow
from wikiapi.store.queries import SlotRow, pages, slots, tags, texts, visibility
from wikiapi.timestamps import iso_all
from wikiapi.title import WIKITEXT, Title, default_format
from wikiapi.wikitext import ParserOptions, Revision, section_text, tree_xml
from wikiapi_plugins.query.authorship import comment_data, hidden_flags, parsed_comments, user_data
from wikiapi_plugins.query.revisions.revisionoptions import RevisionOptions
from wikiapi_plugins.shared.diffs import neighbours
from wikiapi_plugins.shared.diffs.table import table_rows

_HIDDEN = frozenset({"userhidden", "commenthidden", "sha1hidden", "texthidden", "slots"})
_MAX_COMPARISONS = 1
"""How many comparisons an answer has, as in MediaWiki; the others are ``notcached``."""


def revision_items(
    module: QueryModule,
    options: RevisionOptions,
    revisions: Sequence[RevisionRow],
    titles: Iterable[Title],
) -> Iterator[dict[str, Any]]:
    """Yield the item of each revision.

    Args:
        module: the module whose answer the items are for.
        options: the properties and the content to return.
        revisions: the revisions, no more than the limit.
        titles: the page of each revision; consumed only if a property needs them.
    """
    props, db = options.props, module.db
    ids = [revision.rev_id for revision in revisions]
    with_ids, with_flags, with_time = "ids" in props, "flags" in props, "timestamp" in props
    with_size, with_sha1, with_roles = "size" in props, "sha1" in props, "roles" in props
    with_tags = "tags" in props
    titles = list(titles) if options.slots or "parsedcomment" in props else []
    slot_rows = slots.of_revisions(db, ids) if options.slots or with_roles else {}
    contents = RevisionContents(module, options, slot_rows, revisions) if options.slots else None
    moments = iso_all([revision.timestamp for revision in revisions])
    comments = zip([revision.comment for revision in revisions], titles, strict=False)
    html = parsed_comments(module.context, props, comments)
    tagged = tags.of_revisions(db, ids) if with_tags else {}
    for number, (revision, moment, markup) in enumerate(
        zip(revisions, moments, html, strict=False)
    ):
        rev_id, bits = revision.rev_id, revision.deleted
        closed = bits & ~revision.readable
        item: dict[str, Any] = {}
        if with_ids:
            item["revid"] = rev_id
            if revision.parent_id is not None:
                item["parentid"] = revision.parent_id
        if with_flags:
            item["minor"] = revision.minor != 0
        if with_time:
            item["timestamp"] = moment
        item |= user_data(props, closed, revision.user_id, revision.user_name, id_last=True)
        if with_size:
            item["size"] = revision.length or 0
        if with_sha1:
            if bits & visibility.TEXT:
                item["sha1hidden"] = True
            if not closed & visibility.TEXT:
                item["sha1"] = hex_sha1(revision.sha1 or "")
        if with_roles:
            item["roles"] = Arr(slot_rows.get(rev_id, ()), "role")
        if contents:
            item |= contents.data(revision, titles[number])
        item |= comment_data(props, closed, revision.comment, markup)
        if revision.readable:
            item |= hidden_flags(props, revision.readable)
        if with_tags:
            item["tags"] = Arr(tagged.get(rev_id, ()), "tag")
        if (
            bits & visibility.RESTRICTED
            and bits & (visibility.TEXT | visibility.COMMENT | visibility.USER)
            and not _HIDDEN.isdisjoint(item)
        ):
            item["suppressed"] = True
        # Most items need no ``Loose``. A single value may be one that format version 1 leaves out.
        is_plain = len(item) > 1 and "content" not in item
        yield item if is_plain else Loose(item, content="content")


def hex_sha1(base36: str) -> str:
    """Return a SHA-1 as 40 hexadecimal digits, given the 31 digits of base 36 in the store."""
    return f"{int(base36, 36):040x}" if base36 else ""


class RevisionContents:
    """The slots and contents of the revisions of one answer, in the form of their items."""

    def __init__(
        self,
        module: QueryModule,
        options: RevisionOptions,
        slot_rows: Mapping[int, Mapping[str, SlotRow]],
        revisions: Sequence[RevisionRow],
    ) -> None:
        """Read the texts that the answer contains."""
        self._module = module
        self._options = options
        self._slot_rows = slot_rows
        self._comparisons = Comparisons(module, [revision.rev_id for revision in revisions])
        self._texts: dict[str, str] = {}
        if options.content:
            roles = {slots.MAIN} if options.roles is None else set(options.roles)
            addresses = [
                slot.address
                for revision in revisions
                if not revision.deleted & ~revision.readable & visibility.TEXT
                for role, slot in slot_rows.get(revision.rev_id, {}).items()
                if role in roles
            ]
            self._texts = texts.by_addresses(module.db, addresses)

    def data(self, revision: RevisionRow, title: Title) -> Mapping[str, Any]:
        """Return the data of the slots of a revision."""
        by_role = self._slot_rows.get(revision.rev_id, {})
        if self._options.roles is None:
            main = by_role.get(slots.MAIN)
            return self._legacy_data(main, revision, title) if main else {"slotsmissing": True}
        data = Obj(element="slot", key="role")
        for role in self._options.roles:
            if role not in by_role:
                continue
            slot = by_role[role]
            properties, text = self._properties(slot, revision)
            data[role] = item = Obj(properties, content="content")
            if text is not None and "content" in self._options.props:
                style = self._options.format or default_format(slot.model)
                if style == default_format(slot.model):
                    item |= {"contentmodel": slot.model, "contentformat": style, "content": text}
                else:
                    item["badcontentformat"] = True
        return {"slots": data}

    def _properties(
        self, slot: SlotRow, revision: RevisionRow
    ) -> tuple[dict[str, Any], str | None]:
        """Return the properties of a slot without its text, and the text or section.

        The text is None if it is not requested, is hidden, or has no such section.
        """
        props, section = self._options.props, self._options.section
        is_hidden = bool(revision.deleted & visibility.TEXT)
        is_readable = not revision.deleted & ~revision.readable & visibility.TEXT
        data: dict[str, Any] = {}
        if "slotsize" in props:
            data["size"] = slot.size
        if "slotsha1" in props and is_hidden:
            data["sha1hidden"] = True
        if "slotsha1" in props and is_readable:
            data["sha1"] = hex_sha1(slot.sha1)
        if "contentmodel" in props:
            data["contentmodel"] = slot.model
        if not self._options.content:
            return data, None
        if is_hidden:
            data["texthidden"] = True
        if not is_readable:
            return data, None
        text: str | None = self._texts[slot.address]
        if section is not None:
            preprocessor = self._module.site.parser.preprocessor
            is_wikitext = slot.model == WIKITEXT
            text = section_text(text or "", section, preprocessor) if is_wikitext else None
            if text is None:
                data["nosuchsection"] = True
        return data, text

    def _legacy_data(self, slot: SlotRow, revision: RevisionRow, title: Title) -> dict[str, Any]:
        data, text = self._properties(slot, revision)
        if "nosuchsection" in data:
            params = (Plain(self._options.section or ""), Plain(title.prefixed_text))
            raise ApiError("nosuchsection", "apierror-nosuchsection-what", *params)
        if text is None:
            return data
        if self._options.parse_tree and slot.model == WIKITEXT:
            data["parsetree"] = tree_xml(self._module.site.parser.preprocessor.tree(text))
        elif self._options.parse_tree:
            data["badcontentformatforparsetree"] = True
            self._warn("apierror-parsetree-notwikitext-title", title, slot.model)
        if "content" in self._options.props:
            data |= self._legacy_content(text, slot, revision, title)
        if self._options.compare:
            data["diff"] = self._comparisons.data(revision, title, text)
        return data

    def _legacy_content(
        self, text: str, slot: SlotRow, revision: RevisionRow, title: Title
    ) -> dict[str, Any]:
        """Return the content as HTML, with its templates expanded, or as it is stored."""
        module, site, options = self._module, self._module.site, self._options
        if options.parse and (model := site.content_models.get(slot.model)):
            user = module.context.user
            parser_options = ParserOptions(
                language=module.context.language,
                user=user.name,
                thumb_width=preferences.thumb_width_of(user, site),
                limit_report=False,
                revision=Revision.of(revision),
            )
            return {"content": model.render(site.parser, text, title, parser_options).html}
        if options.expand and slot.model == WIKITEXT:
            return {"content": site.parser.expand(text, title)}
        if options.expand:
            self._warn("apierror-templateexpansion-notwikitext", title, slot.model)
            return {"badcontentformat": True}
        style = options.format or default_format(slot.model)
        if style != default_format(slot.model):
            params = (Plain(style), Plain(slot.model), Plain(title.prefixed_text))
            module.warn("apierror-badformat", *params)
            return {"badcontentformat": True}
        return {"contentformat": style, "contentmodel": slot.model, "content": text}

    def _warn(self, key: str, title: Title, model: str) -> None:
        self._module.warn(key, Plain(title.prefixed_text), Plain(model))


class _Pair(NamedTuple):
    """The ids of two revisions to compare, None for one that does not exist; and those to report.

    Reported ids are 0 if the revision does not exist, or stands for the current one.
    """

    old: int | None
    new: int | None
    reported: tuple[int, int]


class Comparisons:
    """Compares the revisions of one answer with the revision or text that the request names."""

    def __init__(self, module: QueryModule, revision_ids: Sequence[int]) -> None:
        """Initialise for the module with the parameters."""
        self._module = module
        self._ids = revision_ids
        self._remaining = _MAX_COMPARISONS
        self._texts: dict[int, str] = {}

    def data(self, revision: RevisionRow, title: Title, text: str) -> Obj:
        """Return the comparison of a revision with this text."""
        if not self._remaining:
            return Obj({"notcached": True})
        p = self._module.p
        if p.is_given("difftotext"):
            other = p.text("difftotext")
            if p.flag("difftotextpst"):
                user, parser = self._module.context.user, self._module.site.parser
                other = parser.saved(other, title, user.name, signature_of(user))
            return Obj({"body": self._compare(text, other)}, content="body")
        pair = self._pair(revision, p.text("diffto"))
        old, new = (
            text if number == revision.rev_id else self._text(number)
            for number in (pair.old, pair.new)
        )
        # Where there is nothing to compare, it does not count as a comparison.
        body = "" if pair.old is None or old == new else self._compare(old, new)
        from_id, to_id = pair.reported
        return Obj({"from": from_id or False, "to": to_id, "body": body}, content="body")

    def _pair(self, revision: RevisionRow, other: str) -> _Pair:
        """Return the revisions to compare; 0 stands for the current revision of the page."""
        db, own = self._module.db, revision.rev_id
        if other == "prev":
            before = neighbours.before(db, revision) if own in self._with_earlier else None
            return _Pair(before, own, (before or 0, own))
        current = self._current.get(own)
        if other == "next":
            after = None if own == current else neighbours.after(db, revision)
            return _Pair(own, after or current, (own, after or 0))
        number = 0 if other == "cur" else int(other)
        return _Pair(own, number or current, (own, number))

    @cached_property
    def _current(self) -> dict[int, int]:
        """The current revision of the page of each revision of the answer."""
        rows = pages.by_revision_ids(self._module.db, self._ids)
        return {revision_id: page.latest for revision_id, page in rows.items()}

    @cached_property
    def _with_earlier(self) -> set[int]:
        """The revisions of the answer that have an earlier one."""
        return neighbours.with_earlier(self._module.db, self._ids)

    def _text(self, revision_id: int | None) -> str:
        if not revision_id:
            return ""
        if revision_id not in self._texts:
            stored = texts.of_revisions(self._module.db, [revision_id]).get(revision_id)
            self._texts[revision_id] = (stored.text or "") if stored else ""
        return self._texts[revision_id]

    def _compare(self, old: str, new: str) -> str:
        """Return the rows of a table of differences."""
        self._remaining -= 1
        messages, language = self._module.site.messages, self._module.context.language
        rows = table_rows(
            old,
            new,
            lambda number: messages.text(Message("lineno", (Num(number),)), language),
            self._module.result.limit,
        )
        return rows or ""
