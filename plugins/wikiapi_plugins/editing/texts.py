"""The text that an edit saves: sections of it, merging two edits of it, and undoing edits."""

from __future__ import annotations

import re
from typing import NamedTuple

from wikiapi.accounts import Performer, signature_of
from wikiapi.api import CurrentPage, Module
from wikiapi.errors import ApiError
from wikiapi.pages import Reverted, reverts
from wikiapi.store import RevisionRow, bounds
from wikiapi.store.models import Revision
from wikiapi.store.queries import revisions, texts, visibility
from wikiapi.title import WIKITEXT, Title
from wikiapi.wikitext import Parser, nodes, trim
from wikiapi_plugins.shared.diffs.sequences import Effort, compare

NEW = "new"
_TRANSFORMED = frozenset({WIKITEXT, "css", "javascript"})
"""The content models of texts in which signatures and substitutions are expanded."""
_NUMBER = re.compile(r"(T-)?([0-9]{1,9})\Z", re.ASCII)

_INTERNAL_LINK = re.compile(r"\[\[:?+(?:[^\[\]|]*+\|)?([^\[\]|]++)\]\]")
_EXTERNAL_LINK = re.compile(r"\[[^\s\[\]]++ ([^\[\]]++)\]")
_MARKUP = re.compile(r"'{2,5}|<[^<>]*+>")


def plain_heading(heading: str) -> str:
    """Return a heading as it is written in a link to its section: without markup and tags."""
    text = _INTERNAL_LINK.sub(r"\1", heading)
    text = _EXTERNAL_LINK.sub(r"\1", text)
    return _MARKUP.sub("", text)


def without_equals_signs(summary: str) -> str:
    """Return a summary or heading without the equals signs of a heading around it."""
    text = trim(summary)
    if len(text) < 2 or not (text[0] == text[-1] == "="):
        return summary
    inner = trim(text.strip("="))
    return summary if "\n" in inner else inner


def is_section_id(section: str) -> bool:
    """Return whether a text can be the id of a section: empty, ``new``, ``1`` or ``T-1``."""
    return section in ("", NEW) or _NUMBER.match(section) is not None


def stored_text(
    performer: Performer, title: Title, text: str, model: str, *, creates_page: bool = False
) -> str:
    """Return a text as it is stored, with signatures and substitutions expanded.

    Raises:
        ApiError: the text is not valid in its content model.
    """
    site, user, text = performer.site, performer.user, text.rstrip()
    if model in _TRANSFORMED:
        text = site.parser.saved(
            text, title, user.name, signature_of(user), creates_page=creates_page
        ).rstrip()
    else:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    content_model = site.content_models.get(model)
    return text if content_model is None else content_model.saved(site.parser, text, title)


def replace_section(parser: Parser, text: str, section: str, new: str) -> str | None:
    """Return a text with a section replaced; ``None`` if there is no such section.

    A section includes its subsections.
    """
    match = _NUMBER.match(section)
    if match is None:
        return None
    tree = parser.preprocessor.tree(text, inclusion=bool(match[1]))
    headings = [node for node in tree if isinstance(node, nodes.Heading)]
    number = int(match[2])
    if number == 0:
        start, end = 0, headings[0].offset if headings else len(text)
    else:
        position = next((i for i, node in enumerate(headings) if node.index == number), None)
        if position is None:
            return None
        first, rest = headings[position], headings[position + 1 :]
        start = first.offset
        end = next((node.offset for node in rest if node.level <= first.level), len(text))
    after = text[end:]
    new = new.rstrip()
    # Without a new text, the section is removed.
    return text[:start] + (f"{new}\n\n{after}" if new and after else new or after)


def add_section(text: str, heading: str, new: str) -> str:
    """Return a text with a section appended; an empty heading is omitted."""
    section = f"== {heading} ==\n\n{new}" if heading else new
    return f"{text.rstrip()}\n\n{section}" if text.strip() else section


