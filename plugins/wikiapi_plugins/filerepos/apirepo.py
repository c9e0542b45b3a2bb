"""Files of another wiki, asked for through its action API.

What is asked is what MediaWiki asks of a repository of this kind, but in batches: the files of a
page take one request for each fifty.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wikiapi.cache.footprint import footprint
from wikiapi.filerepo.file import Description, File
from wikiapi.filerepo.repository import RepositoryUnavailable
from wikiapi.title.namespaces import FILE, Namespace
from wikiapi_plugins.filerepos import answers
from wikiapi_plugins.filerepos.cache import ExpiringCache
from wikiapi_plugins.filerepos.remotethumbs import RemoteThumbs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikiapi.config import RepositoryConfig
    from wikiapi.filerepo.thumbnail import Thumbnail, ThumbRequest
    from wikiapi.site import Site
    from wikiapi_plugins.filerepos.remoteapi import RemoteApi

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
        """``site`` is the wiki that uses the files."""
        self.name = config.name
        self._config = config
        self._site = site
        self._api = api
        self._cache: ExpiringCache[Any] = ExpiringCache(
            site.config.files.repository_cache_seconds, CACHE_BYTES
        )
        self._thumbs = RemoteThumbs(api, self._cache, config.api, site.config.site.script_path)

    def find(self, names: Iterable[str]) -> dict[str, File]:
        """The files under the names; names that are no file are remembered as well."""
        found: dict[str, File] = {}
        unknown: list[str] = []
        for name in names:
            kept = self._cache.get(("file", name))
            if kept is None:
                unknown.append(name)
            elif kept[0] is not None:
                found[name] = kept[0]
        for batch in answers.batches(unknown):
            try:
                found |= self._fetch(batch)
            except RepositoryUnavailable as error:
                error.answer = found
                raise
        return found

    def by_sha1(self, hashes: Iterable[str]) -> dict[str, list[File]]:
        """The files with each content: one request for each hash that is not remembered."""
        found: dict[str, list[File]] = {}
        for sha1 in hashes:
            try:
                if files := self._with_sha1(sha1):
                    found[sha1] = files
            except RepositoryUnavailable as error:
                error.answer = found
                raise
        return found

    def descriptions(self, files: Sequence[File]) -> list[Description]:
        """What the other wiki told with the file."""
        return [Description(file.description_url, file.description_short_url) for file in files]

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> list[Thumbnail | None]:
        """Pictures, as the other wiki makes them."""
        return self._thumbs.find(requests)

    def info(self) -> dict[str, Any]:
        """What ``meta=filerepoinfo`` shows; the other wiki is asked for its addresses."""
        shown: dict[str, Any] = {
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
            shown["fetchDescription"] = True
        return shown | self._site_info()

    # Files

    def _fetch(self, names: list[str]) -> dict[str, File]:
        titles = answers.file_titles(names)
        pages: dict[str, dict[str, Any]] = {}
        became: dict[str, str] = {}
        for query in self._api.query(
            follow="iicontinue",
            prop="imageinfo",
            titles="|".join(titles),
            redirects="1",
            iiprop=_PROPS,
            iimetadataversion="2",
            iiextmetadatalanguage=self._site.language,
        ):
            became |= answers.title_map(query, titles)
            for title, info in answers.current_versions(query):
                pages.setdefault(title, info)
        found: dict[str, File] = {}
        for asked, name in titles.items():
            told = pages.get(became[asked])
            file = self._file(told, became[asked], name) if told else None
            self._cache.put(("file", name), file, self._count(file))
            if file:
                found[name] = file
        return found

    def _file(self, info: dict[str, Any], title: str, requested: str) -> File | None:
        """The file; ``None`` when what is told of it makes no file."""
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
        kept = self._cache.get(("sha1", sha1))
        if kept is not None:
            return list(kept[0])
        found: list[File] = []
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
                    found.append(file)
        self._cache.put(("sha1", sha1), tuple(found), self._count(found))
        return found

    def _count(self, found: object) -> int:
        """Bytes that files take, which count against the budget of the request as well."""
        size = footprint(found, shared=(ApiRepository, Namespace))
        self._site.budgets.current.keep(size)
        return size

    # The other wiki

    def _site_info(self) -> dict[str, str]:
        kept = self._cache.get("siteinfo")
        if kept is not None:
            return dict(kept[0])
        try:
            query = next(self._api.query(meta="siteinfo", siprop="general"))
        except RepositoryUnavailable as error:
            logger.warning("file repository %s tells no addresses: %s", self.name, error)
            return {}
        general = query.get("general")
        told = general if isinstance(general, dict) else {}
        shown = {key: value for key in _SITE_KEYS if (value := answers.text(told, key))}
        self._cache.put("siteinfo", shown, 500)
        return shown


def is_own(api: str, site: Site) -> bool:
    """Whether an address is the site's own ``api.php``: it would ask itself for ever."""
    own, other = urlsplit(site.script_url), urlsplit(api)
    return (own.netloc, own.path) == (other.netloc, other.path)
