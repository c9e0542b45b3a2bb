"""The web site is built without a warning, and needs nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs import website
from tests.docs.fences import ROOT


def test_contents_of_lists_are_indented_by_four_spaces() -> None:
    text = "1. One:\n\n   ```sh\n   a\n     b\n   ```\n\n- c\n  d\n\n```yaml\na:\n  b: c\n```\n"
    assert website.with_wider_lists(text) == (
        "1. One:\n\n    ```sh\n    a\n      b\n    ```\n\n- c\n    d\n\n```yaml\na:\n  b: c\n```\n"
    )


@pytest.mark.parametrize(
    ("name", "link", "expected"),
    [
        ("index.md", "[C](../CHANGELOG.md)", "[C](changelog.md)"),
        ("howto/files.md", "[C](../../CHANGELOG.md#added)", "[C](../changelog.md#added)"),
        ("contributing.md", "[A](docs/architecture.md)", "[A](architecture.md)"),
        ("howto/files.md", "[T](mirror.md)", "[T](mirror.md)"),
        ("embedding.md", "[code](../examples/wsgi.py)", "code (`examples/wsgi.py`)"),
        ("index.md", "[site](https://www.example/)", "[site](https://www.example/)"),
        ("index.md", "[here](#installing)", "[here](#installing)"),
    ],
)
def test_links_lead_to_pages_of_the_site(name: str, link: str, expected: str) -> None:
    assert website.with_links(link, name) == expected


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site."""
    if not (find_spec("mkdocs") and find_spec("material") and find_spec("mkdocstrings")):
        pytest.skip("the extra 'site' is not installed")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_site_has_every_page(site: Path) -> None:
    documents = {page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")}
    names = {page.with_suffix(".html") for page in documents}
    made = {page.relative_to(site) for page in site.rglob("*.html")}
    assert names | {Path(n).with_suffix(".html") for n in website.ROOT_PAGES.values()} <= made
    index = (site / "index.html").read_text(encoding="utf-8")
    missing = [name for name in names if f'href="{name.as_posix()}"' not in index]
    assert missing in ([], [Path("index.html")]), "a page that the navigation does not name"


@pytest.mark.slow
def test_site_loads_nothing_from_elsewhere(site: Path) -> None:
    loading = re.compile(
        r"<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=[\"']?(?:https?:)?//[^>]*>"
    )
    for page in site.rglob("*.html"):
        tags = loading.findall(page.read_text(encoding="utf-8"))
        assert [tag for tag in tags if 'rel="canonical"' not in tag] == [], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//", sheet.read_text(encoding="utf-8")), sheet


@pytest.mark.slow
def test_reference_describes_the_public_names(site: Path) -> None:
    html = (site / "reference.html").read_text(encoding="utf-8")
    for name in (
        "wikiapi.embedding.OpenWiki.render",
        "wikiapi.api.PropModule",
        "wikiapi.wikitext.ParserFunction",
        "wikiapi.http.mount",
        "wikiapi.testing.make_site",
    ):
        assert f'id="{name}"' in html
    assert not re.search(r":(?:class|func|meth):", unescape(html))
