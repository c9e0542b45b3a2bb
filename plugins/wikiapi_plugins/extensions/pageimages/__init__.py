"""PageImages: the image that represents a page, chosen when it is parsed; ``prop=pageimages``.

Settings of ``[extensions.pageimages]``:

* ``namespaces``: ids of the namespaces whose pages get an image, by default only the main one;
* ``lead_only``: whether only images before the first heading are considered, true by default.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from threading import Lock
from typing import Any, NamedTuple

from wikiapi.api import Obj, PropModule, bad_continue, enum, integer, limit, string
from wikiapi.errors import ApiError
from wikiapi.filerepo import File, Size, Thumbnail, ThumbParams, ThumbRequest
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import Plain
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi.store.models import LinkTarget, Page, PageLinks, PageProps
from wikiapi.store.queries import pages
from wikiapi.title import FILE, MAIN, MEDIAWIKI
from wikiapi.wiki import Wiki
from wikiapi.wikitext import ParseState, Target
from wikiapi.wikitext.media import MediaUse
from wikiapi_plugins.extensions import BundledExtension


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


NAME = "pageimages"
PROPERTY = "page_image_free"
ANY_PROPERTY = "page_image"
"""For a best image that is not free; only MediaWiki with CommonsMetadata sets it."""
DENIED = "Pageimages-denylist"
"""The page of the MediaWiki namespace that links to files which never represent a page."""
_DENIED_SECONDS = 900
_HEADING = re.compile(r"<h[1-6]\b", re.IGNORECASE)


class PageImageChooser:
    """Chooses images for the pages of one site."""

    def __init__(self, site: Wiki) -> None:
        """Read the settings."""
        settings = site.config.extensions.get(NAME, {})
        self._site = site
        self._namespaces = frozenset(settings.get("namespaces", (MAIN,)))
        self._lead_only = bool(settings.get("lead_only", True))
        self._denied: tuple[datetime, frozenset[str]] | None = None
        self._lock = Lock()

    def choose(self, state: ParseState, html: str) -> None:
        """Set the property for the image of the page being parsed, if one represents it."""
        if state.title.ns not in self._namespaces:
            return
        heading = _HEADING.search(html) if self._lead_only else None
        uses = state.media.uses(html[: heading.start()] if heading else html)
        titles = [use.title for use in uses if use.title.ns == FILE]
        if uses:
            state.files.load(titles)
        files = {title: file for title in titles if (file := state.files.file(title))}
        denied = self._denied_now() if files else frozenset()
        candidates = []
        for use in uses:
            if file := files.get(use.title):
                width, height = file.current.dimensions
                excluded = EXCLUDED_CLASS in use.classes or file.name in denied
                page_width = _shown_width(use, width, height)
                candidates.append(Candidate(file.name, width, height, page_width, excluded))
        name = best(candidates)
        if state.options.target is Target.LINKS and state.files.unknown:
            # A repository cannot be reached: the image that was chosen before may be there.
            query = PageProps.select(PageProps.pp_value).join(
                Page, on=(Page.page_id == PageProps.pp_page)
            )
            query = query.where(
                Page.page_namespace == state.title.ns, Page.page_title == state.title.dbkey
            )
            value = self._site.db.scalar(query.where(PageProps.pp_propname == PROPERTY))
            stored = None if value is None else str(value)
            if any(use.title.dbkey == stored for use in uses):
                name = stored
        if name is not None:
            state.output.properties[PROPERTY] = name

    def forget_denied(self) -> None:
        """Forget the denied images, because the page with their list may have changed."""
        with self._lock:
            self._denied = None

    def _denied_now(self) -> frozenset[str]:
        now = self._site.clock()
        with self._lock:
            if self._denied is None or (now - self._denied[0]).total_seconds() > _DENIED_SECONDS:
                query = (
                    LinkTarget.select(LinkTarget.lt_title)
                    .join(PageLinks, on=(PageLinks.pl_target_id == LinkTarget.lt_id))
                    .join(Page, on=(Page.page_id == PageLinks.pl_from))
                    .where(
                        Page.page_namespace == MEDIAWIKI,
                        Page.page_title == DENIED,
                        LinkTarget.lt_namespace == FILE,
                    )
                )
                self._denied = now, frozenset(name for (name,) in self._site.db.execute(query))
            return self._denied[1]


def _shown_width(use: MediaUse, width: int, height: int) -> int:
    """Return the approximate width in pixels, which is exact enough for the score."""
    if use.in_gallery:
        return 0
    if use.width:
        return use.width
    if use.height and height:
        return width * use.height // height
    return USUAL_THUMBNAIL if use.is_thumbnail else width


# The scores are those documented on https://www.mediawiki.org/wiki/Extension:PageImages: small
# images belong to maintenance templates, very wide or tall ones are banners, and earlier ones
# matter more.

REFUSED = -1000

Table = tuple[tuple[int, int], ...]
"""Pairs of a maximum and the score up to it, ascending; the last score also applies above it."""

WIDTHS: Table = ((119, -100), (400, 10), (600, 5), (601, 0))
"""By the width in pixels at which an image is shown."""
GALLERY_WIDTHS: Table = ((99, -100), (100, 0))
"""By the width of the file, for images in galleries, which are all shown alike."""
TENTHS: Table = ((3, -100), (5, 0), (20, 5), (30, 0), (31, -100))
"""By ten times the ratio of width to height."""
POSITIONS = (8, 6, 4, 3)
"""By the position among the images of the page; later positions add nothing."""

EXCLUDED_CLASS = "notpageimage"
USUAL_THUMBNAIL = 250


class Candidate(NamedTuple):
    """A use of an image on the page. Sizes are in pixels; ``shown_width`` is 0 in galleries."""

    name: str
    width: int
    height: int
    shown_width: int
    is_excluded: bool = False


def score(candidate: Candidate, position: int) -> int:
    """Return the score of an image; it may represent the page if the score is not negative."""
    if candidate.is_excluded:
        return REFUSED
    if candidate.shown_width:
        total = look_up(WIDTHS, candidate.shown_width)
    else:
        total = look_up(GALLERY_WIDTHS, candidate.width)
    if position < len(POSITIONS):
        total += POSITIONS[position]
    tenths = candidate.width * 10 // candidate.height if candidate.height else 0
    return total + look_up(TENTHS, tenths)


def look_up(table: Table, value: int) -> int:
    """Return the score of a value in a table."""
    return next((points for largest, points in table if value <= largest), table[-1][1])


def best(candidates: list[Candidate]) -> str | None:
    """Return the file with the highest score, the first of equals, or ``None`` if none scores.

    A file that is used several times has the score of its best use.
    """
    scores: dict[str, int] = {}
    for position, candidate in enumerate(candidates):
        points = score(candidate, position)
        scores[candidate.name] = max(points, scores.get(candidate.name, -1))
    name = max(scores, key=lambda name: scores[name], default=None)
    return name if name is not None and scores[name] >= 0 else None


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
        others = [page_id for page_id, title in batch.items() if title.ns != FILE]
        choices = (ANY_PROPERTY, PROPERTY) if self.p["license"] == "any" else (PROPERTY,)
        values = pages.page_props(self.db, others, choices) if others else {}
        names = {page_id: title.dbkey for page_id, title in batch.items() if title.ns == FILE}
        for page_id, properties in values.items():
            names[page_id] = next(properties[name] for name in choices if name in properties)
        names = {page_id: names[page_id] for page_id in batch if page_id in names}
        self._add_images(names, frozenset(props))

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
