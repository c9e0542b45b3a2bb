"""``prop=imageinfo``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from wikiapi.api import (
    Obj,
    PropModule,
    boolean,
    continuation,
    enum,
    integer,
    iso,
    limit,
    string,
    timestamp,
)
from wikiapi.errors import ApiError
from wikiapi.filerepo import (
    BadFiles,
    File,
    FileVersion,
    ThumbParams,
    ThumbRequest,
    paths,
)
from wikiapi.languages import Message, Plain
from wikiapi.site import Site
from wikiapi.store.queries import Span, pages
from wikiapi.title import FILE, Title
from wikiapi.wikitext import ParserOptions
from wikiapi_plugins.query.files.fileinfo import (
    PROP_HELP,
    PROP_NAMES,
    InfoOptions,
    ListedVersion,
    disclosed,
    file_items,
    readable_file_bits,
)
from wikiapi_plugins.query.files.thumbnails import (
    NO_SIZE,
    Thumbnails,
    find_thumbnails,
    requested_thumb,
)

MAX_THUMBNAILS = 50
"""How many thumbnails one answer may have."""

_OF_ABSENT = (
    ("uploadwarning", "The warning of an upload form, as HTML; not meant for clients."),
    ("badfile", "Whether the file must not be shown inline."),
)
"""Properties that are shown even for files that do not exist."""


class FileRequest(NamedTuple):
    """The file of a page of the query, with the requested part of its history and thumbnail size.

    ``newest`` and ``oldest`` are inclusive bounds, also for the current version.
    """

    page_id: int
    file: File
    newest: str | None
    oldest: str | None
    thumb: ThumbParams | None = None

    def includes(self, version: FileVersion) -> bool:
        """Return whether a version is within the bounds."""
        moment = version.timestamp
        return (self.newest is None or moment <= self.newest) and (
            self.oldest is None or moment >= self.oldest
        )


class ImageInfo(PropModule):
    """Return facts about files, and their upload history."""

    name = "imageinfo"
    prefix = "ii"
    element = "ii"
    params = (
        enum("prop", *PROP_NAMES, *(name for name, _ in _OF_ABSENT), multi=True,
             default="timestamp|user",
             help="Properties to include.", value_help=(*PROP_HELP, *_OF_ABSENT)),
        limit("How many versions of each file to list.", default=1),
        timestamp("start", "List versions up to this time."),
        timestamp("end", "List versions from this time on."),
        integer("urlwidth", "Width in pixels of the thumbnails in prop=url.",
                default=NO_SIZE),
        integer("urlheight", "Height in pixels of the thumbnails in prop=url.",
                default=NO_SIZE),
        string("metadataversion", "Version of the metadata's format: 1 for the oldest, or latest.",
               default="1"),
        string("extmetadatalanguage", "Language of extmetadata.",
               default=lambda site: site.language),
        boolean("extmetadatamultilang", "Whether to return extmetadata in all languages."),
        string("extmetadatafilter", "Only return these properties in extmetadata.", multi=True),
        string("urlparam", "Parameters of the thumbnail as in its name, such as page2-100px.",
               default=""),
        string("badfilecontexttitle", "With prop=badfile: the page that would show the file."),
        continuation(),
        boolean("localonly", "Only look for files of the wiki itself."),
    )  # fmt: skip
    examples = (
        ("action=query&titles=File:Example.jpg&prop=imageinfo", "The current version of a file"),
        (("action=query&titles=File:Example.jpg&prop=imageinfo&iilimit=50"
          "&iiend=2007-12-31T23:59:59Z&iiprop=timestamp|user|url"), "Its versions since 2008"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Imageinfo",)

    def execute(self) -> None:
        """List the versions of the file of each page."""
        context = self._bad_file_context()
        ids = {title: i for i, title in self.page_set.good_and_missing() if title.ns == FILE}
        if not ids:
            return
        self._is_single = len(ids) == 1
        listings = self._listings(self._requests(ids))
        items = iter(self._items(listings))
        bad_files = BadFiles(self.site) if "badfile" in self._props else None
        for request, versions in listings:
            file, page_id = request.file, request.page_id
            values: dict[str, Any] = {}
            values["imagerepository"] = file.repository.name if file.current.exists else ""
            if bad_files:
                values["badfile"] = bad_files.is_bad(file.name, context)
            if not all(self.add_page_value(page_id, *entry) for entry in values.items()):
                self._continue_at(request, None)
                return
            added = self._add_items([(page_id, item) for item in islice(items, len(versions))])
            if added < len(versions):
                self._continue_at(request, versions[added].timestamp)
                return

    @cached_property
    def _props(self) -> frozenset[str]:
        return frozenset(self.p.texts("prop"))

    def _bad_file_context(self) -> Title | None:
        text = self.p.text_or_none("badfilecontexttitle")
        if not text:
            return None
        title = self.site.titles.try_parse(text)
        if title is None or title.is_external:
            message = Message("apierror-bad-badfilecontexttitle", (Plain(self.actual_prefix),))
            raise ApiError("invalid-title", message)
        return title

    def _requests(self, ids: dict[Title, int]) -> list[FileRequest]:
        """Return the pages by name, beginning with the one at which the last answer ended."""
        first, moment = self.continue_parts(2) or ("", None)
        titles = sorted((t for t in ids if t.dbkey >= first), key=lambda title: title.dbkey)
        files = self.site.files.find(titles, local_only=self.p.flag("localonly"))
        files = disclosed(self.site, self.context.user, files)
        requests = []
        for title in titles:
            file = files.get(title)
            if file is None and self._props.isdisjoint(name for name, _ in _OF_ABSENT):
                path = ("query", "pages", ids[title])
                self.result.set(path, "imagerepository", "")
                continue
            file = file or self.site.files.local.absent(title)
            newest = moment if moment and title.dbkey == first else self.p.text_or_none("start")
            oldest, thumb = self.p.text_or_none("end"), requested_thumb(self, file)
            requests.append(FileRequest(ids[title], file, newest, oldest, thumb))
        return requests

    def _listings(
        self, requests: Sequence[FileRequest]
    ) -> list[tuple[FileRequest, list[FileVersion]]]:
        """Return files with the versions to list now.

        The others follow if there are too many versions of a single file, or too many thumbnails.
        """
        limit = self.p.number("limit")
        histories = find_histories(
            self.site,
            requests,
            limit,
            look_ahead=self._is_single,
            readable=readable_file_bits(self.context.user),
        )
        listings: list[tuple[FileRequest, list[FileVersion]]] = []
        left = MAX_THUMBNAILS
        for request, versions in zip(requests, histories, strict=True):
            has_thumbnails = request.thumb is not None and "url" in self._props
            if has_thumbnails and left <= 0:
                self._continue_at(request, None)
                break
            most = min(limit, max(left, 1)) if has_thumbnails else limit
            listed = versions[:most]
            listings.append((request, listed))
            left -= len(listed) if has_thumbnails else 0
            is_cut = len(listed) < len(versions[:limit])
            if is_cut or (self._is_single and len(listed) < len(versions)):
                self._continue_at(request, versions[len(listed)].timestamp)
            if is_cut:
                break
        return listings

    def _continue_at(self, request: FileRequest, moment: str | None) -> None:
        moment = moment or request.newest or request.file.current.timestamp
        if self._is_single:
            self.set_continue(iso(moment), "start")
        else:
            self.set_continue(f"{request.file.requested}|{moment}")

    def _items(self, listings: Sequence[tuple[FileRequest, list[FileVersion]]]) -> list[Obj]:
        """Return the items of all versions, with thumbnails if ``url`` is requested."""
        pairs = [(request, version) for request, versions in listings for version in versions]
        thumbnails: list[Thumbnails | None] = [None] * len(pairs)
        if "url" in self._props:
            requests = [
                ThumbRequest(request.file, version, request.thumb)
                if request.thumb and version.exists
                else None
                for request, version in pairs
            ]
            error = self.site.messages.text(Message("thumbnail-error"), self.context.language)
            thumbnails = find_thumbnails(self.site, requests, error)
        listed = [
            ListedVersion(request.file, version, pictures)
            for (request, version), pictures in zip(pairs, thumbnails, strict=True)
        ]
        options = InfoOptions(
            self._props,
            self.site.files.full_url,
            self.p.text("metadataversion"),
            self.p.texts("extmetadatafilter"),
        )
        items = file_items(self.site, options, listed)
        if "uploadwarning" in self._props:
            warnings = upload_warnings(self.site, [one.file for one in listed])
            for item, html in zip(items, warnings, strict=True):
                item["html"] = html
        return items


_OPTIONS = ParserOptions(limit_report=False, wrapper_class="", edit_sections=False)
_THUMB_NAME = re.compile(r"[0-9]{2,}px-(.+)\Z", re.ASCII | re.DOTALL)
CAMERA_NAMES = ("CIMG", "DSC_", "DSCF", "DSCN", "DUW", "JD", "MGP", "PICT")
"""Prefixes of the file names that cameras assign."""


def upload_warnings(site: Site, files: Sequence[File]) -> list[str]:
    """Return the warning for each file as HTML, empty for none. At most two queries."""
    absent = [file.title for file in files if not file.current.exists]
    stored = pages.by_titles(site.db, {title.key for title in absent}) if absent else {}
    others = {thumb_of(site, title) for title in absent} - {None}
    existing = site.files.local.existing(title.dbkey for title in others if title)
    described = set(stored)
    warnings = []
    for file in files:
        name = file.title.prefixed_text
        message: Message | None
        if file.current.exists:
            message = Message("fileexists", (name,))
        elif file.title.key in described:
            message = Message("filepageexists", (name,))
        elif original := thumb_of(site, file.title):
            if original.dbkey in existing:
                message = Message("fileexists-thumbnail-yes", (original.prefixed_text,))
            else:
                message = Message("file-thumbnail-no", (name,))
        else:
            prefix = next((p for p in CAMERA_NAMES if file.title.dbkey.startswith(p)), None)
            message = Message("filename-bad-prefix", (prefix,)) if prefix else None
        warnings.append(_warning_html(site, file.title, message) if message else "")
    return warnings


def existence_warning(site: Site, title: Title) -> str:
    """Return the warning that a file exists, as HTML in which the file looks as it does now."""
    return _warning_html(site, title, Message("fileexists", (title.prefixed_text,)))


def _warning_html(site: Site, title: Title, message: Message) -> str:
    return site.parser.parse(site.messages.text(message, site.language), title, _OPTIONS).html


def thumb_of(site: Site, title: Title) -> Title | None:
    """Return the file of which a name such as ``120px-Name.jpg`` seems to be a thumbnail."""
    match = _THUMB_NAME.match(title.dbkey)
    if not match or not paths.extension(title.dbkey):
        return None
    return site.titles.try_parse(match[1], title.ns)


def find_histories(
    site: Site,
    requests: Sequence[FileRequest],
    limit: int,
    *,
    look_ahead: bool,
    readable: int = 0,
) -> list[list[FileVersion]]:
    """Return up to ``limit`` versions of each file, newest first. At most two queries per span.

    If only the oldest bound is given, the versions nearest to it are taken, as MediaWiki does.
    With ``look_ahead``, the version that follows them is the last of the list. ``readable``
    contains the visibility bits of hidden values that the reader may see.
    """
    spans = [_earlier_span(request, limit, look_ahead=look_ahead) for request in requests]
    files_by_span: dict[Span, list[File]] = {}
    for request, span in zip(requests, spans, strict=True):
        if span:
            files_by_span.setdefault(span, []).append(request.file)
    earlier = {
        (span, name): versions
        for span, files in files_by_span.items()
        for name, versions in site.files.local.history(files, span, readable).items()
    }
    histories = []
    for request, span in zip(requests, spans, strict=True):
        current = [request.file.current] if request.includes(request.file.current) else []
        versions = earlier.get((span, request.file.name), []) if span else []
        histories.append((current + versions)[: limit + 1 if look_ahead else limit])
    return histories


def _earlier_span(request: FileRequest, limit: int, *, look_ahead: bool) -> Span | None:
    """Return the span of earlier versions to read, one more than fits; None if none are needed."""
    count = limit - request.includes(request.file.current) + 1
    if not (request.file.is_local and request.file.current.exists and (count > 1 or look_ahead)):
        return None
    from_oldest = request.newest is None and request.oldest is not None
    return Span(count, request.newest, request.oldest, from_oldest)
