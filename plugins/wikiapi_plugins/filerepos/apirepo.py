"""Files of another wiki, found through its action API.

The requests are those that MediaWiki sends to such a repository, but in batches: the files of a
page are requested fifty at a time.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from wikiapi.config import RepositoryConfig
from wikiapi.filerepo import (
    Description,
    File,
    RepositoryUnavailable,
    Scaled,
    Thumbnail,
    ThumbRequest,
    enlarged,
    icon,
    paths,
)
from wikiapi.site import Site
from wikiapi.title import FILE, Namespace
from wikiapi.wikitext import footprint
from wikiapi_plugins.filerepos import answers
from wikiapi_plugins.filerepos.remoteapi import ExpiringCache, RemoteApi

logger = logging.getLogger("wikiapi.filerepo")

CACHE_BYTES = 16_777_216
_PROPS = "timestamp|user|comment|url|size|sha1|mime|mediatype|metadata|extmetadata"
_FOUND_PROPS = "timestamp|user|comment|url|size|sha1|mime|mediatype"
_SITE_KEYS = ("articlepath", "server", "favicon")


class ApiRepository:
    """A foreign file repository behind an ``api.php``."""

    is_local = False
    is_remote = True

    def __init__(self, config: RepositoryConfig, site: Site, api: RemoteApi) -> None:
        """Initialise for ``site``, the wiki that uses the files."""
        self.name = config.name
        self._config = config
        self._site = site
        self._api = api
        self._cache: ExpiringCache[Any] = ExpiringCache(
            site.config.files.repository_cache_seconds, CACHE_BYTES
        )
        self._thumbs = RemoteThumbs(api, self._cache, config.api, site.config.site.script_path)

    def find(self, names: Iterable[str]) -> dict[str, File]:
        """Return the files that exist, by name. Missing files are cached as well."""
        files: dict[str, File] = {}
        unknown: list[str] = []
        for name in names:
            cached = self._cache.get(("file", name))
            if cached is None:
                unknown.append(name)
            elif cached[0] is not None:
                files[name] = cached[0]
        for batch in answers.batches(unknown):
            try:
                files |= self._fetch(batch)
            except RepositoryUnavailable as error:
                error.answer = files
                raise
        return files

    def by_sha1(self, hashes: Iterable[str]) -> dict[str, list[File]]:
        """Return the files with each SHA-1. A hash that is not cached takes one request."""
        files: dict[str, list[File]] = {}
        for sha1 in hashes:
            try:
                if same := self._with_sha1(sha1):
                    files[sha1] = same
            except RepositoryUnavailable as error:
                error.answer = files
                raise
        return files

    def descriptions(self, files: Sequence[File]) -> list[Description]:
        """Return the URLs of the description pages, as the other wiki gave them."""
        return [Description(file.description_url, file.description_short_url) for file in files]

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> list[Thumbnail | None]:
        """Return thumbnails that the other wiki renders."""
        return self._thumbs.find(requests)

    def info(self) -> dict[str, Any]:
        """Return the data of ``meta=filerepoinfo``; some of it is requested from the other wiki."""
        data: dict[str, Any] = {
            "name": self.name,
            "displayname": self._config.display_name or self.name,
            "rootUrl": False,
            "local": False,
            "url": False,
            "thumbUrl": False,
            "initialCapital": self._site.namespaces[FILE].first_letter,
            "scriptDirUrl": self._config.api.rpartition("/")[0],
            "descriptionCacheExpiry": 0,
            "apiurl": self._config.api,
        }
        if self._config.fetch_description:
            data["fetchDescription"] = True
        return data | self._site_info()

    # Files

    def _fetch(self, names: list[str]) -> dict[str, File]:
        titles = answers.file_titles(names)
        pages: dict[str, dict[str, Any]] = {}
        resolved: dict[str, str] = {}
        for query in self._api.query(
            follow="iicontinue",
            prop="imageinfo",
            titles="|".join(titles),
            redirects="1",
            iiprop=_PROPS,
            iimetadataversion="2",
            iiextmetadatalanguage=self._site.language,
        ):
            resolved |= answers.title_map(query, titles)
            for title, info in answers.current_versions(query):
                pages.setdefault(title, info)
        files: dict[str, File] = {}
        for requested, name in titles.items():
            title = resolved[requested]
            data = pages.get(title)
            file = self._file(data, title, name) if data else None
            self._cache.put(("file", name), file, self._charge(file))
            if file:
                files[name] = file
        return files

    def _file(self, info: dict[str, Any], title: str, requested: str) -> File | None:
        """Return the file that ``info`` describes, or None if it describes none."""
        name = title.partition(":")[2]
        own_title = self._site.titles.try_parse(name, FILE)
        version = answers.version(info, self.name, self._config.api)
        if own_title is None or own_title.ns != FILE or not version.url or "filemissing" in info:
            return None
        return File(
            own_title,
            requested,
            self,
            version,
            answers.address(info, "descriptionurl", self._config.api),
            answers.address(info, "descriptionshorturl", self._config.api) or None,
            answers.extended_metadata(info),
        )

    def _with_sha1(self, sha1: str) -> list[File]:
        cached = self._cache.get(("sha1", sha1))
        if cached is not None:
            return list(cached[0])
        files: list[File] = []
        for query in self._api.query(
            follow="aicontinue",
            list="allimages",
            aisha1base36=sha1,
            aiprop=_FOUND_PROPS,
            ailimit="max",
        ):
            for item in answers.objects(query.get("allimages")):
                name = answers.text(item, "name")
                if file := self._file(item, answers.PREFIX + name, name):
                    files.append(file)
        self._cache.put(("sha1", sha1), tuple(files), self._charge(files))
        return files

    def _charge(self, value: object) -> int:
        """Charge the size of files to the budget of the request, and return it, in bytes."""
        size = footprint(value, shared=(ApiRepository, Namespace))
        self._site.budgets.current.keep(size)
        return size

    # The other wiki

    def _site_info(self) -> dict[str, str]:
        cached = self._cache.get("siteinfo")
        if cached is not None:
            return dict(cached[0])
        try:
            query = next(self._api.query(meta="siteinfo", siprop="general"))
        except RepositoryUnavailable as error:
            logger.warning("file repository %s did not report its URLs: %s", self.name, error)
            return {}
        general = query.get("general")
        data = general if isinstance(general, dict) else {}
        info = {key: value for key in _SITE_KEYS if (value := answers.text(data, key))}
        self._cache.put("siteinfo", info, 500)
        return info


def is_own(api: str, site: Site) -> bool:
    """Return whether an address is the site's own ``api.php``, which would call itself forever."""
    own, other = urlsplit(site.script_url), urlsplit(api)
    return (own.netloc, own.path) == (other.netloc, other.path)


