"""``diffto`` and ``difftotext`` of modules about revisions: what a revision has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.result import Obj
from wikiapi.i18n.message import Message, Num
from wikiapi.store import pages, texts
from wikiapi_plugins.diffs import neighbours
from wikiapi_plugins.diffs.table import table_rows

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.title.title import Title

_MOST = 1
"""Comparisons in one answer, as many as MediaWiki makes; of the others it says ``notcached``."""


class RevisionDiffs:
    """Compares the revisions of one answer with what its request names."""

    def __init__(self, module: QueryModule) -> None:
        """Take the module whose parameters ask for it."""
        self._module = module
        self._left = _MOST

    def of(self, revision: RevisionRow, title: Title, text: str) -> Obj:
        """The difference of a revision of a page with a known text."""
        if not self._left:
            return Obj({"notcached": True})
        self._left -= 1
        own, other = self._module.p["difftotext"], self._module.p["diffto"]
        if own is not None:
            return self._compared(Obj(content="body"), text, self._given(own, title))
        number = self._other(revision, other)
        if other == "prev":
            told = Obj({"from": number} if number else {}, content="body")
            told["to"] = revision.rev_id
            return self._compared(told, self._text(number), text)
        told = Obj({"from": revision.rev_id}, content="body")
        if number:
            told["to"] = 0 if other == "cur" else number
        return self._compared(told, text, self._text(number) if number else text)

    def _given(self, text: str, title: Title) -> str:
        """The request's own text, as saving it would store it if that is asked for."""
        if not self._module.p["difftotextpst"]:
            return text
        return self._module.site.parser.saved(text, title, self._module.context.user.name)

    def _other(self, revision: RevisionRow, named: str) -> int | None:
        db = self._module.db
        match named:
            case "prev":
                return neighbours.before(db, revision)
            case "next":
                return neighbours.after(db, revision)
            case "cur":
                page = pages.by_revision_ids(db, [revision.rev_id]).get(revision.rev_id)
                return page.latest if page else None
        return int(named)

    def _text(self, revision_id: int | None) -> str:
        if not revision_id:
            return ""
        stored = texts.of_revisions(self._module.db, [revision_id]).get(revision_id)
        return (stored.text or "") if stored else ""

    def _compared(self, told: Obj, old: str, new: str) -> Obj:
        rows = table_rows(old, new, self._line, self._module.result.limit)
        told["body"] = rows or ""
        return told

    def _line(self, number: int) -> str:
        message = Message("lineno", (Num(number),))
        return self._module.site.messages.text(message, self._module.context.language)
