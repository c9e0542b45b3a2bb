"""Thumbnails that another wiki makes: only it knows where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wikiapi.filerepo import paths
from wikiapi.filerepo.thumbnail import Thumbnail, icon
from wikiapi_plugins.filerepos import answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.filerepo.scaling import Scaled
    from wikiapi.filerepo.thumbnail import ThumbRequest
    from wikiapi_plugins.filerepos.cache import ExpiringCache
    from wikiapi_plugins.filerepos.remoteapi import RemoteApi

_COST = 300


class _Kind(NamedTuple):
    """What one request can ask of many files: a width and further words (``langde-100px``)."""

    width: int
    words: str


class _Place(NamedTuple):
    """A thumbnail to come, and its place in the answer."""

    place: int
    request: ThumbRequest
    scaled: Scaled


class RemoteThumbs:
    """Asks another wiki for thumbnails and remembers where they are."""

    def __init__(self, api: RemoteApi, cache: ExpiringCache[Any], base: str, script_path: str):
        """``base`` is the address of its ``api.php``; icons lie below our own script path."""
        self._api = api
        self._cache = cache
        self._base = base
        self._script_path = script_path

    def find(self, requests: Sequence[ThumbRequest]) -> list[Thumbnail | None]:
        """A picture for each request: one question for each fifty of the same width."""
        made: list[Thumbnail | None] = [None] * len(requests)
        wanted: dict[_Kind, dict[str, list[_Place]]] = {}
        for index, request in enumerate(requests):
            made[index], kind, scaled = self._prepare(request)
            if kind and scaled:
                places = wanted.setdefault(kind, {}).setdefault(request.file.name, [])
                places.append(_Place(index, request, scaled))
        for kind, by_name in wanted.items():
            for name, url in self._urls(list(by_name), kind).items():
                for index, request, scaled in by_name[name]:
                    made[index] = _thumbnail(url, request, scaled)
        return made

    def _prepare(
        self, request: ThumbRequest
    ) -> tuple[Thumbnail | None, _Kind | None, Scaled | None]:
        """A thumbnail that is known at once, or what to ask for one."""
        file, version, params = request
        handler = version.handler
        if handler is None or not all(version.dimensions):
            return icon(paths.extension(file.name), self._script_path), None, None
        scaled = handler.normalise(params, version.dimensions)
        if scaled is None:
            return None, None, None
        unscaled = not handler.is_vector and scaled.physical == version.dimensions
        if unscaled and not handler.must_render:
            return _thumbnail(version.url, request, scaled), None, None
        words = handler.write_params(params, scaled)
        width = scaled.physical.width
        return None, _Kind(width, "" if words == f"{width}px" else words), scaled

    def _urls(self, names: list[str], kind: _Kind) -> dict[str, str]:
        urls: dict[str, str] = {}
        unknown: list[str] = []
        for name in names:
            kept = self._cache.get(("thumb", name, kind))
            if kept is None:
                unknown.append(name)
            else:
                urls[name] = kept[0]
        for batch in answers.batches(unknown):
            for name, url in self._fetch(batch, kind).items():
                self._cache.put(("thumb", name, kind), url, _COST)
                urls[name] = url
        return urls

    def _fetch(self, names: list[str], kind: _Kind) -> dict[str, str]:
        titles = answers.file_titles(names)
        wish = {"iiurlparam": kind.words} if kind.words else {}
        urls: dict[str, str] = {}
        for query, _ in self._api.query(
            follow="iicontinue",
            prop="imageinfo",
            titles="|".join(titles),
            iiprop="url",
            iiurlwidth=str(kind.width),
            **wish,
        ):
            became = answers.title_map(query, titles)
            names_of = {title: titles[asked] for asked, title in became.items()}
            for title, info in answers.current_versions(query):
                url = answers.address(info, "thumburl", self._base)
                if url and title in names_of:
                    urls[names_of[title]] = url
        return urls


def _thumbnail(url: str, request: ThumbRequest, scaled: Scaled) -> Thumbnail:
    version = request.version
    handler = version.handler
    mime = handler.type_of_thumb(request.file.name, version.mime).mime if handler else ""
    return Thumbnail(url, scaled.shown, is_original=url == version.url, mime=mime)
