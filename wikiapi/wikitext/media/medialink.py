"""Links to files themselves: ``[[Media:name]]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.title.namespaces import FILE
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.media.broken import upload_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest
    from wikiapi.title.title import Title
    from wikiapi.wikitext.media.held import FoundFiles, MediaUse
    from wikiapi.wikitext.state import ParseState


class MediaLink:
    """A link that waits for its file."""

    def __init__(self, title: Title, label: str, state: ParseState) -> None:
        """Link to the file of a title of the Media namespace."""
        self._title = state.site.titles.make(FILE, title.dbkey)
        self._state = state
        self.text = label

    @property
    def titles(self) -> Sequence[Title]:
        """The file."""
        return (self._title,)

    @property
    def use(self) -> MediaUse | None:
        """Nothing is shown."""
        return None

    def is_broken(self, found: FoundFiles) -> bool:
        """A link shows nothing that could be broken."""
        return False

    def requests(self, found: FoundFiles) -> Sequence[ThumbRequest]:
        """None: nothing is shown."""
        return ()

    def html(self, found: FoundFiles, thumbnails: Sequence[Thumbnail | None]) -> str:
        """The link to the file, or to where it could be uploaded."""
        file = found.file(self._title)
        url = file.current.url if file else upload_url(self._title, self._state)
        attributes = {
            "href": url,
            "class": "internal" if file else "new",
            "title": file.title.text if file else self._title.text,
        }
        return f"<a{encode_attributes(attributes)}>{self.text}</a>"

    def link_addresses(self) -> None:
        """Text of a link holds no other links."""
