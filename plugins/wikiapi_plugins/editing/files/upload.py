"""``action=upload``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wikiapi.api import (
    TAGS,
    WATCH_PAGE,
    Arr,
    Obj,
    WriteAction,
    boolean,
    enum,
    expiry,
    integer,
    missing_right,
    refuse_blocked,
    string,
    text,
    uploaded_file,
    watch_period,
)
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.filerepo import File, FolderChanges, UploadFolder, link_or_copy, sha1_of_file, sync
from wikiapi.languages import Message, Num
from wikiapi.pages import Watcher, watching
from wikiapi.title import Title
from wikiapi_plugins.editing.files import filetypes
from wikiapi_plugins.editing.files.answers import (
    missing_file_warning,
    published_info,
    stashed_info,
    warnings_about,
)
from wikiapi_plugins.editing.files.names import Destination, destination
from wikiapi_plugins.editing.files.sources import Source, fetch, find_source
from wikiapi_plugins.editing.files.verification import (
    Verified,
    check_part,
    check_size,
    verify,
)
from wikiapi_plugins.editing.files.versions import FilePage, FileVersions, page_text, publish
from wikiapi_plugins.editing.files.versions import Upload as Publication
from wikiapi_plugins.query.files.stash import CHUNKS, Stash, Stashed, missing

_NAME = "filename"
_NOT_STASHED = "uploadstash-exception"


class _Recoverable(Exception):
    """An upload that is refused but can be corrected: it is stashed, and the error has its key."""

    def __init__(self, errors: list[ApiError], file: Verified, parameter: str = "") -> None:
        super().__init__()
        self.errors, self.file, self.parameter = errors, file, parameter


class Upload(WriteAction):
    """Upload a file."""

    name = "upload"
    position = 34
    params = (
        string("filename", "Name of the file on the wiki."),
        string("comment", "Summary, and text of a new file page.", default=""),
        TAGS,
        text("text", "Text of a new file page."),
        WATCH_PAGE,
        enum(
            "watchlist",
            "watch",
            "preferences",
            "nochange",
            default="preferences",
            help="Whether to watch the page, to stop watching it, or to follow the preferences.",
        ),
        expiry("watchlistexpiry", "Until when the page is watched."),
        boolean("ignorewarnings", "Ignore warnings."),
        uploaded_file("file", "The file."),
        string("url", "URL to fetch the file from."),
        string("filekey", "Key of a file that was stashed before."),
        string("sessionkey", "Former name of ``filekey``.", deprecated=True),
        boolean("stash", "Stash the file for now."),
        integer("filesize", "Size of the whole upload.", minimum=0, maximum=104857600),
        integer("offset", "Offset of the chunk in bytes.", minimum=0),
        uploaded_file("chunk", "A part of the file."),
        boolean("async", "Perform slow operations in the background."),
        boolean("checkstatus", "Only return the status of the upload with the given file key."),
    )
    examples = (
        (
            "action=upload&filename=Wiki.png&filekey=filekey&ignorewarnings=1&token=123ABC",
            "Finish a stashed upload",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Upload",)

    _file: Verified
    """The file, unless the request has a chunk."""
    _whole: Verified | None = None
    """The file that the last chunk completes."""
    _refusal: ApiError | None = None
    """Why a chunk cannot be added. As in MediaWiki, it is only told if there are no warnings."""
    _first_sha1: str
    """The hash of the first chunk, with which MediaWiki looks for other files of this content."""
    _elsewhere: File | None = None
    """The file of a shared repository with the same name."""
    _duplicates: Sequence[File] = ()
    """The files of shared repositories with the same content."""

    def execute(self) -> None:
        """Perform the upload; if it is refused but can be corrected, stash the file.

        Raises:
            ApiError: ``uploaddisabled``, or the upload is refused.
            ApiErrors: the upload is refused for several reasons.
        """
        if not self.site.config.files.uploads or not self.site.config.files.folder:
            raise ApiError("uploaddisabled", "uploaddisabled")
        with UploadFolder(self.site.config.files).incoming() as self._incoming:
            try:
                super().execute()
            except _Recoverable as refused:
                raise self._recoverable(refused) from refused

    def prepare(self) -> None:
        """Get the file or chunk, and check its content."""
        key = self.p.text_or_none("filekey") or self.p.text_or_none("sessionkey")
        self._status_key = key if self.p.flag("checkstatus") else None
        if self._status_key:
            return
        self._source = find_source(self)
        self._check_user(by_address=bool(self._source.url))
        if self._source.is_chunk:
            self._prepare_chunk(self._source)
        else:
            self._prepare_file(self._source)

    def perform(self) -> None:
        """Store the file or chunk, or look up the state of an upload, and put it in the result."""
        if self._status_key:
            stashed = Stash(self.context).peek(self._status_key)
            if stashed is None or stashed.status != CHUNKS:
                raise ApiError("missingresult", "apierror-upload-missingresult")
            answer = {"result": "Continue", "stage": "uploading", "offset": stashed.size}
            self.result.set((), self.name, Obj(answer))
        elif self._source.is_chunk:
            self._finish_chunk(self._source)
        else:
            self._finish_file(self._source)

    # Who may upload

    def _check_user(self, *, by_address: bool) -> None:
        user = self.context.user
        rights = (*(("upload_by_url",) if by_address else ()), "upload", "edit")
        lacking = [right for right in rights if not user.can(right)]
        if not lacking:
            refuse_blocked(self.context, "upload")
            return
        if user.is_anonymous:
            raise ApiError("mustbeloggedin", "apierror-mustbeloggedin", "upload")
        raise ApiError("permissiondenied", missing_right(self.site, lacking[0]))

    def _check_page(self, page: FilePage, file: Verified | None) -> None:
        """Refuse the title of a page that the user may not upload to.

        Raises:
            ApiErrors: the reasons, for a chunk.
            _Recoverable: the reasons, for a complete file, which can be stashed.
        """
        try:
            self.check_all_allowed(("edit", "upload"), page.title, page.row)
        except ApiErrors as refused:
            errors = list(refused.errors)
        else:
            errors = self._forbidden_overwriting(page)
        if not errors:
            return
        if file is None:
            raise ApiErrors(errors)
        raise _Recoverable(errors, file, _NAME)

    def _forbidden_overwriting(self, page: FilePage) -> list[ApiError]:
        user, name = self.context.user, page.title.dbkey
        if page.current is None:
            if self._elsewhere is None or self._elsewhere.name != name:
                return []
            key = "fileexists-shared-forbidden"
            return [] if user.can("reupload-shared") else [ApiError(key, key, name)]
        if user.can("reupload"):
            return []
        if FileVersions(self).is_own(name) and user.can("reupload-own"):
            return []
        return [ApiError("fileexists-forbidden", "fileexists-forbidden", name)]

    # A complete file

    def _prepare_file(self, source: Source) -> None:
        path = self._incoming / "data"
        self._receive(source, path)
        mime = filetypes.type_of(path)
        self._target = target = destination(self.site, self.p.text(_NAME), mime)
        self._file = file = self._verified(path, mime, target)
        title = target.title
        if target.problem or title is None:
            problem = target.problem or ApiError("illegal-filename", "illegal-filename")
            if problem.code == "filetype-banned":
                raise problem
            raise _Recoverable([problem], file, _NAME)
        self._title = title
        self._ask_others(title, file)
        if not self.p.flag("stash"):
            comment, text = self.p.text("comment"), self.p.text_or_none("text")
            self._text = page_text(self, title, comment if text is None else text)

    def _finish_file(self, source: Source) -> None:
        """Publish or stash a file whose content is checked, and put the outcome in the result."""
        former, file = source.stashed, self._file
        if former is not None:
            Stash(self.context).complete(former.key)
        page = FileVersions(self).page(self._title)
        if not self.p.flag("stash"):
            self._check_page(page, file)
        warnings = warnings_about(self, self._target, page, file.facts.sha1, self._duplicates)
        if warnings and not self.p.flag("ignorewarnings"):
            answer: dict[str, Any] = {"result": "Warning", "warnings": warnings}
            answer |= self._stashed(file, self.file_changes)
        elif self.p.flag("stash"):
            stashed = Stash(self.context).add(self.file_changes, file.path, file.facts)
            answer = {"result": "Success"}
            if warnings:
                answer["warnings"] = warnings
            answer |= {"filekey": stashed.key, "sessionkey": stashed.key}
            answer["imageinfo"] = stashed_info(self.site, stashed)
        else:
            answer = self._publish(page, file, warnings, former)
        self.result.set((), self.name, Obj(answer))

    def _receive(self, source: Source, path: Path) -> None:
        """Write the data of an upload to a new file, and flush it to disk."""
        if source.stashed is not None:
            try:
                link_or_copy(Stash(self.context).start_of(source.stashed), path)
            except FileNotFoundError as error:
                raise missing(source.stashed.key) from error
            return
        data = fetch(self, source.url) if source.url else source.data
        check_size(self.site, len(data))
        path.write_bytes(data)
        sync(path)

    def _verified(self, path: Path, mime: str, target: Destination) -> Verified:
        """Verify a file under a name with its future extension, and return the facts about it."""
        named = self._incoming / f"upload.{target.extension.lower() or 'bin'}"
        return verify(path.rename(named), mime, target.extension)

    def _ask_others(self, title: Title, file: Verified | None) -> None:
        """Look for files in shared repositories, which may be on other servers."""
        if not self.site.files.foreign:
            return
        present = self.site.files.find([title]).get(title)
        if present is not None and not present.is_local:
            self._elsewhere = present
        if file is not None:
            sha1 = file.facts.sha1
            same = self.site.files.by_sha1([sha1]).get(sha1, [])
            self._duplicates = [other for other in same if not other.is_local]

    def _publish(
        self, page: FilePage, file: Verified, warnings: Obj, former: Stashed | None
    ) -> dict[str, Any]:
        title, tags = page.title, self.p.texts("tags")
        exists = page.current is not None
        if page.row is not None and page.row.is_redirect:
            exists = bool(self.site.files.local.existing([title.dbkey]))
        warning = None if exists else missing_file_warning(self.site, title)
        comment = self.p.text("comment").strip()
        upload = Publication(file.path, file.facts, comment, self._text, tags)
        watcher = Watcher(self.context.performer)
        watches = self._wants_to_watch(watcher, title, exists=exists)
        try:
            publish(self, page, upload)
        except ApiError as error:
            # MediaWiki has consumed the file by then, and says that it cannot stash it.
            lost = {
                "message": _NOT_STASHED,
                "params": Arr(["UploadStashBadPathException", "Path doesn't exist."], "param"),
                "code": _NOT_STASHED,
                "type": "error",
            }
            data = {**error.data, "stasherrors": Arr([Obj(lost)], "error")}
            raise ApiError(error.code, error.message, data=data) from error
        watcher.apply(watches, title, watch_period(self))
        if former is not None:
            Stash(self.context).remove(self.file_changes, former)
        answer: dict[str, Any] = {"result": "Success", "filename": title.dbkey}
        if warnings:
            answer["warnings"] = warnings
        info = published_info(
            self.site, title, is_new_page=page.row is None, former=former, warning=warning
        )
        return {**answer, "imageinfo": info}

    def _wants_to_watch(self, watcher: Watcher, title: Title, *, exists: bool) -> bool | None:
        choice = self.p.text("watchlist")
        if self.p.flag("watch"):
            return watcher.wants(watching.WATCH, title)
        options = ["watchdefault"]
        if choice == watching.PREFERENCES:
            options += ["watchuploads", *(() if exists else ("watchcreations",))]
        return watcher.wants(choice, title, *options)

    # The stash

    def _stashed(self, file: Verified, changes: FolderChanges) -> Mapping[str, Any]:
        """Stash a file and return its key, under both of the parameter names for it."""
        stashed = Stash(self.context).add(changes, file.path, file.facts)
        return {"filekey": stashed.key, "sessionkey": stashed.key}

    def _recoverable(self, refused: _Recoverable) -> ApiErrors:
        """Stash a refused file in a separate transaction, and return the errors with its key."""
        folder = UploadFolder(self.site.config.files)
        with FolderChanges(folder) as changes, self.db.atomic():
            data = dict(self._stashed(refused.file, changes))
        if refused.parameter:
            data["invalidparameter"] = refused.parameter
        return ApiErrors(
            [
                ApiError(error.code, error.message, data={**error.data, **data})
                for error in refused.errors
            ]
        )

    # Chunks

    def _prepare_chunk(self, source: Source) -> None:
        """Check a chunk and, with the last one, the whole file."""
        size = self.p.number_or_none("filesize") or 0
        if size > self.site.config.editing.upload_bytes:
            raise ApiError("file-too-large", "file-too-large", size)
        chunk, stash, before = self._incoming / "chunk", Stash(self.context), source.stashed
        chunk.write_bytes(source.data)
        sync(chunk)
        first = stash.start_of(before) if before else chunk
        try:
            mime = filetypes.type_of(first)
            self._first_sha1 = sha1_of_file(first)
        except FileNotFoundError as error:
            raise missing(before.key if before else "") from error
        self._target = target = destination(self.site, self.p.text(_NAME), mime)
        if target.title is None or target.problem:
            # What is wrong with the name is only told for complete files.
            raise ApiError("illegal-filename", "illegal-filename")
        self._title = target.title
        self._ask_others(target.title, None)
        if not self.p.flag("stash"):
            self._check_page(FileVersions(self).page(target.title), None)
        offset = self.p.number_or_none("offset") or 0
        self._so_far = so_far = offset + len(source.data)
        least = self.site.config.editing.min_chunk_bytes
        if so_far > size:
            self._refusal = ApiError("invalid-chunk", "apierror-invalid-chunk")
        elif so_far != size and len(source.data) < least:
            message = Message("apierror-chunk-too-small", (Num(least),))
            self._refusal = ApiError("chunk-too-small", message)
        elif source.stashed is not None and source.stashed.size != offset:
            raise _wrong_offset(source.stashed)
        try:
            check_part(chunk, filetypes.type_of(chunk), target.extension.lower())
        except ApiError as unsafe:
            raise self._refusal or unsafe from None
        if self._so_far == size:
            whole = self._incoming / "whole"
            stash.assemble(before, chunk, whole)
            try:
                self._whole = self._complete(whole, target)
            except ApiError as refused:
                self._refusal = refused
            else:
                self._ask_others(target.title, self._whole)

    def _finish_chunk(self, source: Source) -> None:
        """Stash a chunk or the file that it completes, and put the outcome into the result."""
        stash, before = Stash(self.context), source.stashed
        if before is not None:
            present = stash.incomplete(before.key)
            if present != before:
                raise _wrong_offset(present)
        page = FileVersions(self).page(self._title)
        if not self.p.flag("stash"):
            self._check_page(page, None)
        warnings = warnings_about(self, self._target, page, self._first_sha1)
        is_held = bool(warnings) and not self.p.flag("ignorewarnings")
        if self._refusal is not None and not is_held:
            raise self._refusal
        stashed = self._store_chunk(before)
        keys: dict[str, Any] = {"filekey": stashed.key}
        answer: dict[str, Any] = {"result": "Success"}
        if is_held:
            answer = {"result": "Warning", "warnings": warnings}
            keys["sessionkey"] = stashed.key
        elif self._whole is None:
            answer = {"result": "Continue", "offset": self._so_far}
        else:
            sha1 = self._whole.facts.sha1
            warnings = warnings_about(self, self._target, page, sha1, self._duplicates)
            if warnings:
                answer["warnings"] = warnings
            keys["imageinfo"] = stashed_info(self.site, stashed)
        answer |= keys
        if warnings and "warnings" not in answer:
            answer["warnings"] = warnings
        self.result.set((), self.name, Obj(answer))

    def _store_chunk(self, before: Stashed | None) -> Stashed:
        """Store a chunk or, with the last one, the complete file under a new key."""
        stash = Stash(self.context)
        if self._whole is None:
            chunk = self._incoming / "chunk"
            if before is None:
                return stash.begin(self.file_changes, self._target.extension, chunk)
            return stash.append(self.file_changes, before, chunk)
        if before is not None:
            stash.remove(self.file_changes, before)
        return stash.add(self.file_changes, self._whole.path, self._whole.facts)

    def _complete(self, whole: Path, target: Destination) -> Verified:
        """Verify a completed file, flush it to disk, and return the facts about it.

        Raises:
            ApiError: ``stashfailed``, if it is refused.
        """
        check_size(self.site, whole.stat().st_size)
        try:
            file = self._verified(whole, filetypes.type_of(whole), target)
        except ApiError as error:
            raise ApiError("stashfailed", error.code) from error
        sync(file.path)
        return file


def _wrong_offset(stashed: Stashed) -> ApiError:
    message = Message("invalid-chunk-offset")
    # MediaWiki tells it as its database returns it: as a string.
    return ApiError("stashfailed", message, data={"offset": str(stashed.size)})
