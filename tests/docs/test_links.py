"""Every link within the documentation leads somewhere, and every page can be reached."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.fences import PAGES, ROOT, name_of

_FENCE = re.compile(r"^ *(`{3,}|~{3,}).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`+[^`\n]+`+")
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]*)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
_PUNCTUATION = re.compile(r"[^\w\- ]")


def links(page: Path) -> list[str]:
    """Return the targets within the project, of what is no code."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return _LINK.findall(_CODE.sub("code", text))


def anchors(page: Path) -> set[str]:
    """Return the fragments that hosts of Markdown make of its headings."""
    counts: dict[str, int] = {}
    for heading in _HEADING.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = _PUNCTUATION.sub("", words).replace(" ", "-")
        counts[anchor] = counts.get(anchor, 0) + 1
    return {f"{name}-{n}" if n else name for name, count in counts.items() for n in range(count)}


def target(page: Path, link: str) -> Path:
    path = link.partition("#")[0]
    return (page.parent / path).resolve() if path else page


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    assert [link for link in links(page) if not leads_somewhere(page, link)] == []


def leads_somewhere(page: Path, link: str) -> bool:
    path, fragment = target(page, link), link.partition("#")[2]
    if not (path.is_relative_to(ROOT) and path.exists()):
        return False
    return not fragment or path.suffix != ".md" or fragment in anchors(path)


@cache
def reachable(start: Path) -> set[Path]:
    """Return everything that can be reached by links, from page to page."""
    paths, waiting = {start}, [start]
    while waiting:
        page = waiting.pop()
        new = {target(page, link) for link in links(page)} - paths
        paths |= new
        waiting += [path for path in new if path.suffix == ".md" and path.is_file()]
    return paths


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.is_relative_to(ROOT / "docs")], ids=name_of
)
def test_page_can_be_reached_from_the_readme(page: Path) -> None:
    reached = page in reachable(ROOT / "README.md")
    assert reached


def test_the_map_names_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    listed = {target(index, link) for link in links(index)}
    pages = {page for page in (ROOT / "docs").rglob("*.md") if page != index}
    assert sorted(map(name_of, pages - listed)) == []


def test_anchors_are_those_of_the_headings(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A `b` c\n\n```sh\n# no\n```\n## What, now?\n## What now\n", encoding="utf-8")
    assert anchors(page) == {"a-b-c", "what-now", "what-now-1"}
