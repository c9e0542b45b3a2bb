"""Deleting, restoring and moving files together with their pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from wikiapi.api import WriteAction
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi.pages import Changelog, DerivedData, tag_change
from wikiapi.store.queries import pages
from wikiapi.title import FILE, Title
from wikiapi_plugins.editing.files import filetypes
from wikiapi_plugins.editing.files.versions import FileVersions

_OLD_VERSION = re.compile(r"[0-9]{14}!", re.ASCII)


class PageFiles:
    """Changes the files of pages, in the transaction of an action."""

    def __init__(self, action: WriteAction) -> None:
        """Change files on behalf of the request's user."""
        self._action = action
        self._versions = FileVersions(action)

    def exists(self, title: Title) -> bool:
        """Return whether a title is that of an existing file of this wiki. One query."""
        return title.ns == FILE and self._versions.current(title.dbkey) is not None

    def delete(self, title: Title, reason: str) -> int:
        """Delete all versions of the file of a page, and return how many there were.

        Call it before the page is deleted, because that updates the links of the pages that show
        the file.
        """
        return self._versions.delete(title.dbkey, reason) if title.ns == FILE else 0

    def delete_old(
        self, title: Title, archive_name: str, reason: str, tags: Sequence[str] = ()
    ) -> int:
        """Delete an earlier version of a file and return the id of the log entry.

        Raises:
            ApiError: ``invalidoldimage`` or ``nodeleteablefile``.
        """
        if not _OLD_VERSION.match(archive_name) or "/" in archive_name or "\\" in archive_name:
            raise ApiError("invalidoldimage", "invalidoldimage")
        version = next(iter(self._versions.archived(title.dbkey, archive_name)), None)
        if version is None:
            raise ApiError("nodeleteablefile", "nodeleteablefile")
        self._versions.delete_old(version, reason)
        row = pages.by_titles(self._action.db, [title.key]).get(title.key)
        say = self._action.site.messages.content_text
        comment = say("deletedrevision", Plain(archive_name))
        entry_id = Changelog(self._action.context.performer).add_entry(
            "delete",
            "delete",
            title,
            page_id=row.page_id if row else 0,
            reason=f"{comment}{say('colon-separator')}{reason}" if reason.strip() else comment,
        )
        tag_change(self._action.db, tags, log_id=entry_id)
        if row is not None:
            DerivedData(self._action.site).page_changed(title, existed=True)
        return entry_id

    def restore(self, title: Title, ids: Collection[int] | None = None) -> int:
        """Restore deleted versions of the file of a page, and return how many there were.

        Call it before the page is restored. ``ids`` are those of ``list=filearchive``; without
        them, all versions are restored.

        Raises:
            ApiError: ``undeleterevdel``.
        """
        return self._versions.restore(title.dbkey, ids) if title.ns == FILE else 0

    def obstacles(self, old: Title, new: Title) -> list[Message]:
        """Return why the file of a page cannot be moved to a new title with the page."""
        current = self._versions.current(old.dbkey) if old.ns == new.ns == FILE else None
        if current is None:
            return []
        if any(mark in new.dbkey for mark in "/\\:") or new.dbkey.startswith("."):
            return [Message("imageinvalidfilename")]
        mime = f"{current.major_mime}/{current.minor_mime}"
        if not filetypes.fits(mime, new.dbkey):
            return [Message("imagetypemismatch")]
        if self._versions.current(new.dbkey) is not None:
            return [Message("articleexists", (new.prefixed_text,))]
        return []

    def check_shared(self, new: Title, *, ignore_warnings: bool) -> None:
        """Refuse a title that would hide a file of a shared repository, unless that is intended.

        Raises:
            ApiError: ``fileexists-sharedrepo-perm`` or ``cantoverwrite-sharedfile``.
        """
        if new.ns != FILE:
            return
        file = self._action.site.files.find([new]).get(new)
        if file is None or file.is_local:
            return
        if not self._action.context.user.can("reupload-shared"):
            raise ApiError("cantoverwrite-sharedfile", "apierror-cantoverwrite-sharedfile")
        if not ignore_warnings:
            raise ApiError("fileexists-sharedrepo-perm", "apierror-fileexists-sharedrepo-perm")

    def move(self, old: Title, new: Title) -> int:
        """Move all versions of the file of a page, and return how many there are.

        Call it before the page is moved, because that updates the links of the pages that show the
        file.
        """
        return self._versions.move(old, new) if old.ns == new.ns == FILE else 0
