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