def merge(base: str, mine: str, theirs: str) -> str | None:
    """Return a text with the changes of both sides; ``None`` if there is a conflict."""
    old, one, other = (text.split("\n") for text in (base, mine, theirs))
    effort = Effort()
    changes = sorted(
        (edit.a, edit.a_end, new[edit.b : edit.b_end])
        for new in (one, other)
        for edit in compare(old, new, effort)
        if not edit.is_equal
    )
    merged: list[str] = []
    done = -1
    previous: tuple[int, int, list[str]] | None = None
    for change in changes:
        start, end, lines = change
        if change == previous:
            continue
        # As in diff3, changes of adjacent lines are a conflict as well.
        if start <= done:
            return None
        merged += [*old[max(done, 0) : start], *lines]
        done, previous = end, change
    return "\n".join([*merged, *old[max(done, 0) :]])


class Undone(NamedTuple):
    """A page's text without the changes of some revisions, its model, and a summary."""

    text: str
    model: str
    summary: str
    reverted: Reverted


def undone(module: Module, page: CurrentPage, undo: int, undo_after: int) -> Undone:
    """Return the text of a page without the changes of some revisions.

    Args:
        module: the module that handles the request.
        page: the page as it is now.
        undo: the last revision to undo.
        undo_after: the revision to go back to; 0 for the one before ``undo``.

    Raises:
        ApiError: ``nosuchrevid``, ``revwrongpage`` or ``undofailure``.
    """
    last = _visible_revision(module, undo)
    if undo_after:
        base = _visible_revision(module, undo_after)
    else:
        base = _visible_revision(module, _beside(module, last, is_later=False))
    for revision in (last, base):
        if page.row is None or revision.page_id != page.row.page_id:
            title = page.title.prefixed_text
            raise ApiError("revwrongpage", "apierror-revwrongpage", revision.rev_id, title)
    latest = page.row.latest if page.row else 0
    stored = texts.of_revisions(module.db, [undo, base.rev_id, latest])
    before, after = stored[base.rev_id], stored[undo]
    models = {after.model, stored[latest].model, *(() if latest == undo else (before.model,))}
    # A change of the content model can only be undone if nothing follows it.
    is_possible = models == {page.model} and page.text is not None
    if before.text is None or after.text is None or not is_possible:
        raise ApiError("undofailure", "undo-failure")
    text = before.text if latest == undo else merge(after.text, before.text, page.text or "")
    if text is None:
        raise ApiError("undofailure", "undo-failure")
    reverted = Reverted(base.rev_id, undo, reverts.UNDO, is_exact=text == before.text)
    return Undone(text, before.model, _summary(module, last, base), reverted)


def _visible_revision(module: Module, number: int) -> RevisionRow:
    row = revisions.by_ids(module.db, [number]).get(number) if number else None
    if row is None or row.deleted & visibility.TEXT:
        raise ApiError("nosuchrevid", "apierror-nosuchrevid", number)
    return row


def _beside(module: Module, revision: RevisionRow, *, is_later: bool) -> int:
    """Return the id of the revision before or after one in its page's history; 0 for none.

    Histories are ordered by time and then by id. In one that was merged, this may not be the
    revision's parent.
    """
    columns = (Revision.rev_timestamp, Revision.rev_id)
    place = (revision.timestamp, revision.rev_id)
    limit = bounds.before(columns, place, descending=is_later)
    query = Revision.select(Revision.rev_id).where(Revision.rev_page == revision.page_id, limit)
    ordered = bounds.ordered(query, *columns, descending=not is_later)
    return int(module.db.scalar(ordered.limit(1)) or 0)


def _summary(module: Module, last: RevisionRow, base: RevisionRow) -> str:
    """Return the summary; empty if more than one revision is undone."""
    following = _beside(module, base, is_later=True)
    if following != last.rev_id or last.user_name is None:
        return ""
    params = str(last.rev_id), last.user_name
    return module.site.messages.content_text("undo-summary", *params)
