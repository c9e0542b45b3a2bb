"""The picture of a file and the link around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.filerepo.file import File, Thumbnail
from wikiapi.filerepo.scaling import Size
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.media.holders import PageFiles
from wikiapi.wikitext.media.options import ImageOptions, LinkOption
from wikiapi.wikitext.media.plaintext import attribute_text
from wikiapi.wikitext.media.sizing import DENSITIES, RequestedSize

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState


@dataclass(slots=True)
class Picture:
    """A picture in a page.

    Attributes:
        title: the title of the file.
        thumbnails: the picture, then those for screens of higher density.
        link: the target of the link; by default the file's page.
        alt: the alternative text; ``None`` for no ``alt`` attribute.
        tip: the tooltip of the link.
        language: the language of the texts in a drawing, if one was chosen.
        resource: the path of the file's page, for the attribute ``resource``, which is written if
            the link has another target.
        size: the size to show it in; ``None`` for the size of the thumbnail.
        page: the page of a document to which the link leads, in Parsoid's HTML.
    """

    title: Title
    thumbnails: Sequence[Thumbnail | None]
    link: LinkOption
    alt: str | None
    tip: str
    language: str = ""
    resource: str = ""
    size: Size | None = None
    page: str = ""

    def densities(self) -> str:
        """Return the value of ``srcset``; empty if no picture is larger than the usual one."""
        usual = self.thumbnails[0]
        names = (name for _, name in DENSITIES)
        urls: dict[str, str] = {}
        for larger, name in zip(self.thumbnails[1:], names, strict=False):
            if larger and usual and larger.url != usual.url:
                urls.setdefault(larger.url, name)
        return ", ".join(f"{url} {name}" for url, name in urls.items())

    @property
    def tooltip(self) -> dict[str, str]:
        """The attribute for the tooltip, if there is one."""
        # MediaWiki leaves out the tooltip "0", which is false in PHP.
        return {"title": self.tip} if self.tip not in ("", "0") else {}

    def target(
        self, site: Wiki, own: str, address: Callable[[Title], str] | None = None
    ) -> dict[str, str]:
        """Return the attributes of the link; ``own`` is the class of those to the file's page.

        ``address`` returns the URL of a page, by default its path. Without ``href``, the picture
        has no link.
        """
        tip, link = self.tooltip, self.link
        if link.url:
            return {"href": link.url, **tip, **link.attributes}
        if link.title:
            tip = tip or {"title": link.title.prefixed_text}
            return {"href": (address or site.page_path)(link.title), **tip}
        if link.nowhere:
            return tip
        query = f"lang={self.language}" if self.language else ""
        if address is not None:
            query = query or (f"page={self.page}" if self.page else "")
            path = address(self.title) + (f"?{query}" if query else "")
        elif query:
            path = site.page_url(self.title, query).removeprefix(site.config.site.server)
        else:
            path = site.page_path(self.title)
        return {"href": path, "class": own, **tip}


@dataclass(slots=True)
class LoadedImage:
    """An image whose file has been looked up.

    Attributes:
        title: the title as the page has it, which may be that of a redirect.
        file: the file; ``None`` if it does not exist.
        options: the options of the image.
        caption: the caption for this file, half-parsed.
        language: the language of the texts in a drawing, if one was chosen.
        size: the size that was requested.
        thumbnails: the picture, then those for screens of higher density; empty for a missing file.
        is_bad: whether the file must not be shown on this page.
        files: the files of the page.
        state: the state of the rendering.
    """

    title: Title
    file: File | None
    options: ImageOptions
    caption: str
    language: str
    size: RequestedSize
    thumbnails: Sequence[Thumbnail | None]
    is_bad: bool
    files: PageFiles
    state: ParseState

    @property
    def thumbnail(self) -> Thumbnail | None:
        """The picture; ``None`` if there is none, or it could not be made."""
        return self.thumbnails[0] if self.thumbnails else None

    def link_to(self, page: Title) -> LinkOption:
        """Return the target of the picture; one of another file leads to the page of its own."""
        link = self.options.link
        is_other = self.options.format == "manualthumb" and not link.is_given
        return LinkOption(title=page) if is_other else link

    def plain(self, html: str) -> str:
        """Return the text of half-parsed HTML."""
        return attribute_text(html, self.state)
