"""``list=filearchive``."""

from __future__ import annotations

from typing import Any

from wikiapi.api import (
    ListModule,
    Obj,
    Params,
    continuation,
    enum,
    iso,
    limit,
    sort_direction,
    string,
    title_data,
)
from wikiapi.errors import ApiError
from wikiapi.filerepo import from_hex, to_hex
from wikiapi.languages import Message
from wikiapi.store import bounds
from wikiapi.store.models import FileArchive as Table
from wikiapi.store.queries import ArchivedFile, visibility
from wikiapi.store.queries import files as stored_files
from wikiapi.title import FILE
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.files.fileinfo import metadata_list, readable_file_bits
from wikiapi_plugins.query.timeline import moment_part
from wikiapi_plugins.query.titlepart import title_conditions

_ORDER = (Table.fa_name, Table.fa_timestamp, Table.fa_id)
_DESCRIPTIONS = ("description", "parseddescription")


class FileArchive(ListModule):
    """List the deleted files by name."""

    name = "filearchive"
    prefix = "fa"
    element = "fa"
    params = (
        string("from", "The name to begin with."),
        string("to", "The name to end with."),
        string("prefix", "Files whose name begins with this text."),
        sort_direction(),
        string("sha1", "Files with this SHA-1, in hexadecimal digits."),
        string("sha1base36", "Files with this SHA-1, in base 36."),
        enum("prop", "sha1", "timestamp", "user", "size", "dimensions", "description",
             "parseddescription", "mime", "mediatype", "metadata", "bitdepth", "archivename",
             multi=True, default="timestamp", help="Properties to include besides id and name.",
             value_help=(("sha1", "SHA-1 of the content."), ("timestamp", "When it was uploaded."),
                         ("user", "By whom."), ("size", "Bytes, width and height."),
                         ("dimensions", "The same as size."), ("description", "The summary."),
                         ("parseddescription", "The summary as HTML."), ("mime", "MIME type."),
                         ("mediatype", "Media type."), ("metadata", "Embedded metadata."),
                         ("bitdepth", "Bits per colour channel."),
                         ("archivename", "The name under which an earlier version was kept."))),
        limit(),
        continuation(),
    )  # fmt: skip
    examples = (("action=query&list=filearchive", "The first deleted files"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Filearchive",)

    def execute(self) -> None:
        """List the files."""
        prop, user = self.p.texts("prop"), self.context.user
        if any(name in prop for name in _DESCRIPTIONS) and not user.can("deletedhistory"):
            message = Message("apierror-cantview-deleted-description")
            raise ApiError("permissiondenied", message)
        if "metadata" in prop and not user.can("deletedtext", "undelete"):
            message = Message("apierror-cantview-deleted-metadata")
            raise ApiError("permissiondenied", message)
        descending = self.p.text("dir") == "descending"
        conditions = title_conditions(self, Table.fa_name, FILE, descending=descending)
        if (sha1 := requested_sha1(self.p)) is not None:
            conditions.append(Table.fa_sha1 == sha1)
        if not user.can("deletedtext"):
            conditions.append(visibility.not_hidden(Table.fa_deleted, visibility.TEXT))
        if parts := self.continue_parts(3):
            values = [parts[0], moment_part(parts[1]), self.continue_int(parts[2])]
            conditions.append(bounds.starting_at(_ORDER, values, descending=descending))
        query = stored_files.SELECT_ARCHIVED_FILES
        query = query.where(*conditions) if conditions else query
        query = bounds.ordered(query, *_ORDER, descending=descending)
        seen = readable_file_bits(user)
        rows = self.rows(query.limit(self.p.number("limit") + 1))
        files = [stored_files.read(row, seen) for row in rows]
        current = files[: self.limit]
        descriptions = [""] * len(current)
        if "parseddescription" in prop:
            titles = self.site.titles
            texts = [(file.description or "", titles.make(FILE, file.name)) for file in current]
            descriptions = format_comments(self.site.parser, texts)
        items = (self._item(file, html) for file, html in zip(current, descriptions, strict=True))
        self.emit(items, files, lambda file: f"{file.name}|{file.timestamp}|{file.id}")

    def _item(self, file: ArchivedFile, html: str) -> Obj:
        prop = self.p.texts("prop")
        item = Obj({"id": file.id, "name": file.name})
        item |= title_data(self.site.titles.make(FILE, file.name))
        if any(name in prop for name in _DESCRIPTIONS) and file.description is not None:
            item["description"] = file.description
            if "parseddescription" in prop:
                item["parseddescription"] = html
        if "user" in prop and file.user_name is not None:
            item |= {"userid": file.user_id, "user": file.user_name}
        if not file.archive_name and file.archive_name is not None:
            item["filemissing"] = True
        if "timestamp" in prop and file.timestamp:
            item["timestamp"] = iso(file.timestamp)
        item |= self._content(file)
        if "archivename" in prop and file.archive_name is not None:
            item["archivename"] = file.archive_name
        return Obj(item | _hidden_flags(file))

    def _content(self, file: ArchivedFile) -> dict[str, Any]:
        """Return the properties of the content, unless it is hidden."""
        prop, data = self.p.texts("prop"), dict[str, Any]()
        if visibility.is_hidden(file.deleted, visibility.TEXT) or file.archive_name == "":
            return data
        if "sha1" in prop:
            data["sha1"] = to_hex(file.sha1)
        if "size" in prop or "dimensions" in prop:
            # MediaWiki returns these numbers as strings, as its database gives them.
            numbers = {"size": file.size, "height": file.height, "width": file.width}
            data |= {name: str(number) for name, number in numbers.items()}
        if "mediatype" in prop:
            data["mediatype"] = file.media_type
        if "metadata" in prop:
            data["metadata"] = metadata_list(file.metadata)
        if "bitdepth" in prop:
            data["bitdepth"] = str(file.bits)
        if "mime" in prop:
            data["mime"] = f"{file.major_mime}/{file.minor_mime}"
        return data


def _hidden_flags(file: ArchivedFile) -> dict[str, bool]:
    hidden = {"file": visibility.TEXT, "comment": visibility.COMMENT, "user": visibility.USER}
    flags = {
        f"{what}hidden": True
        for what, bit in hidden.items()
        if visibility.is_hidden(file.deleted, bit)
    }
    return flags | (
        {"suppressed": True} if visibility.is_hidden(file.deleted, visibility.RESTRICTED) else {}
    )


def requested_sha1(params: Params) -> str | None:
    """Return the requested SHA-1 in its stored form; ``None`` if none is requested.

    Raises:
        ApiError: ``invalidsha1hash``, ``invalidsha1base36hash``.
    """
    if params.is_given("sha1"):
        stored = from_hex(params.text("sha1").lower())
        if not stored:
            raise ApiError("invalidsha1hash", "apierror-invalidsha1hash")
        return stored
    if params.is_given("sha1base36"):
        stored = params.text("sha1base36").lower()
        if not to_hex(stored):
            raise ApiError("invalidsha1base36hash", "apierror-invalidsha1base36hash")
        return stored
    return None
