"""``prop=imageinfo``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    Thumbnail,
    ThumbParams,
    ThumbRequest,
    enlarged,
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
    disclosed,
    file_items,
    seen_of_files,
)
from wikiapi_plugins.query.files.fileprops import InfoOptions, ListedVersion, Thumbnails
from wikiapi_plugins.query.files.thumbparams import NOT_GIVEN, RequestedThumb

MAX_THUMBNAILS = 50
"""How many thumbnails one answer may have."""

_OF_ABSENT = (
    ("uploadwarning", "The warning of an upload form, as HTML; not meant for clients."),
    ("badfile", "Whether the file must not be shown inline."),
)
"""Properties that are shown even for files that do not exist."""


class HistoryRequest(NamedTuple):
    """A file and the requested range of its history, with inclusive bounds.

    The bounds also decide whether the current version is listed.
    """

    file: File
    newest: str | None
    oldest: str | None

    def includes(self, version: FileVersion) -> bool:
        """Return whether a version is within the bounds."""
        moment = version.timestamp
        return (self.newest is None or moment <= self.newest) and (
            self.oldest is None or moment >= self.oldest
        )


class History(NamedTuple):
    """Versions of a file, newest first, and the first version that did not fit."""

    versions: list[FileVersion]
    following: FileVersion | None = None


class PageRequest(NamedTuple):
    """A page of the query, the history of its file, and the size of its thumbnails."""

    page_id: int
    history: HistoryRequest
    thumb: ThumbParams | None

    @property
    def file(self) -> File:
        """The file of the page."""
        return self.history.file


class Listing(NamedTuple):
    """The versions of one page that this answer lists."""

    request: PageRequest
    versions: list[FileVersion]


def _content_language(site: Site) -> str:
    return site.language


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
                default=NOT_GIVEN),
        integer("urlheight", "Height in pixels of the thumbnails in prop=url.",
                default=NOT_GIVEN),
        string("metadataversion", "Version of the metadata's format: 1 for the oldest, or latest.",
               default="1"),
        string("extmetadatalanguage", "Language of extmetadata.", default=_content_language),
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
        requests = self._requests(ids)
        histories = find_histories(
            self.site,
            [request.history for request in requests],
            self.p.number("limit"),
            look_ahead=self._is_single,
            readable=seen_of_files(self.context.user),
        )
        listings = self._listings(requests, histories)
        self._write(listings, self._notes(listings, context), self._items(listings))

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

    def _requests(self, ids: dict[Title, int]) -> list[PageRequest]:
        """Return the pages by name, beginning with the one at which the last answer ended."""
        parts = self.continue_parts(2)
        first, moment = parts or ("", None)
        requested = RequestedThumb.of(
            self.p.number("urlwidth"),
            self.p.number("urlheight"),
            self.p.text("urlparam"),
            self.actual_prefix,
        )
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
            thumb = requested.params_for(file, self.warn) if requested else None
            history = HistoryRequest(file, newest, self.p.text_or_none("end"))
            requests.append(PageRequest(ids[title], history, thumb))
        return requests

    def _listings(
        self, requests: Sequence[PageRequest], histories: Sequence[History]
    ) -> list[Listing]:
        """Return the versions to list now; the others follow if there are too many thumbnails."""
        listings: list[Listing] = []
        left = MAX_THUMBNAILS
        for request, (versions, following) in zip(requests, histories, strict=True):
            has_thumbnails = request.thumb is not None and "url" in self._props
            if has_thumbnails and left <= 0:
                self._continue_at(request, None)
                break
            listed = versions[: max(left, 1)] if has_thumbnails else versions
            listings.append(Listing(request, listed))
            left -= len(listed) if has_thumbnails else 0
            if len(listed) < len(versions):
                self._continue_at(request, versions[len(listed)].timestamp)
                break
            if self._is_single and following:
                self._continue_at(request, following.timestamp)
        return listings

    def _continue_at(self, request: PageRequest, moment: str | None) -> None:
        moment = moment or request.history.newest or request.file.current.timestamp
        if self._is_single:
            self.set_continue(iso(moment), "start")
        else:
            self.set_continue(f"{request.file.requested}|{moment}")

    def _items(self, listings: Sequence[Listing]) -> list[list[Obj]]:
        """Return the items of each page's versions."""
        listed = self._with_thumbnails(listings)
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
        rest = iter(items)
        return [list(islice(rest, len(listing.versions))) for listing in listings]

    def _with_thumbnails(self, listings: Sequence[Listing]) -> list[ListedVersion]:
        """Return the versions of all pages, with their thumbnails if ``url`` is requested."""
        plain = [
            (ListedVersion(listing.request.file, version), listing.request.thumb)
            for listing in listings
            for version in listing.versions
        ]
        if "url" not in self._props:
            return [listed for listed, _ in plain]
        requests = [
            ThumbRequest(listed.file, listed.version, thumb)
            if thumb and listed.version.exists
            else None
            for listed, thumb in plain
        ]
        error = self.site.messages.text(Message("thumbnail-error"), self.context.language)
        found = find_thumbnails(self.site, requests, error)
        return [
            listed._replace(thumbnails=thumbnails)
            for (listed, _), thumbnails in zip(plain, found, strict=True)
        ]

    def _notes(self, listings: Sequence[Listing], context: Title | None) -> list[dict[str, Any]]:
        """Return the values of each page besides its versions."""
        bad = BadFiles(self.site) if "badfile" in self._props else None
        notes: list[dict[str, Any]] = []
        for listing in listings:
            file = listing.request.file
            name = file.repository.name if file.current.exists else ""
            notes.append({"imagerepository": name})
            if bad:
                notes[-1]["badfile"] = bad.is_bad(file.name, context)
        return notes

    def _write(
        self,
        listings: Sequence[Listing],
        notes: list[dict[str, Any]],
        items: list[list[Obj]],
    ) -> None:
        """Add the values and items of each page, and continue with what did not fit."""
        for (request, versions), note, page_items in zip(listings, notes, items, strict=True):
            if not all(self.add_page_value(request.page_id, *entry) for entry in note.items()):
                self._continue_at(request, None)
                return
            added = self._add_items([(request.page_id, item) for item in page_items])
            if added < len(page_items):
                self._continue_at(request, versions[added].timestamp)
                return


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
    return [_html(site, _message(site, file, set(stored), existing), file) for file in files]


