"""The slots and contents of revisions, in the form with slots and in the legacy form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from wikiapi.accounts import preferences, signature_of
from wikiapi.api import Obj, QueryModule, moment_of
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Num, Plain
from wikiapi.store import RevisionRow
from wikiapi.store.queries import SlotRow, pages, texts, visibility
from wikiapi.title import WIKITEXT, Title, default_format
from wikiapi.wikitext import ParserOptions, Revision, section_text, tree_xml
from wikiapi_plugins.query.revisions.revisionoptions import RevisionOptions
from wikiapi_plugins.shared.diffs import neighbours
from wikiapi_plugins.shared.diffs.table import table_rows

_MAIN = "main"


class RevisionContents:
    """The slots and contents of the revisions of one answer, in the form of their items."""

    def __init__(
        self,
        module: QueryModule,
        options: RevisionOptions,
        slots: Mapping[int, Mapping[str, SlotRow]],
        revisions: Sequence[RevisionRow],
    ) -> None:
        """Read the texts that the answer shows."""
        self._module = module
        self._options = options
        self._slots = slots
        self._diffs = RevisionDiffs(module, [revision.rev_id for revision in revisions])
        self._texts = self._read(revisions)

    def _read(self, revisions: Iterable[RevisionRow]) -> dict[str, str]:
        if not self._options.content:
            return {}
        roles = {_MAIN} if self._options.roles is None else set(self._options.roles)
        addresses = [
            slot.address
            for revision in revisions
            if not visibility.is_hidden(revision.deleted & ~revision.readable, visibility.TEXT)
            for role, slot in self._slots.get(revision.rev_id, {}).items()
            if role in roles
        ]
        return texts.by_addresses(self._module.db, addresses)

    def of(self, revision: RevisionRow, title: Title) -> Mapping[str, Any]:
        """Return the data of the slots of a revision."""
        found = self._slots.get(revision.rev_id, {})
        if self._options.roles is None:
            main = found.get(_MAIN)
            return self._legacy(main, revision, title) if main else {"slotsmissing": True}
        data = Obj(element="slot", key="role")
        for role in self._options.roles:
            if role in found:
                data[role] = self._slot(found[role], revision)
        return {"slots": data}

    def _slot(self, slot: SlotRow, revision: RevisionRow) -> Obj:
        item = Obj(self._measures(slot, revision), content="content")
        text = self._text(slot, revision, item)
        if text is None or "content" not in self._options.props:
            return item
        style = self._options.format or default_format(slot.model)
        if not _supports(slot.model, style):
            item["badcontentformat"] = True
            return item
        item |= {"contentmodel": slot.model, "contentformat": style, "content": text}
        return item

    def _measures(self, slot: SlotRow, revision: RevisionRow) -> dict[str, Any]:
        item: dict[str, Any] = {}
        if "slotsize" in self._options.props:
            item["size"] = slot.size
        if "slotsha1" in self._options.props:
            if visibility.is_hidden(revision.deleted, visibility.TEXT):
                item["sha1hidden"] = True
            if not visibility.is_hidden(revision.deleted & ~revision.readable, visibility.TEXT):
                item["sha1"] = hex_sha1(slot.sha1)
        if "contentmodel" in self._options.props:
            item["contentmodel"] = slot.model
        return item

    def _text(self, slot: SlotRow, revision: RevisionRow, item: dict[str, Any]) -> str | None:
        if not self._options.content:
            return None
        if visibility.is_hidden(revision.deleted, visibility.TEXT):
            item["texthidden"] = True
        if visibility.is_hidden(revision.deleted & ~revision.readable, visibility.TEXT):
            return None
        text: str | None = self._texts[slot.address]
        if self._options.section is not None:
            text = self._section(text or "", slot.model)
            if text is None:
                item["nosuchsection"] = True
        return text

    def _section(self, text: str, model: str) -> str | None:
        if model != WIKITEXT or self._options.section is None:
            return None
        return section_text(text, self._options.section, self._module.site.parser.preprocessor)

    # The legacy form

    def _legacy(self, slot: SlotRow, revision: RevisionRow, title: Title) -> dict[str, Any]:
        item = self._measures(slot, revision)
        text = self._text(slot, revision, item)
        if "nosuchsection" in item:
            params = (Plain(self._options.section or ""), Plain(title.prefixed_text))
            raise ApiError("nosuchsection", "apierror-nosuchsection-what", *params)
        if text is None:
            return item
        if self._options.parse_tree:
            self._add_tree(item, text, slot, title)
        if "content" in self._options.props:
            self._add_content(item, text, slot, revision, title)
        if self._options.compare:
            item["diff"] = self._diffs.of(revision, title, text)
        return item

    def _add_tree(self, item: dict[str, Any], text: str, slot: SlotRow, title: Title) -> None:
        if slot.model == WIKITEXT:
            item["parsetree"] = tree_xml(self._module.site.parser.preprocessor.tree(text))
            return
        item["badcontentformatforparsetree"] = True
        self._warn("apierror-parsetree-notwikitext-title", title, slot.model)

    def _add_content(
        self,
        item: dict[str, Any],
        text: str,
        slot: SlotRow,
        revision: RevisionRow,
        title: Title,
    ) -> None:
        site = self._module.site
        parser, model = site.parser, site.content_models.get(slot.model)
        if self._options.parse and model:
            options = self._parser_options(revision)
            item["content"] = model.render(parser, text, title, options).html
        elif self._options.expand and slot.model == WIKITEXT:
            item["content"] = parser.expand(text, title)
        elif self._options.expand:
            item["badcontentformat"] = True
            self._warn("apierror-templateexpansion-notwikitext", title, slot.model)
        else:
            self._add_source(item, text, slot, title)

    def _parser_options(self, revision: RevisionRow) -> ParserOptions:
        return ParserOptions(
            language=self._module.context.language,
            user=self._module.context.user.name,
            thumb_width=preferences.thumb_width_of(self._module.context.user, self._module.site),
            limit_report=False,
            revision=Revision(
                revision.rev_id,
                moment_of(revision.timestamp),
                revision.user_name or "",
                revision.length,
            ),
        )

    def _add_source(self, item: dict[str, Any], text: str, slot: SlotRow, title: Title) -> None:
        style = self._options.format or default_format(slot.model)
        if not _supports(slot.model, style):
            item["badcontentformat"] = True
            params = (Plain(style), Plain(slot.model), Plain(title.prefixed_text))
            self._module.warn("apierror-badformat", *params)
            return
        item |= {"contentformat": style, "contentmodel": slot.model, "content": text}

    def _warn(self, key: str, title: Title, model: str) -> None:
        self._module.warn(key, Plain(title.prefixed_text), Plain(model))


def _supports(model: str, style: str) -> bool:
    return style == default_format(model)


def hex_sha1(base36: str) -> str:
    """Return a SHA-1 as 40 hexadecimal digits, given the 31 digits of base 36 in the store."""
    return f"{int(base36, 36):040x}" if base36 else ""


_MOST = 1
"""How many comparisons one answer has, as in MediaWiki; the others are ``notcached``."""


class _Pair(NamedTuple):
    """The ids of two revisions to compare; None for one that does not exist.

    ``shown`` are the ids that the answer gives.
    """

    old: int | None
    new: int | None
    shown: tuple[int, int]


class RevisionDiffs:
    """Compares the revisions of one answer with the revision or text that the request names."""

    def __init__(self, module: QueryModule, revision_ids: Sequence[int]) -> None:
        """Initialise for the module with the parameters."""
        self._module = module
        self._ids = revision_ids
        self._left = _MOST
        self._texts: dict[int, str] = {}

    def of(self, revision: RevisionRow, title: Title, text: str) -> Obj:
        """Return the comparison of a revision, whose text is given."""
        if not self._left:
            return Obj({"notcached": True})
        p = self._module.p
        if p.is_given("difftotext"):
            self._left -= 1
            given = self._given(p.text("difftotext"), title)
            return self._compared(Obj(content="body"), text, given)
        pair = self._pair(revision, p.text("diffto"))
        data = Obj({"from": pair.shown[0] or False, "to": pair.shown[1]}, content="body")
        old, new = (
            text if number == revision.rev_id else self._text(number)
            for number in (pair.old, pair.new)
        )
        if pair.old is None or old == new:
            # There is nothing to compare, so it does not count as a comparison.
            data["body"] = ""
            return data
        self._left -= 1
        return self._compared(data, old, new)

    def _given(self, text: str, title: Title) -> str:
        """Return the text to compare with, transformed as on saving if ``difftotextpst`` is set."""
        if not self._module.p.flag("difftotextpst"):
            return text
        return self._module.site.parser.saved(
            text, title, self._module.context.user.name, signature_of(self._module.context.user)
        )

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
        found = pages.by_revision_ids(self._module.db, self._ids)
        return {revision_id: page.latest for revision_id, page in found.items()}

    @cached_property
    def _with_earlier(self) -> set[int]:
        return neighbours.with_earlier(self._module.db, self._ids)

    def _text(self, revision_id: int | None) -> str:
        if not revision_id:
            return ""
        if revision_id not in self._texts:
            stored = texts.of_revisions(self._module.db, [revision_id]).get(revision_id)
            self._texts[revision_id] = (stored.text or "") if stored else ""
        return self._texts[revision_id]

    def _compared(self, data: Obj, old: str, new: str) -> Obj:
        rows = table_rows(old, new, self._line, self._module.result.limit)
        data["body"] = rows or ""
        return data

    def _line(self, number: int) -> str:
        message = Message("lineno", (Num(number),))
        return self._module.site.messages.text(message, self._module.context.language)
