"""What happens to pages: saving, deleting, restoring, their links, logs, tags and watchers."""

from __future__ import annotations

from wikiapi.pages import reverts, watching
from wikiapi.pages.archive import restore_revisions
from wikiapi.pages.changelog import (
    AUTOPATROLLED,
    PATROLLED,
    REVISION,
    SUPPRESSION,
    UNPATROLLED,
    Changelog,
)
from wikiapi.pages.deletion import PageRemover
from wikiapi.pages.derived import DerivedData
from wikiapi.pages.histories import add_history
from wikiapi.pages.links.pending import derive_waiting
from wikiapi.pages.notices import forget_messages
from wikiapi.pages.reverts import Reverted
from wikiapi.pages.saving import NewText, PageWriter, Saved
from wikiapi.pages.summaries import automatic_summary, automatic_tags, cut_summary
from wikiapi.pages.tags import check_tags, tag_change
from wikiapi.pages.watching import Watcher
from wikiapi.texts import LONGEST_COMMENT, cut_comment

__all__ = [
    "AUTOPATROLLED",
    "LONGEST_COMMENT",
    "PATROLLED",
    "REVISION",
    "SUPPRESSION",
    "UNPATROLLED",
    "Changelog",
    "DerivedData",
    "NewText",
    "PageRemover",
    "PageWriter",
    "Reverted",
    "Saved",
    "Watcher",
    "add_history",
    "automatic_summary",
    "automatic_tags",
    "check_tags",
    "cut_comment",
    "cut_summary",
    "derive_waiting",
    "forget_messages",
    "restore_revisions",
    "reverts",
    "tag_change",
    "watching",
]
