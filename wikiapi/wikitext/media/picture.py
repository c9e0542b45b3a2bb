"""The picture of a file and the link around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wikiapi.filerepo.scaling import Size
from wikiapi.filerepo.thumbnail import Thumbnail
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.ids import escape_id_for_link
from wikiapi.wikitext.inline.externallinks import is_followed
from wikiapi.wikitext.inline.linkholders import page_address
from wikiapi.wikitext.media.linkoption import LinkOption
from wikiapi.wikitext.media.sizing import DENSITIES


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
    """

    title: Title
    thumbnails: Sequence[Thumbnail | None]
    link: LinkOption
    alt: str | None
    tip: str
    language: str = ""
    resource: str = ""
    size: Size | None = None

    def html(self, site: Wiki) -> str:
        """Return the ``img`` element within its link, or within a ``span`` if it has none."""
        image = f"<img{encode_attributes(self._image())} />"
        attributes = self._link(site)
        element = "a" if "href" in attributes else "span"
        return f"<{element}{encode_attributes(attributes)}>{image}</{element}>"

    def _image(self) -> dict[str, str]:
        shown = self.thumbnails[0]
        if shown is None:
            return {}
        size = self.size or shown.size
        attributes = {} if self.alt is None else {"alt": self.alt}
        if self.resource and self.link.is_given:
            attributes["resource"] = self.resource
        attributes |= {
            "src": shown.url,
            "decoding": "async",
            "width": str(size.width),
            "height": str(size.height),
            "class": "mw-file-element",
        }
        if densities := self._densities(shown):
            attributes["srcset"] = densities
        return attributes

    def _densities(self, shown: Thumbnail) -> str:
        names = (name for _, name in DENSITIES)
        found: dict[str, str] = {}
        for larger, name in zip(self.thumbnails[1:], names, strict=False):
            if larger and larger.url != shown.url:
                found.setdefault(larger.url, name)
        return ", ".join(f"{url} {name}" for url, name in found.items())

    def _link(self, site: Wiki) -> dict[str, str]:
        # MediaWiki leaves out the tooltip "0", which is false in PHP.
        tip = {"title": self.tip} if self.tip not in ("", "0") else {}
        link = self.link
        if link.url:
            followed = {} if is_followed(link.url) else {"rel": "nofollow"}
            return {"href": link.url, **tip, **followed}
        if link.title:
            tip = tip or {"title": link.title.prefixed_text}
            return {"href": _address(link.title, site), **tip}
        if link.nowhere:
            return tip
        return {"href": self._description(site), "class": "mw-file-description", **tip}

    def _description(self, site: Wiki) -> str:
        if not self.language:
            return site.page_path(self.title)
        url = site.page_url(self.title, f"lang={self.language}")
        return url.removeprefix(site.config.site.server)


def _address(title: Title, site: Wiki) -> str:
    if title.dbkey or title.interwiki:
        return page_address(title, site)
    return f"#{escape_id_for_link(title.fragment)}"
