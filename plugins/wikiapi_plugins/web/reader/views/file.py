"""The parts of a file page other than its text: the picture, the versions and the uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from wikiapi.filerepo import File, FileVersion, ThumbParams, ThumbRequest
from wikiapi.filerepo.thumbnail import enlarged
from wikiapi.store import PageRow
from wikiapi.store.queries import links
from wikiapi.store.queries.files import Span
from wikiapi.title import FILE, Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.web.reader.context import ViewContext

_LARGE = ThumbParams(width=800, height=600)
_SMALL = ThumbParams(width=160, height=160)
_ICON = ThumbParams(width=120, height=120)
_VERSIONS = 50
_USES = 100


@dataclass(frozen=True, slots=True)
class Picture:
    """A scaled picture; ``denser`` is its URL for screens of double density, or empty."""

    url: str
    width: int
    height: int
    denser: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the file; ``url`` is empty if its content is hidden or missing."""

    facts: FileVersion
    url: str
    picture: Picture | None
    comment: Markup


@dataclass(frozen=True, slots=True)
class FileView:
    """The data of a file's page."""

    file: File
    url: str
    picture: Picture | None
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
    versions = [file.current, *_history(context, file)]
    large = _at_most(_LARGE, file.current)
    requests = [ThumbRequest(file, file.current, size) for size in (large, enlarged(large, 200))]
    requests += [ThumbRequest(file, v, _at_most(_ICON, v)) for v in versions]
    usual, denser, *small = _pictures(context, requests)
    uses = _uses(context, file)
    return FileView(
        file,
        context.file_url(file.current.url),
        _with_denser(usual, denser) if file.current.handler else None,
        tuple(_versions(context, file, versions, small)),
        tuple(uses[:_USES]),
        len(uses) > _USES,
        "" if file.is_local else file.repository.name,
    )


def file_thumbnails(context: ViewContext, titles: Sequence[Title]) -> dict[Title, Picture]:
    """Return a thumbnail of each existing file. The queries are those of the file repositories."""
    found = context.site.files.find(titles) if titles else {}
    requests = [
        ThumbRequest(file, file.current, _at_most(_SMALL, file.current)) for file in found.values()
    ]
    pictures = zip(found, _pictures(context, requests), strict=True)
    return {title: picture for title, picture in pictures if picture}


def _at_most(size: ThumbParams, version: FileVersion) -> ThumbParams:
    """Return a size, reduced so that bitmap images are not enlarged."""
    handler, width = version.handler, version.dimensions.width
    if handler is None or handler.is_vector or not width:
        return size
    return replace(size, width=min(width, size.width or width))


def _pictures(context: ViewContext, requests: Sequence[ThumbRequest]) -> list[Picture | None]:
    return [
        thumb and Picture(context.file_url(thumb.url), thumb.size.width, thumb.size.height)
        for thumb in context.site.files.thumbnails(requests)
    ]


def _with_denser(usual: Picture | None, denser: Picture | None) -> Picture | None:
    if usual is None or denser is None or denser.url == usual.url:
        return usual
    return Picture(usual.url, usual.width, usual.height, denser.url)


def _history(context: ViewContext, file: File) -> list[FileVersion]:
    if not file.is_local:
        return []
    return context.site.files.local.history([file], Span(_VERSIONS)).get(file.name, [])


def _versions(
    context: ViewContext,
    file: File,
    versions: Sequence[FileVersion],
    pictures: Sequence[Picture | None],
) -> list[Version]:
    comments = format_comments(context.site.parser, [(v.comment, file.title) for v in versions])
    return [
        Version(facts, *_content(context, facts, picture), Markup(comment))  # noqa: S704
        for facts, picture, comment in zip(versions, pictures, comments, strict=True)
    ]


def _content(
    context: ViewContext, facts: FileVersion, picture: Picture | None
) -> tuple[str, Picture | None]:
    if facts.hidden.content or not facts.exists:
        return "", None
    return context.file_url(facts.url), picture


def _uses(context: ViewContext, file: File) -> list[Title]:
    query = links.incoming(links.IMAGES, [(FILE, file.name)])
    query = query.order_by(links.IMAGES.source).limit(_USES + 1)
    rows = [PageRow(*row[2:12]) for row in context.db.execute(query)]
    return [context.site.titles.make(row.namespace, row.title) for row in rows]
