"""The dumps that both servers import: of the reference wiki, of the demo wiki, or generated."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.export import END, header, page
from bench.luadump import NAME, LuaDumpMaker
from examples import demo_store
from wikiapi.factory import open_site
from wikiapi.importing.folder import PageFile, read_folder

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT.parent / "shared" / "reference" / "refwiki.xml.gz"
_FORM = "text/plain"


@dataclass(frozen=True)
class Dump:
    """A dump and the name of its wiki."""

    path: Path
    name: str

    @property
    def checksum(self) -> str:
        """A hash of the dump."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def choose(state: Path) -> Dump:
    """Return the reference wiki's dump if it is available, else one of the demo wiki."""
    if REFERENCE.is_file():
        return Dump(REFERENCE, "RefWiki")
    return _demo(state)


def with_lua(state: Path, pages: int) -> Dump:
    """Return a generated dump with this number of pages, most of which call modules."""
    path = state / f"lua-{pages}.xml"
    LuaDumpMaker(pages).write(path)
    return Dump(path, NAME)


def _demo(state: Path) -> Dump:
    site = open_site(demo_store.configure(state, "http://127.0.0.1:8080"))
    path, name = state / "demo.xml", site.config.site.name
    path.write_text(
        "".join(_lines(name, read_folder(site, demo_store.PAGES))), encoding="utf-8", newline="\n"
    )
    return Dump(path, name)


def _lines(name: str, pages: Iterator[PageFile]) -> Iterator[str]:
    yield header(name, "peer", {})
    for number, file in enumerate(pages, 1):
        title = file.title
        yield page(number, title.ns, title.prefixed_text, file.text, model=file.model, form=_FORM)
    yield END
