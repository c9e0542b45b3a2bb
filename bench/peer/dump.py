"""The dump that both servers import: the reference wiki's, or else one of the demo wiki."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from examples import demo_store
from wikiapi.dump.folder import read_folder
from wikiapi.factory import open_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.dump.folder import PageFile

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT.parent / "shared" / "reference" / "refwiki.xml.gz"
START = datetime(2025, 1, 1, tzinfo=UTC)

HEADER = """\
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo>
    <sitename>{name}</sitename>
    <dbname>peer</dbname>
    <base>http://localhost/wiki/Main_Page</base>
    <generator>MediaWiki 1.45.0</generator>
    <case>first-letter</case>
  </siteinfo>
"""
PAGE = """\
  <page>
    <title>{title}</title>
    <ns>{ns}</ns>
    <id>{id}</id>
    <revision>
      <id>{id}</id>
      <timestamp>{timestamp}</timestamp>
      <contributor><username>Editor</username><id>1</id></contributor>
      <model>{model}</model>
      <format>text/plain</format>
      <text xml:space="preserve">{text}</text>
    </revision>
  </page>
"""


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
    """The reference wiki's dump if it lies beside the repository; else one of the demo wiki."""
    if REFERENCE.is_file():
        return Dump(REFERENCE, "RefWiki")
    return _demo(state)


def _demo(state: Path) -> Dump:
    site = open_site(demo_store.configure(state, "http://127.0.0.1:8080"))
    path, name = state / "demo.xml", site.config.site.name
    path.write_text(
        "".join(_lines(name, read_folder(site, demo_store.PAGES))), encoding="utf-8", newline="\n"
    )
    return Dump(path, name)


def _lines(name: str, pages: Iterator[PageFile]) -> Iterator[str]:
    yield HEADER.format(name=escape(name))
    for number, page in enumerate(pages, 1):
        moment = START + timedelta(minutes=number)
        yield PAGE.format(
            title=escape(page.title.prefixed_text),
            ns=page.title.ns,
            id=number,
            timestamp=moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            model=page.model,
            text=escape(page.text),
        )
    yield "</mediawiki>\n"
