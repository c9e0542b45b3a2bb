"""The URLs of the reader's pages, built from the configured paths."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from wikiapi.site import Site
from wikiapi.title import Title, quote_title
from wikiapi_plugins.web.paths import below

_STATIC = "/reader/"
_INDEX = "/index.php"
_THUMB = "/thumb.php"
_OPENSEARCH = "/opensearch_desc.php"
_ICONS = "/resources/assets/file-type-icons/"


@dataclass(frozen=True, slots=True)
class Addresses:
    """The URLs of one wiki."""

    site: Site

    @property
    def index(self) -> str:
        """The path of ``index.php``."""
        return self._script_path + _INDEX

    @property
    def thumb_script(self) -> str:
        """The path of the script that leads to thumbnails."""
        return self._script_path + _THUMB

    @property
    def opensearch(self) -> str:
        """The path of the OpenSearch description."""
        return self._script_path + _OPENSEARCH

    @property
    def static(self) -> str:
        """The path of the folder of style sheets and scripts."""
        return self._script_path + _STATIC

    @property
    def icons(self) -> str:
        """The path of the folder of icons for files that cannot be shown."""
        return self._script_path + _ICONS

    @property
    def articles(self) -> str | None:
        """The path below which pages are; ``None`` if they are only reached by ``index.php``."""
        path = self.site.config.site.article_path.partition("$1")[0]
        below = path.endswith("/") and path.startswith("/") and path != "/"
        return path if below and "?" not in path else None

    @property
    def variants(self) -> dict[str, str]:
        """For each variant of the content language, the path below which pages are shown in it."""
        language = self.site.parser.content_converter
        path, mark, _ = self.site.config.site.variant_article_path.partition("$1")
        if language is None or not mark or not path.startswith("/") or "$2/" not in path:
            return {}
        return {code: path.replace("$2", code) for code in language.by_code}

    @property
    def are_at_root(self) -> bool:
        """Whether pages are directly at the root of the site (``/$1``)."""
        return self.site.config.site.article_path.startswith("/$1")

    @property
    def files(self) -> str | None:
        """The path of the upload folder; ``None`` if it is on another host."""
        return _local(self.site.config.files.url)

    @property
    def thumbnails(self) -> str | None:
        """The path of the folder of thumbnails; ``None`` if it is on another host."""
        url = self.site.config.files.thumbnail_url
        if url:
            return _local(url)
        return f"{self.files}thumb/" if self.files else None

    def page_text(self, path: str) -> str:
        """Return the name of a page from the rest of a path below :attr:`articles`."""
        suffix = self.site.config.site.article_path.partition("$1")[2]
        return path.removeprefix("/").removesuffix(suffix)

    def of_variant(self, title: Title, variant: str, root: str) -> str:
        """Return the URL of a page in a variant of the content language."""
        below = self.variants.get(variant)
        if below is None:
            return self.script(root, title=title.prefixed_dbkey, variant=variant)
        return self.below(root, below + quote_title(title.prefixed_dbkey))

    def of_page(self, title: Title, root: str, **query: str | int) -> str:
        """Return the URL of a page or, with a query, of a view of it."""
        if not query:
            path = self.site.page_path(title)
            return path if title.interwiki else self.below(root, path)
        return self.script(root, title=title.prefixed_dbkey, **query)

    def script(self, root: str, **query: str | int) -> str:
        """Return the URL of ``index.php`` with parameters."""
        name = str(query.pop("title", ""))
        first = f"title={quote_title(name)}" if name else ""
        rest = urlencode(query)
        joined = "&".join(filter(None, (first, rest)))
        return f"{self.below(root, self.index)}?{joined}"

    def of_file(self, url: str, root: str) -> str:
        """Return the URL of a file with the mount point; one on another host is left unchanged."""
        is_local = url.startswith("/") and not url.startswith("//")
        return self.below(root, url) if is_local else url

    def below(self, root: str, path: str) -> str:
        """Return a configured path with the mount point, which it may contain already."""
        return below(root, path)

    @property
    def _script_path(self) -> str:
        return self.site.config.site.script_path.rstrip("/")


def last_part(path: str) -> str:
    """Return the last folder of a path: ``/wiki/`` of ``/site/wiki/``."""
    return f"/{path.rstrip('/').rpartition('/')[2]}/"


def _local(url: str) -> str | None:
    path = url.rstrip("/")
    return f"{path}/" if path.startswith("/") and not path.startswith("//") else None
