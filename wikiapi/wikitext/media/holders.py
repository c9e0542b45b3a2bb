"""Placeholders for the files of one rendering, until all of them are looked up together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from wikiapi.filerepo.badfiles import BadFiles
from wikiapi.filerepo.file import File, Thumbnail, ThumbRequest
from wikiapi.filerepo.lookups import FileLookups
from wikiapi.store.queries.categories import is_member
from wikiapi.store.queries.files import redirect_targets
from wikiapi.title.namespaces import FILE
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.expand.strip import PREFIX, SUFFIX, StripState
from wikiapi.wikitext.limits import Usage
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagemessages import Notices

_KIND = "media"
_START = f"{PREFIX}-{_KIND}-"
MEDIA_MARKER = rf"{re.escape(_START)}[0-9A-F]+{re.escape(SUFFIX)}"
"""Pattern of the placeholders."""
_MARKER = re.compile(MEDIA_MARKER)
_CATEGORY = "broken-file-category"


@dataclass(slots=True)
class _Entry:
    held: HeldMedia
    categories_before: int
    """How many categories the page had before; a tracking category is inserted after those."""
    thumbnails: Sequence[Thumbnail | None] = ()
    html: str | None = None


class MediaHolders:
    """The placeholders for images and links to files of one rendering."""

    def __init__(
        self,
        files: PageFiles,
        strip: StripState,
        output: ParserOutput,
        notices: Notices,
        usage: Usage,
        *,
        makes_html: bool,
    ) -> None:
        """Create placeholders in ``strip``. Thumbnails are requested only with ``makes_html``."""
        self._files = files
        self._strip = strip
        self._output = output
        self._notices = notices
        self._usage = usage
        self._makes_html = makes_html
        self._entries: dict[str, _Entry] = {}
        self._waiting: list[_Entry] = []

    def hold(self, held: HeldMedia, categories_before: int | None = None) -> str:
        """Return a placeholder for something that needs files, and record its first file.

        ``categories_before`` is how many categories the page had before the options of the file
        were read, if these may have added some. The one for missing files comes before those.
        """
        title = held.titles[0]
        if is_file(title):
            self._output.images.setdefault(title.dbkey)
        if categories_before is None:
            categories_before = len(self._output.categories)
        entry = _Entry(held, categories_before)
        marker = self._strip.marker(_KIND)
        self._entries[marker] = entry
        self._waiting.append(entry)
        return marker

    def replace(self, text: str) -> str:
        """Return the text with all placeholders replaced, and with the markers of tags in captions.

        This looks up all files, so renderings that do not make HTML keep the placeholders.
        """
        while _START in text and self._makes_html:
            waiting, self._waiting = self._waiting, []
            if waiting:
                self._find(waiting)
                parts = [(entry, entry.held.requests(self._files)) for entry in waiting]
                flat = [request for _, requests in parts for request in requests]
                thumbnails = iter(self._files.thumbnails(flat))
                for entry, requests in parts:
                    entry.thumbnails = [next(thumbnails) for _ in requests]
            text = _MARKER.sub(lambda match: self._html(match[0]), text)
            text = self._strip.unstrip_general(text)
        return text

    def note_files(self) -> None:
        """Record redirects and missing files of a rendering without HTML; two queries at most."""
        if self._waiting:
            self._find(self._waiting)

    def replace_text(self, text: str) -> str:
        """Return the text with all placeholders replaced by the text known without the files."""
        if _START not in text:
            return text

        def caption(match: re.Match[str]) -> str:
            entry = self._entries.get(match[0])
            return entry.held.text if entry else ""

        return _MARKER.sub(caption, text)

    def uses(self, html: str) -> list[MediaUse]:
        """Return how files are shown in some HTML that contains placeholders, in their order.

        This includes files in the results of tags and in captions. Those in a caption come before
        the file that it belongs to.
        """
        return list(self._uses(html, set()))

    def _uses(self, html: str, read: set[str]) -> Iterator[MediaUse]:
        """Yield the uses; ``read`` are the placeholders whose captions were searched already."""
        for marker in _MARKER.findall(self._strip.peek(html)):
            entry = self._entries.get(marker)
            if entry is None:
                continue
            if marker not in read:
                read.add(marker)
                yield from self._uses(entry.held.text, read)
            if use := entry.held.use:
                yield use

    def change_caption(self, marker: str, change: Callable[[str], str]) -> None:
        """Apply a stage of the pipeline to the caption that a placeholder stands for."""
        if entry := self._entries.get(marker):
            entry.held.change_caption(change)

    def change_captions(
        self, text: str, change: Callable[[str], str], start: int = 0, end: int | None = None
    ) -> None:
        """Apply a stage of the pipeline to the captions that are held for a text or part of it."""
        for match in _MARKER.finditer(text, start, len(text) if end is None else end):
            self.change_caption(match[0], change)

    def _html(self, marker: str) -> str:
        entry = self._entries.get(marker)
        if entry is None:
            return ""
        if entry.html is None:
            entry.html = self.replace(entry.held.html(self._files, entry.thumbnails))
            return entry.html
        # A marker may occur again in other stripped text, within the same limit.
        usage = self._usage
        usage.unstrip_size += len(entry.html)
        return entry.html if usage.unstrip_size <= usage.ceilings.unstrip_size else ""

    def _find(self, waiting: Sequence[_Entry]) -> None:
        titles = [title for entry in waiting for title in entry.held.titles]
        self._files.load(titles)
        self._files.load_redirects(titles)
        self._note_redirected(waiting)
        self._note_broken(waiting)

    def _note_redirected(self, waiting: Iterable[_Entry]) -> None:
        """Record the target of a redirect as used, directly after the redirect."""
        targets = {}
        for title in (entry.held.titles[0] for entry in waiting):
            file = self._files.file(title)
            if file and file.name != title.dbkey:
                targets[title.dbkey] = file.name
        if targets:
            output = self._output
            names = list(output.images)
            output.images = {}
            for name in names:
                output.images.setdefault(name)
                output.images.setdefault(targets.get(name, name))

    def _note_broken(self, waiting: Iterable[_Entry]) -> None:
        """Add the tracking category for missing files, at the position of the first such file.

        If no file is known to be missing, but a repository failed, links keep the category that the
        stored page has.
        """
        broken = [entry for entry in waiting if entry.held.is_broken(self._files)]
        if not self._makes_html:
            certain = [entry for entry in broken if not self._files.are_unknown(entry.held.titles)]
            if not certain:
                category = self._notices.tracking_category(_CATEGORY) if broken else ""
                if not (category and self._files.is_stored_in(category)):
                    return
            broken = certain or broken
        if not broken:
            return
        output = self._output
        count = len(output.categories)
        self._notices.add_tracking_category(_CATEGORY)
        if len(output.categories) == count:
            return
        categories = list(output.categories.items())
        before, added = categories[:count], categories[count:]
        place = broken[0].categories_before
        output.categories = dict([*before[:place], *added, *before[place:]])


@dataclass(frozen=True, slots=True)
class MediaUse:
    """How a page shows a file.

    ``width`` and ``height`` are as given in wikitext, in pixels. ``is_thumbnail`` says whether the
    file may be scaled down even if neither is given. ``classes`` are the CSS classes given.
    """

    title: Title
    width: int | None = None
    height: int | None = None
    is_thumbnail: bool = False
    in_gallery: bool = False
    classes: tuple[str, ...] = ()


class HeldMedia(Protocol):
    """Something that shows a file, or links to one."""

    @property
    def titles(self) -> Sequence[Title]:
        """The files to be looked up; the first is recorded as used by the page."""

    @property
    def text(self) -> str:
        """Its text, as far as known without the files."""

    @property
    def use(self) -> MediaUse | None:
        """How it shows its file; ``None`` if it shows none."""

    def is_broken(self, files: PageFiles) -> bool:
        """Return whether the page is tracked as one that shows a missing file."""

    def requests(self, files: PageFiles) -> Sequence[ThumbRequest]:
        """Return requests for the thumbnails that it needs."""

    def html(self, files: PageFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return its HTML; the thumbnails are in the order of the requests."""

    def change_caption(self, change: Callable[[str], str]) -> None:
        """Replace its visible text by the result of ``change``, a stage of the pipeline."""