# A wiki may render a thumbnail only when the API is asked for it, so the URL for one width cannot
# be derived from the URL for another. Each size is requested, for all files at once; the answer
# also gives the URLs of the pictures for high-density screens.

_MAX_SIZES = 50
"""How many sizes are requested exactly; the widths of others are rounded up to powers of two."""
_DENSER = {"1.5": 150, "2": 200}
"""Percentages of the usual width, by the keys of ``responsiveUrls``."""
_COST = 300
"""Bytes that a cached URL takes besides its own length."""


class _Picture(NamedTuple):
    """A picture that the other wiki renders; ``words`` precede its width (``langde-200px``)."""

    name: str
    width: int
    words: str


class _Size(NamedTuple):
    """The size that one request asks for, for many files: a width, a height or a box."""

    width: int | None
    height: int | None
    words: str


class _Pending(NamedTuple):
    """A thumbnail still to be requested; ``scaled`` is the size at which it is shown."""

    request: ThumbRequest
    scaled: Scaled
    picture: _Picture
    size: _Size


class RemoteThumbs:
    """Requests thumbnails from another wiki and caches their addresses."""

    def __init__(self, api: RemoteApi, cache: ExpiringCache[Any], base: str, script_path: str):
        """Initialise with the URL of the other wiki's ``api.php``, and this wiki's script path."""
        self._api = api
        self._cache = cache
        self._base = base
        self._script_path = script_path

    def find(self, requests: Sequence[ThumbRequest]) -> list[Thumbnail | None]:
        """Return a thumbnail for each request, with one query per fifty files of the same size.

        A page may show one file in thousands of sizes. Only the first ``_MAX_SIZES`` are requested
        exactly; further ones use a picture whose width is the next power of two, which browsers
        scale down.
        """
        thumbnails = [self._prepare(request) for request in requests]
        urls: dict[_Picture, str] = {}
        try:
            self._request(_pending(thumbnails), urls, _MAX_SIZES)
            thumbnails = [
                self._wider(item)
                if isinstance(item, _Pending) and item.picture not in urls
                else item
                for item in thumbnails
            ]
            self._request(_pending(thumbnails), urls)
        except RepositoryUnavailable as error:
            error.answer = _made(thumbnails, urls)
            raise
        return _made(thumbnails, urls)

    def _prepare(self, request: ThumbRequest) -> Thumbnail | _Pending | None:
        """Return a thumbnail, or what to request for it; None if it cannot be made."""
        file, version, params = request
        handler = version.handler
        if handler is None or not all(version.dimensions):
            return icon(paths.extension(file.name), self._script_path)
        scaled = handler.normalise(params, version.dimensions)
        if scaled is None:
            return None
        unscaled = not handler.is_vector and scaled.physical == version.dimensions
        if unscaled and not handler.must_render:
            return _thumbnail(version.url, request, scaled)
        width = scaled.physical.width
        words = handler.write_params(params, scaled).removesuffix(f"{width}px")
        size = _Size(width, None, words)
        if params.width and params.height and width < params.width and not words:
            # All files of a gallery share a bounding box, whatever their widths within it.
            whole = params.width == version.dimensions.width
            size = _Size(None if whole else params.width, params.height, words)
        return _Pending(request, scaled, _Picture(file.name, width, words), size)

    def _wider(self, item: _Pending) -> Thumbnail | _Pending | None:
        """Return the same thumbnail, made from a picture whose width is the next power of two."""
        width = 1 << (item.picture.width - 1).bit_length()
        params = replace(item.request.params, width=width, height=None)
        wider = self._prepare(item.request._replace(params=params))
        if isinstance(wider, _Pending):
            return wider._replace(scaled=item.scaled)
        return wider._replace(size=item.scaled.display) if wider else None

    def _request(
        self, pending: Iterable[_Pending], urls: dict[_Picture, str], max_sizes: int | None = None
    ) -> None:
        """Add the URLs of pictures to ``urls``, an empty one if a picture cannot be rendered.

        At most ``max_sizes`` sizes are requested.
        """
        sizes: dict[_Size, dict[str, _Pending]] = {}
        for item in pending:
            if (cached := self._cache.get(item.picture)) is not None:
                urls[item.picture] = cached[0]
            else:
                sizes.setdefault(item.size, {})[item.picture.name] = item
        requested = 0
        for size, items in sizes.items():
            unknown = [name for name, item in items.items() if item.picture not in urls]
            if unknown and requested != max_sizes:
                requested += 1
                for batch in answers.batches(unknown):
                    data = self._fetch({name: items[name] for name in batch}, size)
                    for picture, url in data.items():
                        self._cache.put(picture, url, _COST + len(url))
                    urls |= data

    def _fetch(self, items: Mapping[str, _Pending], size: _Size) -> dict[_Picture, str]:
        titles = answers.file_titles(items)
        size_params = {"iiurlparam": f"{size.words}{size.width}px"} if size.words else {}
        if size.width:
            size_params["iiurlwidth"] = str(size.width)
        if size.height:
            size_params["iiurlheight"] = str(size.height)
        urls: dict[_Picture, str] = {item.picture: "" for item in items.values()}
        for query in self._api.query(
            follow="iicontinue",
            prop="imageinfo",
            titles="|".join(titles),
            iiprop="url",
            **size_params,
        ):
            resolved = answers.title_map(query, titles)
            names_of = {title: titles[requested] for requested, title in resolved.items()}
            for title, info in answers.current_versions(query):
                url = answers.address(info, "thumburl", self._base)
                if url and title in names_of:
                    item = items[names_of[title]]
                    urls[item.picture] = url
                    urls |= self._denser(info, item, url)
        return urls

    def _denser(self, info: Mapping[str, Any], item: _Pending, usual: str) -> dict[_Picture, str]:
        """Return the URLs of the pictures for high-density screens; ``usual`` is the normal URL."""
        data = info.get("responsiveUrls")
        # Like the other wiki, enlarge the requested size first and fit it afterwards.
        version = item.request.version
        width = item.size.width or version.dimensions.width
        params = replace(item.request.params, width=width, height=item.size.height)
        urls: dict[_Picture, str] = {}
        for factor, percent in _DENSER.items():
            url = answers.address(data, factor, self._base) if isinstance(data, dict) else ""
            if usual == version.url:
                # The picture is the file itself, so there is nothing larger.
                url = usual
            denser = self._prepare(item.request._replace(params=enlarged(params, percent)))
            if url and isinstance(denser, _Pending):
                urls[denser.picture] = url
        return urls


def _pending(thumbnails: Iterable[Thumbnail | _Pending | None]) -> list[_Pending]:
    return [item for item in thumbnails if isinstance(item, _Pending)]


def _made(
    thumbnails: Iterable[Thumbnail | _Pending | None], urls: Mapping[_Picture, str]
) -> list[Thumbnail | None]:
    made: list[Thumbnail | None] = []
    for item in thumbnails:
        if isinstance(item, _Pending):
            url = urls.get(item.picture)
            made.append(_thumbnail(url, item.request, item.scaled) if url else None)
        else:
            made.append(item)
    return made


def _thumbnail(url: str, request: ThumbRequest, scaled: Scaled) -> Thumbnail:
    version = request.version
    handler = version.handler
    mime = handler.type_of_thumb(request.file.name, version.mime).mime if handler else ""
    return Thumbnail(url, scaled.display, is_original=url == version.url, mime=mime)