def _message(
    site: Site, file: File, described: set[tuple[int, str]], existing: set[str]
) -> Message | None:
    name = file.title.prefixed_text
    if file.current.exists:
        return Message("fileexists", (name,))
    if file.title.key in described:
        return Message("filepageexists", (name,))
    if original := thumb_of(site, file.title):
        if original.dbkey in existing:
            return Message("fileexists-thumbnail-yes", (original.prefixed_text,))
        return Message("file-thumbnail-no", (name,))
    prefix = next((p for p in CAMERA_NAMES if file.title.dbkey.startswith(p)), None)
    return Message("filename-bad-prefix", (prefix,)) if prefix else None


def thumb_of(site: Site, title: Title) -> Title | None:
    """Return the file of which a name such as ``120px-Name.jpg`` seems to be a thumbnail."""
    match = _THUMB_NAME.match(title.dbkey)
    if not match or not paths.extension(title.dbkey):
        return None
    return site.titles.try_parse(match[1], title.ns)


def _html(site: Site, message: Message | None, file: File) -> str:
    if message is None:
        return ""
    text = site.messages.text(message, site.language)
    return site.parser.parse(text, file.title, _OPTIONS).html


def find_histories(
    site: Site,
    requests: Sequence[HistoryRequest],
    limit: int,
    *,
    look_ahead: bool,
    readable: int = 0,
) -> list[History]:
    """Return up to ``limit`` versions of each file, newest first. At most two queries per span.

    If only the oldest bound is given, the versions nearest to it are taken, as MediaWiki does.
    ``following`` is found only with ``look_ahead``. ``readable`` contains the visibility bits of
    hidden values that the reader may see.
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
        found = earlier.get((span, request.file.name), []) if span else []
        place = limit - len(current)
        following = found[place] if len(found) > place else None
        histories.append(History(current + found[:place], following))
    return histories


def _earlier_span(request: HistoryRequest, limit: int, *, look_ahead: bool) -> Span | None:
    """Return the span of earlier versions to read, one more than fits; None if none are needed."""
    count = limit - request.includes(request.file.current) + 1
    if not (request.file.is_local and request.file.current.exists and (count > 1 or look_ahead)):
        return None
    from_oldest = request.newest is None and request.oldest is not None
    return Span(count, request.newest, request.oldest, from_oldest)


_DENSER = {"1.5": 150, "2": 200}
"""Percentages of the usual width, by the keys of ``responsiveUrls``."""


def find_thumbnails(
    site: Site, requests: Sequence[ThumbRequest | None], error: str
) -> list[Thumbnails | None]:
    """Return the thumbnails of each request; ``error`` is the text if one cannot be made.

    All are looked up together, with those for high-density screens.
    """
    sizes: list[ThumbRequest] = []
    for request in requests:
        if request:
            denser = (enlarged(request.params, percent) for percent in _DENSER.values())
            sizes += (request._replace(params=params) for params in (request.params, *denser))
    found = iter(site.files.thumbnails(sizes))
    return [_thumbnails(found, error) if request else None for request in requests]


def _thumbnails(found: Iterator[Thumbnail | None], error: str) -> Thumbnails:
    usual = next(found)
    denser = {factor: next(found) for factor in _DENSER}
    if usual is None:
        return Thumbnails(None, {}, error)
    differing = {f: one for f, one in denser.items() if one and one.url != usual.url}
    return Thumbnails(usual, differing)
