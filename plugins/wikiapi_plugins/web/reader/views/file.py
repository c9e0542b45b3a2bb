"""The parts of a file page other than its text: the picture, the versions and the uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from wikiapi.filerepo import (
    File,
    FileVersion,
    ThumbParams,
    ThumbRequest,
    enlarged,
    reduced,
)
from wikiapi.store import PageRow
from wikiapi.store.queries import Span, links
from wikiapi.title import FILE, Title
from wikiapi.wikitext import format_comments
from wikiapi.wikitext.media import DENSITIES
from wikiapi_plugins.web.reader.context import ViewContext

_SMALL = ThumbParams(width=160, height=160)
_ICON = ThumbParams(width=120, height=120)
_VERSIONS = 50
_USES = 100


@dataclass(frozen=True, slots=True)
class Picture:
    """A scaled picture; ``densities`` is the value of ``srcset``, or empty."""

    url: str
    width: int
    height: int
    densities: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the file; ``url`` is empty if its content is hidden or missing."""

    facts: FileVersion
    url: str
    picture: Picture | None
    comment: Markup


@dataclass(frozen=True, slots=True)
class FileView:
    """The data of a file's page; ``others`` are pictures in other sizes than the usual one."""

    file: File
    url: str
    picture: Picture | None
    others: tuple[Picture, ...]
    versions: tuple[Version, ...]
    uses: tuple[Title, ...]
    has_more_uses: bool
    repository: str

    @property
    def kind(self) -> str:
        """The main MIME type: ``image``, ``audio``, ``video`` or another one."""
        return self.file.current.mime.partition("/")[0]

    @property
    def plays(self) -> str:
        """The HTML element that plays the file; empty if there is none."""
        media = {"AUDIO": "audio", "VIDEO": "video"}.get(self.file.current.media_type, "")
        return media if media and self.kind in ("audio", "video", "application") else ""


def file_view(context: ViewContext, title: Title) -> FileView | None:
    """Return the data of a file page; ``None`` for other pages, and if there is no file."""
    if title.ns != FILE:
        return None
    file = context.site.files.find([title]).get(title)
    if file is None:
        return None
    versions = [file.current]
    if file.is_local:
        history = context.site.files.local.history([file], Span(_VERSIONS))
        versions += history.get(file.name, [])
    files = context.site.config.files
    large = reduced(ThumbParams(*files.preview_size()), file.current)
    sizes = [large, *(enlarged(large, percent) for percent, _ in DENSITIES)]
    if file.is_local:
        # Each size of a file of another wiki would be a request to it.
        sizes += [reduced(ThumbParams(w, h), file.current) for w, h in files.image_limits]
    requests = [ThumbRequest(file, file.current, size) for size in sizes]
    requests += [ThumbRequest(file, v, reduced(_ICON, v)) for v in versions]
    usual, *rest = _pictures(context, requests)
    others, small = rest[: -len(versions)], rest[-len(versions) :]
    query = links.incoming(links.IMAGES, [(FILE, file.name)])
    query = query.order_by(links.IMAGES.source).limit(_USES + 1)
    rows = [PageRow(*row[2:12]) for row in context.db.execute(query)]
    uses = [context.site.titles.make(row.namespace, row.title) for row in rows]
    comments = format_comments(context.site.parser, [(v.comment, file.title) for v in versions])
    listed = []
    for facts, picture, comment in zip(versions, small, comments, strict=True):
        is_open = facts.exists and not facts.hidden.content
        url, shrunk = (context.file_url(facts.url), picture) if is_open else ("", None)
        listed.append(Version(facts, url, shrunk, Markup(comment)))  # noqa: S704
    return FileView(
        file,
        context.file_url(file.current.url),
        _with_densities(usual, others[: len(DENSITIES)]) if file.current.handler else None,
        tuple(_other_sizes(usual, others[len(DENSITIES) :], file.current)),
        tuple(listed),
        tuple(uses[:_USES]),
        len(uses) > _USES,
        "" if file.is_local else file.repository.name,
    )


def file_thumbnails(context: ViewContext, titles: Sequence[Title]) -> dict[Title, Picture]:
    """Return a thumbnail of each existing file. The queries are those of the file repositories."""
    tiles = file_tiles(context, titles, _SMALL)
    return {title: tile.picture for title, tile in tiles.items() if tile.picture}


@dataclass(frozen=True, slots=True)
class Tile:
    """A file in a gallery, which may have no picture."""

    facts: FileVersion
    picture: Picture | None


def file_tiles(
    context: ViewContext, titles: Sequence[Title], size: ThumbParams
) -> dict[Title, Tile]:
    """Return the existing ones of some files, with pictures of a size at most.

    The queries are those of the file repositories.
    """
    files = context.site.files.find(titles) if titles else {}
    requests = [
        ThumbRequest(file, file.current, reduced(size, file.current)) for file in files.values()
    ]
    pictures = _pictures(context, requests)
    return {
        title: Tile(file.current, picture)
        for (title, file), picture in zip(files.items(), pictures, strict=True)
    }


def _pictures(context: ViewContext, requests: Sequence[ThumbRequest]) -> list[Picture | None]:
    return [
        thumb and Picture(context.file_url(thumb.url), thumb.size.width, thumb.size.height)
        for thumb in context.site.files.thumbnails(requests)
    ]


def _with_densities(usual: Picture | None, denser: Sequence[Picture | None]) -> Picture | None:
    if usual is None:
        return None
    names: dict[str, str] = {}
    for picture, (_, name) in zip(denser, DENSITIES, strict=True):
        if picture and picture.url != usual.url:
            names.setdefault(picture.url, name)
    return replace(usual, densities=", ".join(f"{url} {name}" for url, name in names.items()))


def _other_sizes(
    usual: Picture | None, pictures: Sequence[Picture | None], version: FileVersion
) -> Iterator[Picture]:
    """Yield the pictures in sizes of their own that are smaller than the file, if it has any."""
    is_vector = bool(version.handler and version.handler.is_vector)
    sizes = {(usual.width, usual.height)} if usual else set()
    for picture in pictures:
        if picture is None or version.handler is None or (picture.width, picture.height) in sizes:
            continue
        sizes.add((picture.width, picture.height))
        if is_vector or picture.width < version.dimensions.width:
            yield picture
