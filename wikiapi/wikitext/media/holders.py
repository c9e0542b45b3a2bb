"""Files of one rendering: held back, then looked up and shown all at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from wikiapi.filerepo.badfiles import BadFiles
from wikiapi.filerepo.file import File
from wikiapi.filerepo.group import RepositoryGroup
from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest
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
"""Pattern of what stands for a file that is held back."""
_MARKER = re.compile(MEDIA_MARKER)
_CATEGORY = "broken-file-category"


@dataclass(slots=True)
class _Entry:
    held: HeldMedia
    categories_before: int
    """How many categories the page had: a tracking category belongs behind those."""
    thumbnails: Sequence[Thumbnail | None] = ()
    html: str | None = None


class MediaHolders:
    """What shows or links to files in one rendering."""

    def __init__(
        self,
        files: FoundFiles,
        strip: StripState,
        output: ParserOutput,
        notices: Notices,
        usage: Usage,
        *,
        makes_html: bool,
    ) -> None:
        """Hold files back; thumbnails are only requested if HTML is created."""
        self._files = files
        self._strip = strip
        self._output = output
        self._notices = notices
        self._usage = usage
        self._makes_html = makes_html
        self._entries: dict[str, _Entry] = {}
        self._waiting: list[_Entry] = []

    def hold(self, held: HeldMedia) -> str:
        """Return a marker for something that needs files; its first file is noted as used."""
        title = held.titles[0]
        if is_file(title):
            self._output.images.setdefault(title.dbkey)
        entry = _Entry(held, len(self._output.categories))
        marker = self._strip.marker(_KIND)
        self._entries[marker] = entry
        self._waiting.append(entry)
        return marker

    def replace(self, text: str) -> str:
        """Return the text with every marker replaced, and those of tags within captions.

        Looks up all that is held, so it is for HTML only; other renderings keep their markers.
        """
        while _START in text and self._makes_html:
            self._look_up()
            text = _MARKER.sub(lambda match: self._html(match[0]), text)
            text = self._strip.unstrip_general(text)
        return text

    def note_files(self) -> None:
        """Note redirects and missing files where no HTML is made: two queries at most."""
        self._find(self._waiting)

    def replace_text(self, text: str) -> str:
        """Return the text with every marker replaced by the text known so far."""
        if _START not in text:
            return text
        return _MARKER.sub(lambda match: self._text(match[0]), text)

    def uses(self, html: str) -> list[MediaUse]:
        """Return how the files are shown that markers in some HTML stand for, in their order.

        Files in what tags gave are among them, and those in captions, each before the file that it
        is the caption of.
        """
        return list(self._uses(html, set()))

    def _uses(self, html: str, read: set[str]) -> Iterator[MediaUse]:
        """Yield the uses; ``read`` are the markers whose captions have been looked through."""
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
        """Change the caption that a marker stands for: a stage reads it with the text around."""
        if entry := self._entries.get(marker):
            entry.held.change_caption(change)

    def _text(self, marker: str) -> str:
        entry = self._entries.get(marker)
        return entry.held.text if entry else ""

    def _html(self, marker: str) -> str:
        entry = self._entries.get(marker)
        if entry is None:
            return ""
        if entry.html is None:
            entry.html = self.replace(entry.held.html(self._files, entry.thumbnails))
            return entry.html
        return entry.html if self._may_repeat(entry.html) else ""

    def _may_repeat(self, html: str) -> bool:
        """Return whether a marker may occur many times, as one inside other stripped text."""
        usage = self._usage
        usage.unstrip_size += len(html)
        return usage.unstrip_size <= usage.ceilings.unstrip_size

    def _look_up(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        self._find(waiting)
        self._fetch_thumbnails(waiting)

    def _find(self, waiting: Sequence[_Entry]) -> None:
        titles = [title for entry in waiting for title in entry.held.titles]
        self._files.load(titles)
        self._files.load_redirects(titles)
        self._note_redirected(waiting)
        self._note_broken(waiting)

    def _fetch_thumbnails(self, waiting: Iterable[_Entry]) -> None:
        parts = [(entry, entry.held.requests(self._files)) for entry in waiting]
        flat = [request for _, requests in parts for request in requests]
        given = iter(self._files.thumbnails(flat))
        for entry, requests in parts:
            entry.thumbnails = [next(given) for _ in requests]

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
        """Track the page, at the position of the category in the text."""
        if not self._files.knows_all:
            return
        broken = (entry for entry in waiting if entry.held.is_broken(self._files))
        first = next(broken, None)
        if first is None:
            return
        output = self._output
        count = len(output.categories)
        self._notices.add_tracking_category(_CATEGORY)
        if len(output.categories) == count:
            return
        categories = list(output.categories.items())
        before, added = categories[:count], categories[count:]
        place = first.categories_before
        output.categories = dict([*before[:place], *added, *before[place:]])


@dataclass(frozen=True, slots=True)
class MediaUse:
    """How a page shows a file.

    ``width`` and ``height`` are as given, in pixels; ``is_thumbnail`` says that the file is shown
    smaller than it is although neither may be given. ``classes`` are those of its element.
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
        """The files to be looked up; the first is the one that counts as used."""

    @property
    def text(self) -> str:
        """Its text, as far as that is known without the files."""

    @property
    def use(self) -> MediaUse | None:
        """How it shows its file; ``None`` where it shows none."""

    def is_broken(self, found: FoundFiles) -> bool:
        """Return whether the page is tracked as one that shows a missing file."""

    def requests(self, found: FoundFiles) -> Sequence[ThumbRequest]:
        """Return requests for the thumbnails that it needs."""

    def html(self, found: FoundFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Return its HTML; the thumbnails are in the order of the requests."""

    def change_caption(self, change: Callable[[str], str]) -> None:
        """Change the text that it shows, if that belongs to the text around it."""


class FoundFiles:
    """The files of one rendering, each looked up once."""

    def __init__(
        self, site: Wiki, repositories: RepositoryGroup, page: Title, *, only_at_hand: bool
    ) -> None:
        """Find the files that a page shows.

        With ``only_at_hand`` nothing is asked over the network, as where links alone are derived:
        there may be millions of pages, and the repository may be out of reach.
        """
        self._site = site
        self._repositories = repositories
        self._page = page
        self._only_at_hand = only_at_hand
        self._files: dict[tuple[int, str], File | None] = {}
        self._redirects: dict[str, str] = {}
        self._bad: BadFiles | None = None

    def load(self, titles: Iterable[Title]) -> None:
        """Look up files that will be used and are not known yet, all at once."""
        unknown = {
            title.key: title for title in titles if is_file(title) and title.key not in self._files
        }
        if unknown:
            repositories = self._repositories
            find = repositories.find_without_network if self._only_at_hand else repositories.find
            found = find(unknown.values())
            self._files.update({key: found.get(title) for key, title in unknown.items()})

    def load_redirects(self, titles: Iterable[Title]) -> None:
        """Find out which of the missing files have a page that is a redirect."""
        missing = {title.dbkey for title in titles if is_file(title) and self.file(title) is None}
        if missing:
            self._redirects.update(redirect_targets(self._site.db, sorted(missing)))

    def file(self, title: Title) -> File | None:
        """Return the file of a title, redirects followed, if there is one."""
        if not is_file(title):
            return None
        if title.key not in self._files:
            self.load([title])
        return self._files[title.key]

    @property
    def knows_all(self) -> bool:
        """Whether a file that was not found does not exist, rather than was not looked up."""
        return not (self._only_at_hand and self._repositories.has_remote)

    def is_redirect(self, title: Title) -> bool:
        """Return whether the page of a missing file redirects to another."""
        return title.ns == FILE and title.dbkey in self._redirects

    def is_bad(self, title: Title) -> bool:
        """Return whether a file must not be shown on this page."""
        if self._bad is None:
            self._bad = BadFiles(self._site)
        return self._bad.is_bad(title.dbkey, self._page)

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> Sequence[Thumbnail | None]:
        """Return the thumbnails for requests, in their order."""
        return self._repositories.thumbnails(requests)


def is_file(title: Title) -> bool:
    """Return whether a title can name a file of this wiki."""
    return title.ns == FILE and not title.interwiki
