"""The tutorial and the how-to guides, done line by line in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs import preparations
from tests.docs.fences import ROOT, fences
from tests.docs.walk import Walk
from wikiapi.testing import make_site

pytestmark = pytest.mark.slow

ADDRESS = re.compile(r"<(http://127\.0\.0\.1:8080/[^>\s]*)>")
"""An address that the reader of a page is to open in a browser."""
DOCS = ROOT / "docs"
WALKED = [
    *(DOCS / f"{name}.md" for name in ("tutorial", "plugins", "languages")),
    *sorted((DOCS / "howto").glob("*.md")),
]


@pytest.mark.parametrize("page", WALKED, ids=lambda page: page.stem)
def test_page_can_be_followed(page: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    # A short path, since outputs that the pages show cut long values.
    parent = tmp_path_factory.mktemp("w")
    (parent / "wikiapi").symlink_to(ROOT, target_is_directory=True)
    folder = parent / "tour"
    folder.mkdir()
    preparations.prepare(page.stem, folder)
    with Walk(folder) as walk:
        walk.follow(fences(page))
        for address in ADDRESS.findall(page.read_text(encoding="utf-8")):
            walk.visit(address)
    assert walk.commands


def test_bot_of_the_readme_passes_its_test(tmp_path: Path) -> None:
    with Walk(tmp_path) as walk:
        walk.follow(fence for fence in fences(ROOT / "README.md") if fence.file)
        walk.type("pytest -q", "…1 passed…")


def test_program_of_the_readme_asks_a_wiki(tmp_path: Path) -> None:
    make_site({"Tea": "It is a ''hot'' drink."}, path=tmp_path / "wiki.sqlite").db.close()
    with Walk(tmp_path) as walk:
        walk.follow(fence for fence in fences(ROOT / "README.md") if fence.file)
        rendered = "<p>It is a <i>hot</i> drink.\n</p> <p><i>Milk</i>\n</p>\n"
        walk.type("python ask.py", f"{rendered}Tea {{'query': {{…'title': 'Tea', …")


@pytest.mark.parametrize("name", ["headings.py", "pyproject.toml"])
def test_plugin_of_the_tutorial_is_the_one_of_the_examples(name: str) -> None:
    (block,) = (block for block in fences(DOCS / "tutorial.md") if block.file == name)
    example = ROOT / "examples" / "minimal_plugin" / name
    assert block.text == example.read_text(encoding="utf-8")
