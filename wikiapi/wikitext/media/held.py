"""What is held back until files are known, and what is then known of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from wikiapi.filerepo.badfiles import BadFiles
from wikiapi.store.files import redirect_targets
from wikiapi.title.namespaces import FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikiapi.filerepo.file import File
    from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest
    from wikiapi.title.title import Title
    from wikiapi.wikitext.state import ParseState


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
        """The files that must be known; the first is the one that counts as used."""

    @property
    def text(self) -> str:
        """What of it is text, as far as that can be said without the files."""

    @property
    def use(self) -> MediaUse | None:
        """How it shows its file; ``None`` where it shows none."""

    def is_broken(self, found: FoundFiles) -> bool:
        """Whether the page is tracked as one that shows a missing file."""

    def requests(self, found: FoundFiles) -> Sequence[ThumbRequest]:
        """The thumbnails it needs."""

    def html(self, found: FoundFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """Its HTML; the thumbnails are in the order of the requests."""

    def link_addresses(self) -> None:
        """Link the addresses written out in what it shows."""


class FoundFiles:
    """The files of one rendering."""

    def __init__(self, state: ParseState) -> None:
        """Nothing is looked up yet."""
        self._state = state
        self._redirects: dict[str, str] = {}
        self._bad: BadFiles | None = None

    def load(self, titles: Iterable[Title]) -> None:
        """Look up files, all at once; of those missing, which pages are redirects."""
        wanted = [title for title in titles if is_file(title)]
        self._state.load_files(wanted)
        missing = {title.dbkey for title in wanted if self.file(title) is None}
        if missing:
            self._redirects.update(redirect_targets(self._state.site.db, sorted(missing)))

    def file(self, title: Title) -> File | None:
        """The file of a title, redirects followed."""
        return self._state.file(title) if is_file(title) else None

    def is_redirect(self, title: Title) -> bool:
        """Whether the page of a missing file redirects to another."""
        return title.ns == FILE and title.dbkey in self._redirects

    def is_bad(self, title: Title) -> bool:
        """Whether a file must not be shown on this page."""
        if self._bad is None:
            self._bad = BadFiles(self._state.site)
        return self._bad.is_bad(title.dbkey, self._state.title)


def is_file(title: Title) -> bool:
    """Whether a title can name a file of this wiki."""
    return title.ns == FILE and not title.interwiki
