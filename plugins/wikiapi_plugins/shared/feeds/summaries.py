"""The HTML of feed entries for edits: the summary, and the changes."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

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


def change_summaries(site: Site, language: str, changes: Sequence[Change]) -> list[str]:
    """Return the HTML of each change: its comment and its diff.

    The texts of all changes are read together.
    """
    ids = {n for c in changes for n in (c.revision, c.before) if n}
    stored = texts.of_revisions(site.db, ids) if ids else {}
    summaries = [(change.comment, change.title) for change in changes]
    comments = format_comments(site.parser, summaries, language=language)

    def line_label(number: int) -> str:
        return site.messages.text(Message("lineno", (Num(number),)), language)

    def difference(change: Change) -> str:
        new, old = stored.get(change.revision), stored.get(change.before)
        if new is None or new.text is None:
            return ""
        if not change.before:
            return _NEW.format(text_html(new.text))
        if old is None or old.text is None:
            return ""
        if max(len(old.text), len(new.text)) > 4 * _MAX_CHARACTERS:
            return _TOO_LARGE
        rows = table_rows(old.text, new.text, line_label, _MAX_CHARACTERS)
        return _TOO_LARGE if rows is None else _TABLE.format(rows) if rows else ""

    bodies = map(difference, changes)
    return [f"<p>{c}</p>\n{body}" for c, body in zip(comments, bodies, strict=True)]


def text_html(text: str) -> str:
    """Return a text as HTML with its line breaks; a long text is cut."""
    cut = text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}\u2026"
    return escape_all(cut).replace("\n", "<br />\n")


def content_summary(edit: RevisionRow, comment: str, stored: RevisionText | None) -> str:
    """Return the HTML of an edit: its author, ``comment`` (HTML), and the text of the revision."""
    text = text_html(stored.text) if stored and stored.text is not None else ""
    author = html.escape(edit.user_name or "")
    return f"<p>{author}: {comment}</p>\n<hr />\n<div>{text}</div>"
