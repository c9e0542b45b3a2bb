"""What a file's page shows beside its text: the picture, its versions, where it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from wikiapi.filerepo import File, FileVersion, ThumbParams, ThumbRequest
from wikiapi.filerepo.thumbnail import enlarged
from wikiapi.store import PageRow, links
from wikiapi.store.files import Span
from wikiapi.title import FILE, Title
from wikiapi.wikitext import format_comments
from wikiapi_plugins.web.reader.visit import Visit

_LARGE = ThumbParams(width=800, height=600)
_SMALL = ThumbParams(width=160, height=160)
_ICON = ThumbParams(width=120, height=120)
_VERSIONS = 50
_USES = 100


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a file; ``denser`` is for screens of twice the density, or empty."""

    url: str
    width: int
    height: int
    denser: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the file; ``url`` is empty where its content is hidden or lost."""

    facts: FileVersion
    url: str
    picture: Picture | None
    comment: Markup


@dataclass(frozen=True, slots=True)
class FileView:
    """A file with everything that its page shows."""

    file: File
    url: str
    picture: Picture | None
    versions: tuple[Version, ...]
    uses: tuple[Title, ...]
    has_more_uses: bool
    repository: str

    @property
    def kind(self) -> str:
        """``image``, ``audio``, ``video`` or another main type."""
        return self.file.current.mime.partition("/")[0]

    @property
    def plays(self) -> str:
        """The element that plays it, if one does."""
        media = {"AUDIO": "audio", "VIDEO": "video"}.get(self.file.current.media_type, "")
        return media if media and self.kind in ("audio", "video", "application") else ""


def file_of(visit: Visit, title: Title) -> FileView | None:
    """The file of a page; ``None`` for other pages, and where there is no file."""
    if title.ns != FILE:
        return None
    file = visit.site.files.find([title]).get(title)
    if file is None:
        return None
    versions = [file.current, *_history(visit, file)]
    large = _at_most(_LARGE, file.current)
    requests = [ThumbRequest(file, file.current, size) for size in (large, enlarged(large, 200))]
    requests += [ThumbRequest(file, v, _at_most(_ICON, v)) for v in versions]
    usual, denser, *small = _pictures(visit, requests)
    uses = _uses(visit, file)
    return FileView(
        file,
        visit.file_url(file.current.url),
        _with_denser(usual, denser) if file.current.handler else None,
        tuple(_versions(visit, file, versions, small)),
        tuple(uses[:_USES]),
        len(uses) > _USES,
        "" if file.is_local else file.repository.name,
    )


def thumbnails_of(visit: Visit, titles: Sequence[Title]) -> dict[Title, Picture]:
    """A small picture of each file that exists. The queries of finding the files."""
    found = visit.site.files.find(titles) if titles else {}
    requests = [
        ThumbRequest(file, file.current, _at_most(_SMALL, file.current)) for file in found.values()
    ]
    pictures = zip(found, _pictures(visit, requests), strict=True)
    return {title: picture for title, picture in pictures if picture}


def _at_most(size: ThumbParams, version: FileVersion) -> ThumbParams:
    """A size that blows no small photograph up."""
    handler, width = version.handler, version.dimensions.width
    if handler is None or handler.is_vector or not width:
        return size
    return replace(size, width=min(width, size.width or width))


def _pictures(visit: Visit, requests: Sequence[ThumbRequest]) -> list[Picture | None]:
    return [
        thumb and Picture(visit.file_url(thumb.url), thumb.size.width, thumb.size.height)
        for thumb in visit.site.files.thumbnails(requests)
    ]


def _with_denser(usual: Picture | None, denser: Picture | None) -> Picture | None:
    if usual is None or denser is None or denser.url == usual.url:
        return usual
    return Picture(usual.url, usual.width, usual.height, denser.url)


def _history(visit: Visit, file: File) -> list[FileVersion]:
    if not file.is_local:
        return []
    return visit.site.files.local.history([file], Span(_VERSIONS)).get(file.name, [])


def _versions(
    visit: Visit, file: File, versions: Sequence[FileVersion], pictures: Sequence[Picture | None]
) -> list[Version]:
    comments = format_comments(visit.site, [(v.comment, file.title) for v in versions])
    return [
        Version(facts, *_content(visit, facts, picture), Markup(comment))  # noqa: S704
        for facts, picture, comment in zip(versions, pictures, comments, strict=True)
    ]


def _content(
    visit: Visit, facts: FileVersion, picture: Picture | None
) -> tuple[str, Picture | None]:
    if facts.hidden.content or not facts.exists:
        return "", None
    return visit.file_url(facts.url), picture


def _uses(visit: Visit, file: File) -> list[Title]:
    query = links.incoming(links.IMAGES, [(FILE, file.name)])
    query = query.order_by(links.IMAGES.source).limit(_USES + 1)
    rows = [PageRow(*row[2:12]) for row in visit.db.execute(query)]
    return [visit.site.titles.make(row.namespace, row.title) for row in rows]
