"""Pywikibot finds a wiki from the address of any of its pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.environments import python_with, run

pytestmark = pytest.mark.slow

PAGES = (
    "/",
    "/wiki/Main_Page",
    "/wiki/File:Landscape.jpg",
    "/wiki/Special:RecentChanges",
    "/wiki/Special:Version",
    "/w/index.php?title=Main_Page&action=history",
    "/w/index.php?title=Main_Page&action=edit",
    "/w/index.php?title=Main_Page&action=info",
    "/w/api.php",
)
DETECTING = Path(__file__).parent / "detect_site.py"
NO_CONFIG = {"PYWIKIBOT_NO_USER_CONFIG": "2"}


def test_mwsite_detects_the_wiki_from_any_page(demo_wiki: str, tmp_path: Path) -> None:
    python = python_with("pywikibot")
    urls = [demo_wiki + page for page in PAGES]
    output = run([python, str(DETECTING), *urls], tmp_path, **NO_CONFIG)
    expected = [f"{demo_wiki}/w/api.php", "/wiki/$1", "1.45.0", "en"]
    assert [json.loads(line) for line in output.splitlines()] == [expected] * len(PAGES)


def test_generate_family_file_writes_a_family(demo_wiki: str, tmp_path: Path) -> None:
    program = str(Path(python_with("pywikibot")).parent / "pwb")
    command = [program, "generate_family_file", f"{demo_wiki}/wiki/Main_Page", "demo", "n"]
    run(command, tmp_path, PYWIKIBOT_DIR=str(tmp_path), **NO_CONFIG)
    family = (tmp_path / "families" / "demo_family.py").read_text("utf-8")
    assert f"'en': '{demo_wiki.removeprefix('http://')}'" in family
    assert "'en': '/w'" in family
