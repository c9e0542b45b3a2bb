"""Where the reader's pages are: read from and written as the configured paths say."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi.title.percent import quote_title

_STATIC = "/reader/"
_INDEX = "/index.php"
_ICONS = "/resources/assets/file-type-icons/"


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of one wiki."""

    site: Site

    @property
    def index(self) -> str:
        """The path of ``index.php``."""
        return self._script_path + _INDEX

    @property
    def static(self) -> str:
        """The path below which style sheets and scripts are."""
        return self._script_path + _STATIC

    @property
    def icons(self) -> str:
        """The path below which icons stand for files that cannot be shown."""
        return self._script_path + _ICONS

    @property
    def articles(self) -> str | None:
        """The path below which pages are; ``None`` where they are at no path of their own."""
        path = self.site.config.site.article_path.partition("$1")[0]
        below = path.endswith("/") and path.startswith("/") and path != "/"
        return path if below and "?" not in path else None

    @property
    def are_at_root(self) -> bool:
        """Whether pages are directly at the root of the site (``/$1``)."""
        return self.site.config.site.article_path.startswith("/$1")

    @property
    def files(self) -> str | None:
        """The path of the upload folder; ``None`` where that is elsewhere."""
        return _local(self.site.config.files.url)

    @property
    def thumbnails(self) -> str | None:
        """The path below which thumbnails are."""
        given = self.site.config.files.thumbnail_url
        if given:
            return _local(given)
        return f"{self.files}thumb/" if self.files else None

    def page_text(self, path: str) -> str:
        """The name of the page in what is left of a path below :attr:`articles`."""
        suffix = self.site.config.site.article_path.partition("$1")[2]
        return path.removeprefix("/").removesuffix(suffix)

    def of_page(self, title: Title, root: str, **query: str | int) -> str:
        """The address of a page, or of a view of it."""
        if not query:
            path = self.site.page_path(title)
            return path if title.interwiki else self.below(root, path)
        return self.script(root, title=title.prefixed_dbkey, **query)

    def script(self, root: str, **query: str | int) -> str:
        """The address of ``index.php`` with parameters."""
        name = str(query.pop("title", ""))
        first = f"title={quote_title(name)}" if name else ""
        rest = urlencode(query)
        joined = "&".join(filter(None, (first, rest)))
        return f"{self.below(root, self.index)}?{joined}"

    def below(self, root: str, path: str) -> str:
        """A configured path as seen from outside: settings may hold the mount point already."""
        return path if not root or path.startswith(f"{root}/") else root + path

    @property
    def _script_path(self) -> str:
        return self.site.config.site.script_path.rstrip("/")


def suffixes(path: str, fixed: str) -> list[str]:
    """A path, and what is left of it where the site is mounted at a part of it.

    ``fixed`` is the end that is never left out: ``/w/index.php`` and ``/index.php``.
    """
    folders = path.removesuffix(fixed).split("/")[1:]
    starts = range(len(folders) + 1)
    return ["".join(f"/{folder}" for folder in folders[start:]) + fixed for start in starts]


def last_part(path: str) -> str:
    """The last folder of a path: ``/wiki/`` of ``/site/wiki/``."""
    return f"/{path.rstrip('/').rpartition('/')[2]}/"


def _local(url: str) -> str | None:
    path = url.rstrip("/")
    return f"{path}/" if path.startswith("/") and not path.startswith("//") else None
