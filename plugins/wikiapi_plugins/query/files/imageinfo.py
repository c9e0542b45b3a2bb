"""``prop=imageinfo``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

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
from wikiapi.filerepo import File, FileVersion, ThumbParams, ThumbRequest, paths
from wikiapi.filerepo.badfiles import BadFiles
from wikiapi.filerepo.thumbnail import enlarged
from wikiapi.i18n import Message, Plain
from wikiapi.site import Site
from wikiapi.store import pages
from wikiapi.store.files import Span
from wikiapi.title import FILE, Title
from wikiapi.wikitext import ParserOptions
from wikiapi_plugins.query.files.fileinfo import PROP_HELP, PROP_NAMES, file_items
from wikiapi_plugins.query.files.fileprops import Lookup, Wanted
from wikiapi_plugins.query.files.thumbparams import NOT_GIVEN, ThumbWish

MOST_THUMBNAILS = 50
"""How many thumbnails one answer has."""

_OF_ABSENT = (
    ("uploadwarning", "What an upload form would warn of, as HTML; not for clients."),
    ("badfile", "Whether the file must not be shown inline."),
)
"""Props that answers have even for files that do not exist."""


@dataclass(slots=True)
class _Page:
    """A page of the answer: its file, what is asked of it, and the versions listed."""

    page_id: int
    asked: Asked
    thumb: ThumbParams | None
    lookups: list[Lookup] = field(default_factory=list)


def _content_language(site: Site) -> str:
    return site.language


class ImageInfo(PropModule):
    """Returns facts about files, and their upload history."""

    name = "imageinfo"
    prefix = "ii"
    element = "ii"
    params = (
        enum("prop", *PROP_NAMES, *(name for name, _ in _OF_ABSENT), multi=True,
             default="timestamp|user", help="What to tell.", value_help=(*PROP_HELP, *_OF_ABSENT)),
        limit("How many versions of each file to tell of.", default=1),
        timestamp("start", "The newest moment to tell of."),
        timestamp("end", "The oldest moment to tell of."),
        integer("urlwidth", "Width in pixels of the thumbnails that prop=url tells of.",
                default=NOT_GIVEN),
        integer("urlheight", "The same for the height.", default=NOT_GIVEN),
        string("metadataversion", "Form of the metadata: 1 for the oldest, or latest.",
               default="1"),
        string("extmetadatalanguage", "Language of extmetadata.", default=_content_language),
        boolean("extmetadatamultilang", "Whether extmetadata comes in all languages."),
        string("extmetadatafilter", "Tell of extmetadata only these.", multi=True),
        string("urlparam", "Thumbnail parameters as in its name, such as page2-100px.",
               default=""),
        string("badfilecontexttitle", "With prop=badfile: the page it would be shown on."),
        continuation(),
        boolean("localonly", "Look only for files of the wiki itself."),
    )  # fmt: skip
    examples = (
        ("action=query&titles=File:Example.jpg&prop=imageinfo", "The current version of a file"),
        (("action=query&titles=File:Example.jpg&prop=imageinfo&iilimit=50"
          "&iiend=2007-12-31T23:59:59Z&iiprop=timestamp|user|url"), "Its versions since 2008"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Imageinfo",)

    def execute(self) -> None:
        """List the versions of each file that a page of the query stands for."""
        context = self._bad_file_context()
        ids = {title: i for i, title in self.page_set.good_and_missing() if title.ns == FILE}
        if not ids:
            return
        self._is_single = len(ids) == 1
        pages = self._pages(ids)
        asked = [page.asked for page in pages]
        find_versions(self.site, asked, self.p["limit"], look_ahead=self._is_single)
        pages = self._choose_lookups(pages)
        self._write(pages, self._notes(pages, context), self._items(pages))

    @cached_property
    def _props(self) -> frozenset[str]:
        return frozenset(self.p["prop"])

    def _bad_file_context(self) -> Title | None:
        text = self.p["badfilecontexttitle"]
        if not text:
            return None
        title = self.site.titles.try_parse(text)
        if title is None or title.is_external:
            message = Message("apierror-bad-badfilecontexttitle", (Plain(self.actual_prefix),))
            raise ApiError(message, "invalid-title")
        return title

    def _pages(self, ids: dict[Title, int]) -> list[_Page]:
        """Return the pages in order of their names, from the one at which the last answer ended."""
        parts = self.continue_parts(2)
        first, moment = parts or ("", None)
        wish = ThumbWish.of(
            self.p["urlwidth"], self.p["urlheight"], self.p["urlparam"], self.actual_prefix
        )
        titles = sorted((t for t in ids if t.dbkey >= first), key=lambda title: title.dbkey)
        files = self.site.files.find(titles, local_only=self.p["localonly"])
        pages = []
        for title in titles:
            file = files.get(title)
            if file is None and self._props.isdisjoint(name for name, _ in _OF_ABSENT):
                path = ("query", "pages", ids[title])
                self.result.set(path, "imagerepository", "")
                continue
            file = file or self.site.files.local.absent(title)
            newest = moment if moment and title.dbkey == first else self.p["start"]
            thumb = wish.params_for(file, self.warn) if wish else None
            pages.append(_Page(ids[title], Asked(file, newest, self.p["end"]), thumb))
        return pages

    def _choose_lookups(self, pages: list[_Page]) -> list[_Page]:
        """Return the pages to list now; the rest waits when there are thumbnails enough."""
        left = MOST_THUMBNAILS
        for number, page in enumerate(pages):
            makes = page.thumb is not None and "url" in self._props
            if makes and left <= 0:
                self._continue_at(page, None)
                return pages[:number]
            versions = page.asked.versions
            listed = versions[: max(left, 1)] if makes else versions
            page.lookups = [Lookup(page.asked.file, version) for version in listed]
            left -= len(listed) if makes else 0
            if len(listed) < len(versions):
                self._continue_at(page, versions[len(listed)].timestamp)
                return pages[: number + 1]
            if self._is_single and page.asked.following:
                self._continue_at(page, page.asked.following.timestamp)
        return pages

    def _continue_at(self, page: _Page, moment: str | None) -> None:
        asked = page.asked
        moment = moment or asked.newest or asked.file.current.timestamp
        if self._is_single:
            self.set_continue(iso(moment), "start")
        else:
            self.set_continue(f"{asked.file.requested}|{moment}")

    def _items(self, pages: list[_Page]) -> list[list[Obj]]:
        """Return the items of each page's versions."""
        lookups = [lookup for page in pages for lookup in page.lookups]
        if "url" in self._props:
            sizes = [(t, page.thumb) for page in pages for t in page.lookups if t.version.exists]
            error = self.site.messages.text(Message("thumbnail-error"), self.context.language)
            add_thumbnails(self.site, [(t, size) for t, size in sizes if size], error)
        wanted = Wanted(
            self._props,
            self.site.files.full_url,
            self.p["metadataversion"],
            self.p["extmetadatafilter"] or (),
        )
        items = file_items(self.site, wanted, lookups)
        if "uploadwarning" in self._props:
            warnings = upload_warnings(self.site, [lookup.file for lookup in lookups])
            for item, html in zip(items, warnings, strict=True):
                item["html"] = html
        left = iter(items)
        return [[next(left) for _ in page.lookups] for page in pages]

    def _notes(self, pages: list[_Page], context: Title | None) -> list[dict[str, Any]]:
        """Return the values of each page beside its versions."""
        bad = BadFiles(self.site) if "badfile" in self._props else None
        notes: list[dict[str, Any]] = []
        for page in pages:
            file = page.asked.file
            name = file.repository.name if file.current.exists else ""
            notes.append({"imagerepository": name})
            if bad:
                notes[-1]["badfile"] = bad.is_bad(file.name, context)
        return notes

    def _write(
        self, pages: list[_Page], notes: list[dict[str, Any]], items: list[list[Obj]]
    ) -> None:
        """Add values and items of each page, and continue with what is left out."""
        for page, note, items_of_page in zip(pages, notes, items, strict=True):
            if not all(self.add_page_value(page.page_id, *entry) for entry in note.items()):
                self._continue_at(page, None)
                return
            added = self._add_items([(page.page_id, item) for item in items_of_page])
            if added < len(items_of_page):
                self._continue_at(page, page.lookups[added].version.timestamp)
                return


