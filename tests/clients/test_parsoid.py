"""MediaWiki's Parsoid renders pages that wikiapi serves.

Debian's package of MediaWiki has Parsoid's program, but not the loader of its classes.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.clients.mediawiki import PROGRAM, install_program
from wikiapi.http import make_app
from wikiapi.testing import live_server, make_site

pytestmark = pytest.mark.slow

PAGES = {
    "Main Page": "Hello {{tea|green}} [[Foo]] [[Missing]] [[File:Cup.png|thumb|A cup]]\n\n"
    "{{PAGENAME}} <ref>A note</ref>\n\n== Kinds ==\n* green\n* black",
    "Template:Tea": "''tea'' {{{1}}}",
    "Foo": "x",
    "File:Cup.png": "A picture",
}
LOADER = """\
<?php
spl_autoload_register(function ($class) {
    $prefix = 'Wikimedia\\\\Parsoid\\\\Tools\\\\';
    if (str_starts_with($class, $prefix)) {
        require_once __DIR__ . '/tools/' . substr($class, strlen($prefix)) . '.php';
    }
});
"""


class Parsoid:
    """Parsoid's program, which asks a wiki."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self._options = ["--standalone", "--apiURL", f"{address}/w/api.php"]

    def run(self, text: str, *options: str) -> str:
        """Return what the program prints for a text, or for a page if the text is empty."""
        loader = self.folder / "loader.php"
        program = self.folder / "bin" / "parse.php"
        done = subprocess.run(
            ["php", "-d", f"auto_prepend_file={loader}", program, *self._options, *options],
            input=text, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def parsoid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parsoid]:
    install_program()
    vendor = PROGRAM / "vendor"
    source = vendor / "wikimedia" / "parsoid"
    if not (source / "bin" / "parse.php").exists():
        pytest.skip("this package of MediaWiki has no program of Parsoid")
    folder = tmp_path_factory.mktemp("parsoid") / "parsoid"
    for part in ("bin", "tools", "baseconfig"):
        shutil.copytree(source / part, folder / part)
    (folder / "vendor").symlink_to(vendor)
    (folder / "loader.php").write_text(LOADER, encoding="utf-8")
    site = make_site(PAGES, files=["Cup.png"])
    with live_server(make_app(site)) as address:
        yield Parsoid(folder, address)
    site.db.close()


def test_a_page_is_rendered(parsoid: Parsoid) -> None:
    tree = LexborHTMLParser(parsoid.run("", "--pageName", "Main Page"))
    assert [node.text() for node in tree.css("h2, li")][:3] == ["Kinds", "green", "black"]
    called = tree.css_first("i[typeof='mw:Transclusion']")
    assert called is not None
    assert called.text() == "tea"
    links = {node.text(): node for node in tree.css("a[rel='mw:WikiLink']")}
    assert "new" not in (links["Foo"].attributes.get("class") or "")
    assert "new" in (links["Missing"].attributes.get("class") or "")
    picture = tree.css_first("figure img")
    assert picture is not None
    assert picture.attributes["data-file-width"] == "640"
    assert "Main Page" in parsoid.run("", "--pageName", "Main Page")


def test_html_becomes_wikitext(parsoid: Parsoid) -> None:
    text = parsoid.run("<h2>Tea</h2><p>It is <i>hot</i>.</p>", "--html2wt")
    assert text.strip() == "== Tea ==\nIt is ''hot''."
