"""``action=filerevert``."""

from __future__ import annotations

from wikiapi.api import Obj
from wikiapi.api.errorformat import ErrorFormatter
from wikiapi.dump.files.mediafile import BadMedia, MediaFacts, read_media
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain, plain_list
from wikiapi.store.queries import pages
from wikiapi.title import FILE, Title
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.files.publishing import Upload, publish
from wikiapi_plugins.editing.files.versions import FileVersions, Version


class FileRevert(WriteAction):
    """Makes an earlier version of a file the current one again."""

    def perform(self) -> None:
        """Publish the earlier version as a new one.

        Raises:
            ApiError: there is no such version, or the user may not restore it.
        """
        title = self._title()
        versions = FileVersions(self)
        current = versions.current(title.dbkey)
        if current is None:
            raise ApiError.of("missingtitle", "apierror-missingtitle")
        wanted = self.p.text("archivename")
        found = [old for old in versions.earlier(title.dbkey) if old.archive_name == wanted]
        path = versions.path_of(found[0]) if found else None
        if not found or path is None:
            raise ApiError.of("filerevert-badversion", "filerevert-badversion")
        self._check(title)
        comment = self.p.text("comment")
        try:
            facts = read_media(path)
        except BadMedia:
            facts = _stored_facts(found[0])
        upload = Upload(title, path, facts, comment, comment, is_revert=True)
        try:
            publish(self, upload)
        except ApiError as error:
            errors = ErrorFormatter(self.context).listed([error.message])
            self.result.set((), self.name, Obj({"result": "Failure", "errors": errors}))
            return
        self.result.set((), self.name, Obj({"result": "Success"}))

    def _title(self) -> Title:
        name = self.p.text("filename")
        title = self.site.titles.try_parse(f"File:{name}")
        if title is None or title.ns != FILE or title.interwiki:
            raise ApiError.of("invalidtitle", "apierror-invalidtitle", Plain(name))
        return title

    def _check(self, title: Title) -> None:
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        for action in ("edit", "upload"):
            self.check_allowed(action, title, row)
        user = self.context.user
        uploader = self.site.files.local.find([title.dbkey])[title.dbkey].current.uploader
        is_own = uploader is not None and not user.is_anonymous and uploader.id == user.id
        rights = ("reupload", *(("reupload-own",) if is_own else ()))
        if not user.can(*rights):
            message = Message("apierror-permissiondenied", (plain_list(rights),))
            raise ApiError(message, "permissiondenied")


def _stored_facts(version: Version) -> MediaFacts:
    """Return the stored facts about a version whose file cannot be analysed."""
    return MediaFacts(
        version.size,
        version.width,
        version.height,
        version.bits,
        f"{version.major_mime}/{version.minor_mime}",
        version.media_type or "UNKNOWN",
        version.sha1,
        {},
    )