_OPTIONS = ParserOptions(limit_report=False, wrapper_class="", edit_sections=False)
_THUMB_NAME = re.compile(r"[0-9]{2,}px-(.+)\Z", re.ASCII | re.DOTALL)
_CAMERA_NAMES = ("CIMG", "DSC_", "DSCF", "DSCN", "DUW", "JD", "MGP", "PICT")


def upload_warnings(site: Site, files: Sequence[File]) -> list[str]:
    """Return the warning for each file as HTML, empty for none. At most two queries."""
    absent = [file.title for file in files if not file.current.exists]
    stored = pages.by_titles(site.db, {title.key for title in absent}) if absent else {}
    others = {_thumb_of(site, title) for title in absent} - {None}
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
    if thumb_of := _thumb_of(site, file.title):
        if thumb_of.dbkey in existing:
            return Message("fileexists-thumbnail-yes", (thumb_of.prefixed_text,))
        return Message("file-thumbnail-no", (name,))
    prefix = next((p for p in _CAMERA_NAMES if file.title.dbkey.startswith(p)), None)
    return Message("filename-bad-prefix", (prefix,)) if prefix else None


def _thumb_of(site: Site, title: Title) -> Title | None:
    """Return the file that a name such as ``120px-Name.jpg`` seems to be a thumbnail of."""
    match = _THUMB_NAME.match(title.dbkey)
    if not match or not paths.extension(title.dbkey):
        return None
    return site.titles.try_parse(match[1], title.ns)


