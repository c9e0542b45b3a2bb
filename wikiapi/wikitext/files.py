"""Files as the parser sees them: whether a name is known and where the file lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.filerepo.file import File
    from wikiapi.site import Site
    from wikiapi.title.title import Title


class FileNames:
    """The files of a site, its own and those of foreign repositories."""

    def __init__(self, site: Site) -> None:
        """Ask this site's repositories."""
        self._site = site

    def find_all(self, titles: Iterable[Title]) -> dict[Title, File]:
        """The files of titles, redirects followed."""
        return self._site.files.find(titles)

    def find_at_hand(self, titles: Iterable[Title]) -> dict[Title, File]:
        """Those of them that can be found without a request over the network."""
        return self._site.files.find_at_hand(titles)

    @property
    def is_all_at_hand(self) -> bool:
        """Whether a file that is not found at hand does not exist."""
        return not self._site.files.has_remote
