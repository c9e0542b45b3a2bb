"""PageImages: the image that represents a page, chosen when it is parsed; ``prop=pageimages``.

Settings of ``[extensions.pageimages]``:

* ``namespaces``: ids of the namespaces whose pages get an image, by default only the main one;
* ``lead_only``: whether only images before the first heading are considered, true by default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from wikiapi.api import Obj, PropModule, bad_continue, enum, integer, limit, string
from wikiapi.errors import ApiError
from wikiapi.filerepo import File, Size, Thumbnail, ThumbParams, ThumbRequest
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import Plain
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi.store.queries import pages
from wikiapi.title import FILE, MEDIAWIKI, Title
from wikiapi.wikitext import ParseState
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.pageimages.choice import ANY_PROPERTY, PROPERTY, PageImageChooser


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "PageImages",
            kind="api",
            description="Images that represent pages",
            query_modules=(PageImages,),
        ),
    )


@hookimpl
def on_page_parsed(state: ParseState, html: str) -> None:
    """Choose the page's image."""
    if state.output.images:
        state.site.derived(PageImageChooser).choose(state, html)


@hookimpl
def on_links_updated(site: Site, pages: Sequence[PageLinkSet]) -> None:
    """Forget the denied images after a page of the MediaWiki namespace has been written."""
    if any(page.namespace == MEDIAWIKI for page in pages):
        site.derived(PageImageChooser).forget_denied()


_THUMBNAIL = "thumbnail"
_ORIGINAL = "original"
_NAME = "name"


class PageImages(PropModule):
    """Returns information about images on the page, such as thumbnail and presence of photos."""

    name = "pageimages"
    prefix = "pi"
    params = (
        enum("prop", _THUMBNAIL, _NAME, _ORIGINAL, multi=True, default="thumbnail|name",
             help="Properties of the image to include.",
             value_help=((_THUMBNAIL, "Address and size of a thumbnail."),
                         (_NAME, "Name of the file."),
                         (_ORIGINAL, "Address and size of the file itself."))),
        integer("thumbsize", "Largest width and height of the thumbnail, in pixels.", default=50),
        limit("How many pages to list images for.", default=50, largest=50, highest=100),
        enum("license", "free", "any", default="free",
             help="Whether the image must be free."),
        integer("continue", "When more results are available, use this to continue."),
        string("langcode", "Language of the texts in an SVG image."),
    )  # fmt: skip
    examples = (
        ("action=query&prop=pageimages&titles=Albert%20Einstein&pithumbsize=100",
         "Name and thumbnail of the image of a page"),
    )  # fmt: skip
    help_urls = (
        "https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:PageImages#API",
    )  # fmt: skip

    def execute(self) -> None:
        """Add the image of each page; a file page is represented by its own file."""
        props = self.p["prop"]
        if not props:
            raise ApiError("noprop", "apierror-paramempty", Plain(self.full("prop")))
        # The files of missing file pages may be elsewhere.
        missing = self.page_set.missing.items()
        titles = self.page_set.titles | {i: title for i, title in missing if title.ns == FILE}
        start: int | None = self.p["continue"]
        offset = 0
        if start is not None:
            # Answers never give the first page as the one to continue with.
            places = {page_id: place for place, page_id in enumerate(titles) if place}
            if start not in places:
                raise bad_continue()
            offset = places[start]
        batch = dict(islice(titles.items(), offset, offset + self.p["limit"]))
        following = next(islice(titles, offset + self.p["limit"], None), None)
        if following is not None:
            self.set_continue(following)
        self._add_images(self._names(batch), frozenset(props))

    def _names(self, batch: Mapping[int, Title]) -> dict[int, str]:
        others = [page_id for page_id, title in batch.items() if title.ns != FILE]
        choices = (ANY_PROPERTY, PROPERTY) if self.p["license"] == "any" else (PROPERTY,)
        values = pages.page_props(self.db, others, choices) if others else {}
        names = {page_id: title.dbkey for page_id, title in batch.items() if title.ns == FILE}
        for page_id, properties in values.items():
            names[page_id] = next(properties[name] for name in choices if name in properties)
        return {page_id: names[page_id] for page_id in batch if page_id in names}

    def _add_images(self, names: Mapping[int, str], props: frozenset[str]) -> None:
        files = self._files(names) if props - {_NAME} else {}
        thumbnails = self._thumbnails(files) if _THUMBNAIL in props else {}
        for page_id, name in names.items():
            images: dict[str, Any] = {}
            if (thumbnail := thumbnails.get(page_id)) and thumbnail.url:
                images[_THUMBNAIL] = self._picture(
                    thumbnail.url,
                    files[page_id].current.dimensions if thumbnail.is_original else thumbnail.size,
                )
            if _ORIGINAL in props and page_id in files:
                version = files[page_id].current
                images[_ORIGINAL] = self._picture(version.url, version.dimensions)
            if _NAME in props:
                images["pageimage"] = name
            if images and not self.result.merge(("query", "pages", page_id), images):
                self.set_continue(page_id)
                return

    def _files(self, names: Mapping[int, str]) -> dict[int, File]:
        titles = {page_id: self.site.titles.make(FILE, name) for page_id, name in names.items()}
        files = self.site.files.find(titles.values())
        return {page_id: files[title] for page_id, title in titles.items() if title in files}

    def _thumbnails(self, files: Mapping[int, File]) -> dict[int, Thumbnail | None]:
        size, language = self.p["thumbsize"], self.p["langcode"] or ""
        if size <= 0:
            return {}
        params = ThumbParams(size, size, language=language)
        requests = [ThumbRequest(file, file.current, params) for file in files.values()]
        return dict(zip(files, self.site.files.thumbnails(requests), strict=True))

    def _picture(self, url: str, size: Size) -> Obj:
        address = self.site.files.full_url(url)
        return Obj({"source": address, "width": size.width, "height": size.height})