def _html(site: Site, message: Message | None, file: File) -> str:
    if message is None:
        return ""
    text = site.messages.text(message, site.language)
    return site.parser.parse(text, file.title, _OPTIONS).html


@dataclass(slots=True)
class Asked:
    """A file with the part of its history that is wanted.

    ``newest`` and ``oldest`` are the bounds, both included; they also decide whether the current
    version is shown.
    """

    file: File
    newest: str | None
    oldest: str | None
    versions: list[FileVersion] = field(default_factory=list)
    following: FileVersion | None = None
    """The first version for which there was no place."""


def find_versions(site: Site, asked: Sequence[Asked], limit: int, *, look_ahead: bool) -> None:
    """Fill in up to ``limit`` versions of each file, newest first. At most two queries for a part.

    Without a newest moment but with an oldest one, those nearest to the oldest are taken, as
    MediaWiki does. ``following`` is found only with ``look_ahead``.
    """
    parts: dict[Span, list[Asked]] = {}
    for one in asked:
        if _is_within(one.file.current, one):
            one.versions.append(one.file.current)
        more = limit - len(one.versions) + 1
        if one.file.is_local and one.file.current.exists and (more > 1 or look_ahead):
            from_oldest = one.newest is None and one.oldest is not None
            span = Span(more, one.newest, one.oldest, from_oldest)
            parts.setdefault(span, []).append(one)
    for span, some in parts.items():
        _add_history(site, span, some)


def _add_history(site: Site, span: Span, asked: Iterable[Asked]) -> None:
    asked = list(asked)
    histories = site.files.local.history([one.file for one in asked], span)
    for one in asked:
        history = histories.get(one.file.name, [])
        one.versions += history[: span.limit - 1]
        one.following = history[span.limit - 1] if len(history) == span.limit else None


def _is_within(version: FileVersion, asked: Asked) -> bool:
    moment = version.timestamp
    return (asked.newest is None or moment <= asked.newest) and (
        asked.oldest is None or moment >= asked.oldest
    )


_DENSER = {"1.5": 150, "2": 200}
"""Percentages by the factor that answers name."""


def add_thumbnails(site: Site, wanted: Sequence[tuple[Lookup, ThumbParams]], error: str) -> None:
    """Find the thumbnails; ``error`` stands where one cannot be made."""
    requests: list[ThumbRequest] = []
    for lookup, params in wanted:
        sizes = (params, *(enlarged(params, percent) for percent in _DENSER.values()))
        requests += (ThumbRequest(lookup.file, lookup.version, size) for size in sizes)
    found = iter(site.files.thumbnails(requests))
    for lookup, _ in wanted:
        lookup.thumbnail = usual = next(found)
        denser = {factor: next(found) for factor in _DENSER}
        if usual is None:
            lookup.thumb_error = error
            continue
        lookup.responsive = {
            factor: thumbnail
            for factor, thumbnail in denser.items()
            if thumbnail and thumbnail.url != usual.url
        }
