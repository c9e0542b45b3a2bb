"""Publishing a version of a file: its data, its page, its log entry and derived data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wikiapi.dump.files.mediafile import MediaFacts
from wikiapi.title import Title
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.files.versions import FileVersions, Published
from wikiapi_plugins.editing.pages import current_page
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.recording.tagging import tag_change
from wikiapi_plugins.editing.saving import NewText, PageWriter
from wikiapi_plugins.editing.texts.summaries import cut_summary

UPLOAD, OVERWRITE, REVERT = "upload", "overwrite", "revert"
_WORDS = {
    UPLOAD: "{user} uploaded [[{page}]]",
    OVERWRITE: "{user} uploaded a new version of [[{page}]]",
    REVERT: "{user} reverted [[{page}]] to an old version",
}
"""Summaries of the dummy revisions that record new versions in the history of the file's page."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Data that is to become the current version of a file.

    ``text`` is the wikitext to store, if the page of the file does not exist yet.
    """

    title: Title
    path: Path
    facts: MediaFacts
    comment: str
    text: str
    tags: tuple[str, ...] = ()
    is_revert: bool = False


def page_text(action: WriteAction, title: Title, text: str) -> str:
    """Return the wikitext to store for a new file page. It may take long."""
    saved = action.site.parser.saved(text.rstrip(), title, action.context.user.name)
    return saved.rstrip()


def publish(action: WriteAction, upload: Upload) -> Published:
    """Publish a version of a file with its page and its log entry.

    Raises:
        ApiError: ``fileexists-no-change``.
    """
    title, comment = upload.title, cut_summary(upload.comment)
    published = FileVersions(action).publish(title, upload.path, upload.facts, comment)
    word = UPLOAD if published.is_new else OVERWRITE
    if upload.is_revert:
        word = REVERT
    page = current_page(action, title)
    writer = PageWriter(action.context)
    # As in MediaWiki, the log entry comes first; it refers to the revision saved right after it.
    page_id = page.row.page_id if page.row else writer.next_page_id()
    entry_id = Changelog(action.context).add_entry(
        "upload",
        word,
        title,
        page_id=page_id,
        reason=comment,
        params={"img_sha1": published.sha1, "img_timestamp": published.timestamp},
        revision_id=writer.next_revision_id(),
    )
    if page.row is None:
        new = NewText(upload.text, page.model, comment, skips_recent_changes=True)
    else:
        words = _WORDS[word].format(user=action.context.user.name, page=title.prefixed_text)
        new = NewText("", page.model, words, skips_recent_changes=True, is_edit=False, is_null=True)
    saved = writer.save(title, page.row, new)
    tag_change(action.db, upload.tags, log_id=entry_id, revision_id=saved.revision_id)
    return published
