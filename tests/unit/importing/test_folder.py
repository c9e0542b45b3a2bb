from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.importing.test_importer import snapshot
from wikiapi.errors import DumpError
from wikiapi.importing.folder import import_folder, skipped_folders
from wikiapi.site import Site

PAGES = "SELECT page_id, page_namespace, page_title, page_content_model FROM page ORDER BY 1"


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    def make(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return tmp_path

    return make


def test_pages_in_the_order_of_their_names(site: Site, folder: Callable[..., Path]) -> None:
    files = {
        "template/Note%2Fdoc.wikitext": "doc",
        "template/Style.css": "b {}",
        "main/Über_uns.wikitext": "text\r\n\n",
        "main/Data.json": "{}",
        "mediawiki/Common.css": "a {}",
        "template_talk/X.wikitext": "talk",
        "README.md": "not a page",
        "files/X.png": "not a page",
        "main/X.png": "not a page",
    }
    report = import_folder(site, folder(files))
    assert report.pages == 6
    assert site.db.execute_sql(PAGES) == [
        (1, 0, "Data.json", "json"),
        (2, 0, "Über_uns", "wikitext"),
        (3, 8, "Common.css", "css"),
        (4, 10, "Note/doc", "wikitext"),
        (5, 10, "Style.css", "sanitized-css"),
        (6, 11, "X", "wikitext"),
    ]
    assert site.db.execute_sql("SELECT old_text FROM text WHERE old_id = 2") == [("text",)]


def test_modules(make_site: Callable[..., Site], folder: Callable[..., Path]) -> None:
    site = make_site(config={"namespaces": [{"id": 828, "name": "Module"}]})
    import_folder(site, folder({"module/List.lua": "return {}"}))
    assert site.db.execute_sql(PAGES) == [(1, 828, "List", "Scribunto")]


def test_folders_that_name_no_namespace_are_reported(
    site: Site, folder: Callable[..., Path]
) -> None:
    files = {"main/A.wikitext": "a", "recipe/B.wikitext": "b", "files/X.png": "not a page"}
    assert skipped_folders(site, folder(files)) == ["recipe"]


def test_same_folder_makes_the_same_store(
    make_site: Callable[..., Site], folder: Callable[..., Path]
) -> None:
    pages = folder({f"main/{name}.wikitext": name for name in "CAB"})
    snapshots: list[Any] = []
    for _ in range(2):
        site = make_site()
        import_folder(site, pages)
        snapshots.append(snapshot(site))
    assert snapshots[0] == snapshots[1]


def test_changed_file_becomes_a_new_revision(site: Site, folder: Callable[..., Path]) -> None:
    import_folder(site, folder({"main/A.wikitext": "one", "main/B.wikitext": "same"}))
    report = import_folder(site, folder({"main/A.wikitext": "two", "main/C.wikitext": "new"}))
    assert report.pages == 2
    assert site.db.execute_sql("SELECT page_id, page_title, page_latest FROM page ORDER BY 1") == [
        (1, "A", 3),
        (2, "B", 2),
        (3, "C", 4),
    ]
    assert site.db.execute_sql(
        "SELECT rev_parent_id, rev_timestamp FROM revision WHERE rev_id = 3"
    ) == [(1, "20260101120000")]


def test_a_folder_without_pages_is_an_error(site: Site, tmp_path: Path) -> None:
    (tmp_path / "Tea.wikitext").write_text("not in the folder of a namespace")
    with pytest.raises(DumpError, match=r"has no pages: a page is a file such as .*wikitext"):
        import_folder(site, tmp_path)


def test_redirect(site: Site, folder: Callable[..., Path]) -> None:
    import_folder(site, folder({"main/A.wikitext": "#REDIRECT [[Talk:B]]"}))
    assert site.db.execute_sql("SELECT rd_namespace, rd_title FROM redirect") == [(1, "B")]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("main/A%7CB.wikitext", "", "not a valid page title"),
        ("main/%2E%2E%2Fx.wikitext", "", "not a valid page title"),
        ("main/Talk%3AX.wikitext", "", "not in the namespace of its folder"),
        ("main/A%23b.wikitext", "", "not in the namespace of its folder"),
        ("main/%FF.wikitext", "", "is not UTF-8"),
        ("main/A.wikitext", "\udcff", "is not UTF-8"),
        ("main/A.wikitext", "a\0b", "contains a NUL"),
    ],
)
def test_bad_file_is_named_and_nothing_imported(
    site: Site, folder: Callable[..., Path], name: str, text: str, reason: str
) -> None:
    before = snapshot(site)
    pages = folder({name: text, "main/0.wikitext": "good"})
    with pytest.raises(DumpError, match=reason) as caught:
        import_folder(site, pages)
    assert name in str(caught.value)
    assert snapshot(site) == before
