"""The HTML of feed entries for edits: the summary, and the changes."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field

from wikiapi.languages import Message, Num
from wikiapi.site import Site
from wikiapi.store import RevisionRow
from wikiapi.store.queries import RevisionText, texts
from wikiapi.title import Title
from wikiapi.wikitext import escape_all, format_comments
from wikiapi_plugins.shared.diffs.table import table_rows

_MAX_CHARACTERS = 32_768
"""The highest number of characters of a difference or a text that a feed shows."""
_TABLE = '<table class="diff">\n{}</table>'
_NEW = "<p><b>New page</b></p><div>{}</div>"
_TOO_LARGE = "<p>The difference is too large to be shown here.</p>"


@dataclass(frozen=True, slots=True)
class Change:
    """An edit or another change of a page.

    ``revision`` is the id of the new revision, or 0; ``before`` that of the revision before it, or
    0 for a new page.
    """

    title: Title
    comment: str
    revision: int = 0
    before: int = 0


@dataclass
class Summaries:
    """Formats the summaries of several changes, whose texts are read together."""

    site: Site
    language: str
    _stored: dict[int, RevisionText] = field(default_factory=dict)

    def of(self, changes: Sequence[Change], *, with_changes: bool = True) -> list[str]:
        """Return the HTML of each change: its comment and, with ``with_changes``, its diff."""
        ids = {n for c in changes for n in (c.revision, c.before) if n} if with_changes else ()
        self._stored = texts.of_revisions(self.site.db, ids) if ids else {}
        comments = format_comments(self.site.parser, [(c.comment, c.title) for c in changes])
        bodies = map(self._changed, changes)
        return [f"<p>{c}</p>\n{body}" for c, body in zip(comments, bodies, strict=True)]

    def _changed(self, change: Change) -> str:
        new = self._text(change.revision)
        if new is None:
            return ""
        if not change.before:
            return _NEW.format(shown_text(new))
        old = self._text(change.before)
        if old is None:
            return ""
        return self._difference(old, new)

    def _text(self, revision: int) -> str | None:
        stored = self._stored.get(revision)
        return None if stored is None else stored.text

    def _difference(self, old: str, new: str) -> str:
        if max(len(old), len(new)) > 4 * _MAX_CHARACTERS:
            return _TOO_LARGE
        rows = table_rows(old, new, self._line, _MAX_CHARACTERS)
        return _TOO_LARGE if rows is None else _TABLE.format(rows) if rows else ""

    def _line(self, number: int) -> str:
        return self.site.messages.text(Message("lineno", (Num(number),)), self.language)


def shown_text(text: str) -> str:
    """Return a text as HTML with its line breaks; a long text is cut."""
    cut = text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}\u2026"
    return escape_all(cut).replace("\n", "<br />\n")


def content_summary(edit: RevisionRow, comment: str, stored: RevisionText | None) -> str:
    """Return the HTML of an edit: its author, ``comment`` (HTML), and the text of the revision."""
    text = shown_text(stored.text) if stored and stored.text is not None else ""
    author = html.escape(edit.user_name or "")
    return f"<p>{author}: {comment}</p>\n<hr />\n<div>{text}</div>"