class PageFiles:
    """The files of one rendering, each looked up once."""

    def __init__(self, site: Wiki, lookups: FileLookups, page: Title) -> None:
        """Look up the files of ``page``; other renderings may share ``lookups``."""
        self._site = site
        self._lookups = lookups
        self._page = page
        self._loaded: dict[tuple[int, str], File | None] = {}
        self._redirects: dict[str, str] = {}
        self._bad: BadFiles | None = None
        self.unknown: set[str] = set()
        """Names of files that were looked up, but a repository failed that may have them."""

    def load(self, titles: Iterable[Title]) -> None:
        """Look up files, all at once, unless they were looked up before."""
        missing = {
            title.key: title for title in titles if is_file(title) and title.key not in self._loaded
        }
        if missing:
            self._lookups.load(missing.values())
            for key, title in missing.items():
                self._loaded[key] = self._lookups.file(title)
                if self._lookups.is_unknown(title):
                    self.unknown.add(title.dbkey)

    def load_redirects(self, titles: Iterable[Title]) -> None:
        """Look up which of the missing files have a page that is a redirect."""
        missing = {title.dbkey for title in titles if is_file(title) and self.file(title) is None}
        if missing:
            self._redirects.update(redirect_targets(self._site.db, sorted(missing)))

    def file(self, title: Title) -> File | None:
        """Return the file of a title after following redirects, or ``None``."""
        if not is_file(title):
            return None
        if title.key not in self._loaded:
            self.load([title])
        return self._loaded[title.key]

    def are_unknown(self, titles: Iterable[Title]) -> bool:
        """Return whether a repository failed that may have one of these files."""
        return any(title.dbkey in self.unknown for title in titles if is_file(title))

    def is_stored_in(self, category: str) -> bool:
        """Return whether the stored page is in a category, given its database key. One query."""
        return is_member(self._site.db, self._page.key, category)

    def is_redirect(self, title: Title) -> bool:
        """Return whether the page of a missing file is a redirect."""
        return title.ns == FILE and title.dbkey in self._redirects

    def is_bad(self, title: Title) -> bool:
        """Return whether a file must not be shown on this page."""
        if self._bad is None:
            self._bad = BadFiles(self._site)
        return self._bad.is_bad(title.dbkey, self._page)

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> Sequence[Thumbnail | None]:
        """Return the thumbnails for requests, in their order."""
        return self._lookups.repositories.thumbnails(requests)


def is_file(title: Title) -> bool:
    """Return whether a title can name a file of this wiki."""
    return title.ns == FILE and not title.interwiki
