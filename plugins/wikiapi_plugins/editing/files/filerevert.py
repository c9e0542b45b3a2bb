"""``action=filerevert``."""

from __future__ import annotations

from pathlib import Path

from wikiapi.api import ErrorFormatter, Obj, WriteAction, invalid_title, string
from wikiapi.errors import ApiError
from wikiapi.filerepo import UploadFolder, extension, link_or_copy, sha1_of_file
from wikiapi.importing.files.mediafile import BadMedia, MediaFacts, read_media
from wikiapi.languages import Message, plain_list
from wikiapi.store.queries import visibility
from wikiapi.title import FILE
from wikiapi_plugins.editing.files.versions import (
    FilePage,
    FileVersions,
    Upload,
    Version,
    page_text,
    publish,
)


class FileRevert(WriteAction):
    """Make an old version of a file the current one."""

    name = "filerevert"
    position = 35
    params = (
        string("filename", "Name of the file, without namespace.", required=True),
        string("comment", "Summary.", default=""),
        string("archivename", "Name of the old version.", required=True),
    )
    examples = (
        (
            "action=filerevert&filename=Wiki.png&comment=Revert&archivename=20110305152740!Wiki.png&token=123ABC",
            "Revert a file",
        ),
    )

    def execute(self) -> None:
        """Perform the action.

        Raises:
            ApiError: ``uploaddisabled``, there is no such version, or the user may not restore it.
        """
        if not self.site.config.files.folder:
            raise ApiError("uploaddisabled", "uploaddisabled")
        with UploadFolder(self.site.config.files).incoming() as self._incoming:
            super().execute()

    def prepare(self) -> None:
        """Read the earlier version."""
        name = self.p.text("filename")
        title = self.site.titles.try_parse(f"File:{name}")
        if title is None or title.ns != FILE or title.interwiki:
            raise invalid_title(name)
        self._title, page = title, FileVersions(self).page(title)
        version, path = self._earlier(page)
        self._check(page)
        # With a name of its own, the data stays even if the version is deleted meanwhile.
        data = self._incoming / f"version.{extension(version.name)}"
        link_or_copy(path, data)
        comment = self.p.text("comment")
        self._upload = Upload(
            data,
            _facts(data, version),
            comment,
            page_text(self, title, comment),
            is_revert=True,
        )

    def perform(self) -> None:
        """Publish the earlier version as a new one."""
        page = FileVersions(self).page(self._title)
        self._earlier(page)
        self._check(page)
        try:
            publish(self, page, self._upload)
        except ApiError as error:
            errors = ErrorFormatter(self.context).listed([error.message])
            self.result.set((), self.name, Obj({"result": "Failure", "errors": errors}))
            return
        self.result.set((), self.name, Obj({"result": "Success"}))

    def _earlier(self, page: FilePage) -> tuple[Version, Path]:
        """Return the earlier version and the path of its data.

        Raises:
            ApiError: there is no such file or version, or the version is hidden.
        """
        if page.current is None:
            raise ApiError("missingtitle", "apierror-missingtitle")
        versions, name = FileVersions(self), self.p.text("archivename")
        for version in versions.archived(page.title.dbkey, name) if name else ():
            path = versions.path_of(version)
            if path is not None and not version.deleted & visibility.TEXT:
                return version, path
        raise ApiError("filerevert-badversion", "filerevert-badversion")

    def _check(self, page: FilePage) -> None:
        self.check_all_allowed(("edit", "upload"), page.title, page.row)
        user, name = self.context.user, page.title.dbkey
        if user.can("reupload"):
            return
        is_own = FileVersions(self).is_own(name)
        if not (is_own and user.can("reupload-own")):
            rights = ("reupload", *(("reupload-own",) if is_own else ()))
            message = Message("apierror-permissiondenied", (plain_list(rights),))
            raise ApiError("permissiondenied", message)


def _facts(path: Path, version: Version) -> MediaFacts:
    """Return the facts about the data of a version.

    If it cannot be analysed, those that do not follow from the bytes are taken from its row.
    """
    try:
        return read_media(path)
    except BadMedia:
        return MediaFacts(
            path.stat().st_size,
            version.width,
            version.height,
            version.bits,
            f"{version.major_mime}/{version.minor_mime}",
            version.media_type or "UNKNOWN",
            sha1_of_file(path),
            {},
        )
