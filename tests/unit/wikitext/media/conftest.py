from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from wikiapi.filerepo.file import File, FileVersion, Thumbnail, ThumbRequest
from wikiapi.filerepo.scaling import Size
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import DeclaredFile
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.state import ParseState

PAGES = {
    "Page": "text",
    "Template:Twice": "{{{1}}}{{{1}}}",
    "Template:Fifty": "{{{1}}}" * 50,
    "File:Way.jpg": "#REDIRECT [[File:Wide.jpg]]",
    "MediaWiki:Bad image list": "* [[:File:Bad.jpg]] except on [[:Page]]",
}
FILES = (
    DeclaredFile("Wide.jpg", width=800, height=200, mime="image/jpeg"),
    DeclaredFile("Small.png", width=40, height=60),
    DeclaredFile("Bad.jpg", width=400, height=400, mime="image/jpeg"),
)


class Elsewhere:
    """A foreign repository that has every file whose name begins with ``Far``, and counts calls."""

    name = "elsewhere"
    is_local = False
    is_remote = True

    def __init__(self, site: Site) -> None:
        self.site = site
        self.asked: list[list[str]] = []
        self.drawn: list[int] = []

    def find(self, names: Iterable[str]) -> dict[str, File]:
        self.asked.append(list(names))
        return {name: self._file(name) for name in self.asked[-1] if name.startswith("Far")}

    def by_sha1(self, hashes: Iterable[str]) -> dict[str, list[File]]:
        return {}

    def descriptions(self, files: Sequence[File]) -> list[Any]:
        return []

    def info(self) -> dict[str, Any]:
        return {}

    def thumbnails(self, requests: Sequence[ThumbRequest]) -> list[Thumbnail | None]:
        self.drawn.append(len(requests))
        widths = [request.params.width or 0 for request in requests]
        return [Thumbnail(f"https://far.example/{w}.png", Size(w, w)) for w in widths]

    def _file(self, name: str) -> File:
        version = FileVersion(
            "20240101000000", None, "", 1, Size(400, 400), 8, "image/png", "BITMAP", "", None,
            f"https://far.example/{name}",
        )  # fmt: skip
        return File(self.site.titles.make(6, name), name, self, version)


class Foreign:
    """Registers the repository."""

    def __init__(self) -> None:
        self.repository: Elsewhere | None = None

    @hookimpl
    def register_file_repositories(self, site: Site) -> list[Elsewhere]:
        self.repository = Elsewhere(site)
        return [self.repository]


@pytest.fixture
def foreign() -> Foreign:
    return Foreign()


@pytest.fixture
def wiki(foreign: Foreign, make_site: Callable[..., Site]) -> Site:
    interwiki = {"other": "https://other.example/$1"}
    # PageImages looks files up on its own account; here the parser's look-ups are counted.
    config = {"plugins": {"disabled": ["pageimages"]}}
    return make_site(PAGES, config=config, files=FILES, interwiki=interwiki, plugins=[foreign])


@pytest.fixture
def repository(wiki: Site, foreign: Foreign) -> Elsewhere:
    """Return the foreign repository, without the requests of the preparation."""
    assert foreign.repository is not None
    foreign.repository.asked.clear()
    return foreign.repository


@pytest.fixture
def state(wiki: Site) -> ParseState:
    parser = wiki.parser
    return parser.new_state(wiki.titles.parse("Test"))


@pytest.fixture
def parse(wiki: Site) -> Any:
    def run(text: str, title: str = "Test") -> Any:
        return wiki.parser.parse(text, wiki.titles.parse(title), ParserOptions(limit_report=False))

    return run
