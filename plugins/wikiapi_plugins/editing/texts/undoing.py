"""Undoing revisions of a page."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.api import Module
from wikiapi.errors import ApiError
from wikiapi.store import RevisionRow
from wikiapi.store.models import Revision
from wikiapi.store.queries import revisions, texts
from wikiapi_plugins.editing.pages import CurrentPage
from wikiapi_plugins.editing.recording.reverts import UNDO, Reverted
from wikiapi_plugins.editing.texts.merging import merge


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
    last = _revision(module, undo)
    base_id = undo_after or last.parent_id or 0
    for revision in (last, _revision(module, base_id)):
        if page.row is None or revision.page_id != page.row.page_id:
            title = page.title.prefixed_text
            raise ApiError.of("revwrongpage", "apierror-revwrongpage", revision.rev_id, title)
    found = texts.of_revisions(module.db, [undo, base_id])
    before, after = found[base_id], found[undo]
    if before.text is None or after.text is None or page.text is None:
        raise ApiError.of("undofailure", "undo-failure")
    if page.row is not None and page.row.latest == undo:
        text: str | None = before.text
    else:
        text = merge(after.text, before.text, page.text)
    if text is None:
        raise ApiError.of("undofailure", "undo-failure")
    reverted = Reverted(base_id, undo, UNDO, is_exact=text == before.text)
    return Undone(text, before.model, _summary(module, last, base_id), reverted)


def _revision(module: Module, number: int) -> RevisionRow:
    found = revisions.by_ids(module.db, [number]).get(number) if number else None
    if found is None:
        raise ApiError.of("nosuchrevid", "apierror-nosuchrevid", number)
    return found


def _summary(module: Module, last: RevisionRow, base_id: int) -> str:
    """Return the summary; empty if more than one revision is undone."""
    following = (
        Revision.select(Revision.rev_id)
        .where(Revision.rev_page == last.page_id, Revision.rev_id > base_id)
        .order_by(Revision.rev_id)
    )
    if module.db.scalar(following.limit(1)) != last.rev_id or last.user_name is None:
        return ""
    name = last.user_name
    return (
        f"Undo revision [[Special:Diff/{last.rev_id}|{last.rev_id}]] by "
        f"[[Special:Contributions/{name}|{name}]] ([[User talk:{name}|talk]])"
    )
