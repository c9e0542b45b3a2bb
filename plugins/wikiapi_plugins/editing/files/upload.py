"""``action=upload``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wikiapi.api import Obj
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.i18n import Message, Num
from wikiapi.store.queries import pages
from wikiapi.title import Title
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.files import filetypes
from wikiapi_plugins.editing.files.answers import published_info, stashed_info
from wikiapi_plugins.editing.files.folder import FolderChanges, UploadFolder, link_or_copy
from wikiapi_plugins.editing.files.names import Destination, destination
from wikiapi_plugins.editing.files.publishing import Upload as Publication
from wikiapi_plugins.editing.files.publishing import publish
from wikiapi_plugins.editing.files.sources import Source, fetch, find_source
from wikiapi_plugins.editing.files.stash import CHUNKS, Stash, Stashed
from wikiapi_plugins.editing.files.verification import (
    Verified,
    check_part,
    check_size,
    verify,
)
from wikiapi_plugins.editing.files.warnings import warnings_about
from wikiapi_plugins.editing.parameters import watch_expiry
from wikiapi_plugins.editing.recording.tagging import check_tags
from wikiapi_plugins.editing.watchlists.watching import PREFERENCES, WATCH, Watcher

_NAME = "filename"


class _Recoverable(Exception):
    """An upload that is refused but can be corrected: it is stashed, and the error has its key."""

    def __init__(self, errors: list[ApiError], file: Verified, parameter: str = "") -> None:
        super().__init__()
        self.errors, self.file, self.parameter = errors, file, parameter


class Upload(WriteAction):
    """Publishes or stashes a file."""

    def execute(self) -> None:
        """Perform the upload; if it is refused but can be corrected, stash the file.

        Raises:
            ApiError: ``uploaddisabled``, or the upload is refused.
            ApiErrors: the upload is refused for several reasons.
        """
        if not self.site.config.files.folder:
            raise ApiError.of("uploaddisabled", "uploaddisabled")
        with UploadFolder(self.site.config.files).incoming() as self._incoming:
            try:
                super().execute()
            except _Recoverable as refused:
                raise self._recoverable(refused) from refused

    def perform(self) -> None:
        """Store the file or chunk, or look up the state of an upload, and put it in the result."""
        key = self.p.text_or_none("filekey") or self.p.text_or_none("sessionkey")
        if self.p.flag("checkstatus") and key:
            self._tell_status(key)
            return
        source = find_source(self)
        self._check_user(by_address=bool(source.url))
        if source.is_chunk:
            self._take_chunk(source)
        else:
            self._take_file(source)

    # Who may upload

    def _check_user(self, *, by_address: bool) -> None:
        user = self.context.user
        rights = (*(("upload_by_url",) if by_address else ()), "upload", "edit")
        lacking = [right for right in rights if not user.can(right)]
        if not lacking:
            return
        if user.is_anonymous:
            raise ApiError.of("mustbeloggedin", "apierror-mustbeloggedin", "upload")
        raise ApiError(Message("badaccess-group0", (lacking[0],)), "permissiondenied")

    def _check_title(self, title: Title, file: Verified | None) -> None:
        """Refuse a title that the user may not upload to.

        Raises:
            ApiErrors: the reasons, for a chunk.
            _Recoverable: the reasons, for a complete file, which can be stashed.
        """
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        errors: list[ApiError] = []
        for action in ("edit", "upload"):
            try:
                self.check_allowed(action, title, row)
            except ApiErrors as refused:
                known = {error.message for error in errors}
                errors += [error for error in refused.errors if error.message not in known]
        if not errors:
            errors += self._forbidden_overwriting(title)
        if not errors:
            return
        if file is None:
            raise ApiErrors(errors)
        raise _Recoverable(errors, file, _NAME)

    def _forbidden_overwriting(self, title: Title) -> list[ApiError]:
        user = self.context.user
        found = self.site.files.find([title]).get(title)
        if found is None or found.name != title.dbkey:
            return []
        if not found.is_local:
            key = "fileexists-shared-forbidden"
            return [] if user.can("reupload-shared") else [ApiError.of(key, key, title.dbkey)]
        uploader = found.current.uploader
        is_own = uploader is not None and not user.is_anonymous and uploader.id == user.id
        if user.can("reupload") or (is_own and user.can("reupload-own")):
            return []
        return [ApiError.of("fileexists-forbidden", "fileexists-forbidden", title.dbkey)]

    # A complete file

    def _take_file(self, source: Source) -> None:
        path, mime = self._at_hand(source)
        target = destination(self.site, self.p.text(_NAME), mime)
        file = self._verified(path, mime, target)
        title = target.title
        if target.problem or title is None:
            problem = target.problem or ApiError.of("illegal-filename", "illegal-filename")
            if problem.code == "filetype-banned":
                raise problem
            raise _Recoverable([problem], file, _NAME)
        if not self.p.flag("stash"):
            self._check_title(title, file)
        warnings = warnings_about(self, target, title, file.facts.sha1)
        if warnings and not self.p.flag("ignorewarnings"):
            answer = {"result": "Warning", "warnings": warnings, **self._stashed(file)}
        elif self.p.flag("stash"):
            answer = self._stash(file, warnings)
        else:
            answer = self._publish(title, file, warnings, source.stashed)
        self.result.set((), self.name, Obj(answer))

    def _at_hand(self, source: Source) -> tuple[Path, str]:
        """Return the path of the data and its MIME type; data from elsewhere is stored first."""
        if source.stashed is not None:
            path = Stash(self.context).path_of(source.stashed)
            return path, filetypes.type_of(path)
        data = fetch(self, source.url) if source.url else source.data
        check_size(self.site, len(data))
        path = self._incoming / "data"
        path.write_bytes(data)
        return path, filetypes.type_of(path)

    def _verified(self, path: Path, mime: str, target: Destination) -> Verified:
        """Verify a file under a name with its future extension, and return the facts about it."""
        named = self._incoming / f"upload.{target.extension.lower() or 'bin'}"
        if not named.exists():
            link_or_copy(path, named)
        return verify(named, mime, target.extension)

    def _publish(
        self, title: Title, file: Verified, warnings: Obj, former: Stashed | None
    ) -> dict[str, Any]:
        tags = self.p.texts("tags")
        check_tags(self.db, tags)
        is_new_page = title.key not in pages.existing(self.db, [title.key])
        exists = bool(self.site.files.local.existing([title.dbkey]))
        comment = self.p.text("comment").strip()
        text = self.p.text_or_none("text")
        upload = Publication(
            title, file.path, file.facts, comment, comment if text is None else text, tags
        )
        wanted = self._wants_to_watch(title, exists=exists)
        try:
            publish(self, upload)
        except ApiError as error:
            raise _Recoverable([error], file) from error
        Watcher(self.context).apply(wanted, title, watch_expiry(self))
        if former is not None:
            Stash(self.context).remove(self.file_changes, former)
        answer: dict[str, Any] = {"result": "Success", "filename": title.dbkey}
        if warnings:
            answer["warnings"] = warnings
        info = published_info(self.site, title, is_new_page=is_new_page, former=former)
        return {**answer, "imageinfo": info}

    def _wants_to_watch(self, title: Title, *, exists: bool) -> bool | None:
        watcher, choice = Watcher(self.context), self.p.text("watchlist")
        if self.p.flag("watch"):
            return watcher.wants(WATCH, title, "")
        options = ["watchdefault"]
        if choice == PREFERENCES:
            options += ["watchuploads", *(() if exists else ("watchcreations",))]
        found = (watcher.wants(choice, title, option) for option in options)
        return next((wanted for wanted in found if wanted), None)

    # The stash

    def _stash(self, file: Verified, warnings: Obj) -> dict[str, Any]:
        stashed = Stash(self.context).add(self.file_changes, file.path, file.facts)
        answer: dict[str, Any] = {"result": "Success"}
        if warnings:
            answer["warnings"] = warnings
        keys = {"filekey": stashed.key, "sessionkey": stashed.key}
        return {**answer, **keys, "imageinfo": stashed_info(self.site, stashed)}

    def _stashed(self, file: Verified) -> Mapping[str, Any]:
        """Stash a file and return its key, under both of the parameter names for it."""
        stashed = Stash(self.context).add(self.file_changes, file.path, file.facts)
        return {"filekey": stashed.key, "sessionkey": stashed.key}

    def _recoverable(self, refused: _Recoverable) -> ApiErrors:
        """Stash a refused file in a separate transaction, and return the errors with its key."""
        with FolderChanges(self.file_changes.folder) as self.file_changes, self.db.atomic():
            data = dict(self._stashed(refused.file))
        if refused.parameter:
            data["invalidparameter"] = refused.parameter
        return ApiErrors(
            [
                ApiError(error.message, error.code, {**error.data, **data})
                for error in refused.errors
            ]
        )

    def _tell_status(self, key: str) -> None:
        stashed = Stash(self.context).peek(key)
        if stashed is None or stashed.status != CHUNKS:
            raise ApiError.of("missingresult", "apierror-upload-missingresult")
        answer = {"result": "Continue", "stage": "uploading", "offset": stashed.size}
        self.result.set((), self.name, Obj(answer))

    # Chunks

    def _take_chunk(self, source: Source) -> None:
        size = self.p.number_or_none("filesize") or 0
        if size > self.site.config.editing.upload_bytes:
            raise ApiError.of("file-too-large", "file-too-large", size)
        chunk, stash = source.data, Stash(self.context)
        path = self._incoming / "chunk"
        path.write_bytes(chunk)
        first = stash.path_of(source.stashed) if source.stashed else path
        mime = filetypes.type_of(first)
        target = destination(self.site, self.p.text(_NAME), mime)
        if target.title is None or target.problem:
            raise target.problem or ApiError.of("illegal-filename", "illegal-filename")
        if not self.p.flag("stash"):
            self._check_title(target.title, None)
        warnings = warnings_about(self, target, target.title, "")
        so_far = self._check_chunk(source, size)
        suffix = target.extension
        if source.stashed is None:
            check_part(path, mime, suffix.lower())
            stashed = stash.begin(self.file_changes, suffix, chunk)
        else:
            check_part(path, filetypes.type_of(path), suffix.lower())
            stashed = stash.append(source.stashed, chunk)
        answer: dict[str, Any] = {}
        if warnings and not self.p.flag("ignorewarnings"):
            keys = {"filekey": stashed.key, "sessionkey": stashed.key}
            answer = {"result": "Warning", "warnings": warnings, **keys}
        elif so_far < size:
            answer = {"result": "Continue", "offset": so_far, "filekey": stashed.key}
        else:
            answer = self._complete(stashed, target, target.title)
        if warnings and "warnings" not in answer:
            answer["warnings"] = warnings
        self.result.set((), self.name, Obj(answer))

    def _check_chunk(self, source: Source, size: int) -> int:
        """Return the size of the upload in bytes, including this chunk.

        Raises:
            ApiError: ``invalid-chunk``, ``chunk-too-small`` or ``stashfailed``.
        """
        offset = self.p.number_or_none("offset") or 0
        so_far = offset + len(source.data)
        if so_far > size:
            raise ApiError.of("invalid-chunk", "apierror-invalid-chunk")
        least = self.site.config.editing.min_chunk_bytes
        if so_far != size and len(source.data) < least:
            message = Message("apierror-chunk-too-small", (Num(least),))
            raise ApiError(message, "chunk-too-small")
        if source.stashed is not None and source.stashed.size != offset:
            message = Message("invalid-chunk-offset")
            raise ApiError(message, "stashfailed", {"offset": source.stashed.size})
        return so_far

    def _complete(self, stashed: Stashed, target: Destination, title: Title) -> dict[str, Any]:
        """Verify the completed file, stash it under a new key, and return the answer."""
        stash = Stash(self.context)
        path = stash.path_of(stashed)
        check_size(self.site, stashed.size)
        try:
            file = self._verified(path, filetypes.type_of(path), target)
        except ApiError as error:
            raise ApiError(Message(error.code), "stashfailed") from error
        stash.remove(self.file_changes, stashed)
        answer = {"result": "Success"}
        warnings = warnings_about(self, target, title, file.facts.sha1)
        done = stash.add(self.file_changes, file.path, file.facts)
        told = {"warnings": warnings} if warnings else {}
        info = stashed_info(self.site, done)
        return {**answer, **told, "filekey": done.key, "imageinfo": info}
