from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main
from wikiapi.testing import make_site
from wikiapi_plugins.export import running
from wikiapi_plugins.export.records import JsonLines
from wikiapi_plugins.export.rendering import Key, PageRenderer
from wikiapi_plugins.export.running import BatchResult

PAGES = {
    "Main Page": "'''Hello''' [[Tea]] [[Nothing]] {{Box}} [[Category:Start]]\n"
    "== Hot ==\nwater\n=== Very hot ===\nsteam",
    "Tea": "{|\n! a\n! b\n|-\n| 1\n| 2\n|}\n[https://example.org/ out]",
    "T": "#REDIRECT [[Tea]]",
    "Template:Box": "in a ''box''",
    "Talk:Tea": "talk",
}


@pytest.fixture
def wikiapi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    make_site(PAGES, path=tmp_path / "wikiapi.sqlite").db.close()
    return lambda *arguments: CliRunner().invoke(main, ["export", *arguments])


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_json_lines(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    result = wikiapi("--jsonl", "out.jsonl")
    assert result.exit_code == 0, result.output
    assert "Exported 3 pages" in result.stderr
    lines = records(tmp_path / "out.jsonl")
    page = lines[0]
    assert (page["kind"], page["id"], page["title"]) == ("page", "wiki:1", "Main Page")
    assert page["categories"] == ["Start"]
    assert page["text"].startswith("**Hello** [Tea](http")
    assert "Nothing in a *box*" in page["text"]
    chunks = [r for r in lines if r["kind"] == "chunk" and r["title"] == "Main Page"]
    assert [c["section"] for c in chunks] == [[], ["Hot"], ["Hot", "Very hot"]]
    assert [c["id"] for c in chunks] == ["wiki:1#:0", "wiki:1#Hot:0", "wiki:1#Very_hot:0"]
    assert chunks[1]["url"].endswith("/Main_Page#Hot")
    assert {(c["namespace"], c["timestamp"], *c["categories"]) for c in chunks} == {
        (0, page["timestamp"], "Start")
    }
    tea = next(r for r in lines if r["title"] == "Tea")
    assert tea["text"] == "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n[out](https://example.org/)"
    assert [path.name for path in tmp_path.glob("out*")] == ["out.jsonl"]


def test_kinds_and_namespaces(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    assert wikiapi("--jsonl", "a", "--kind", "chunks", "--namespace", "1").exit_code == 0
    assert [(r["kind"], r["title"]) for r in records(tmp_path / "a")] == [("chunk", "Talk:Tea")]
    assert wikiapi("--jsonl", "a", "--namespace", "99").exit_code == 2
    assert wikiapi().exit_code == 2


def test_markdown_file(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    assert wikiapi("--markdown", "out.md").exit_code == 0
    text = (tmp_path / "out.md").read_text("utf-8")
    assert text.startswith("# Main Page\n\n**Hello** [Tea](http")
    assert "\n# Tea\n" in text


def test_markdown_folder(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    assert wikiapi("--markdown", "out").exit_code == 0
    files = {p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.md")}
    assert files == {"wiki/Main_Page.md", "wiki/Tea.md", "wiki/T.md"}
    text = (tmp_path / "out" / "wiki" / "Main_Page.md").read_text("utf-8")
    assert text.startswith('---\ntitle: "Main Page"\nid: 1\n')
    assert 'categories: ["Start"]\n---\n\n# Main Page\n\n**Hello** [Tea](../wiki/Tea.md)' in text
    assert "[Tea](../wiki/Tea.md)" in (tmp_path / "out" / "wiki" / "T.md").read_text("utf-8")


def test_a_folder_with_other_files_is_refused(
    wikiapi: Callable[..., Result], tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x", encoding="utf-8")
    result = wikiapi("--markdown", "out")
    assert result.exit_code == 1
    assert "out is not empty" in result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]


def test_an_interrupted_export_is_resumed(
    wikiapi: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PAGES_PER_BATCH", 1)
    assert wikiapi("--jsonl", "whole").exit_code == 0
    real = JsonLines._convert
    asked: list[Key] = []

    def convert(self: Any, site: Any, renderer: PageRenderer, keys: Sequence[Key]) -> BatchResult:
        asked.extend(keys)
        if (0, "Tea") in keys and asked.count((0, "Tea")) == 1:
            raise KeyboardInterrupt
        return real(self, site, renderer, keys)

    monkeypatch.setattr(JsonLines, "_convert", convert)
    assert wikiapi("--jsonl", "out").exit_code == 130
    # Data after the length that is known to be complete is discarded.
    with (tmp_path / "out.part").open("ab") as file:
        file.write(b"half a li")
    result = wikiapi("--jsonl", "out")
    assert "Resuming after 1 page." in result.stderr
    assert asked.count((0, "Main_Page")) == 1
    assert (tmp_path / "out").read_bytes() == (tmp_path / "whole").read_bytes()
    assert not list(tmp_path.glob("out.*"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["jsonl", "markdown", "html"])
def test_the_number_of_processes_changes_nothing(
    wikiapi: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(running, "PAGES_PER_BATCH", 1)
    monkeypatch.setattr(running, "PAGES_WORTH_WORKERS", 1)
    contents = []
    for jobs in ("1", "2"):
        result = wikiapi(f"--{kind}", f"out{jobs}", "--jobs", jobs)
        assert result.exit_code == 0, result.output
        top = tmp_path / f"out{jobs}"
        files = [top] if top.is_file() else sorted(p for p in top.rglob("*") if p.is_file())
        contents.append([(str(p.relative_to(top)), p.read_bytes()) for p in files])
    assert contents[0] == contents[1]
    assert contents[0]


def test_a_page_that_cannot_be_rendered_is_counted(
    wikiapi: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = PageRenderer._output

    def output(self: Any, page: Any, title: Any, row: Any) -> Any:
        if page.title == "Tea":
            raise RuntimeError("no luck")
        return real(self, page, title, row)

    monkeypatch.setattr(PageRenderer, "_output", output)
    result = wikiapi("--jsonl", "out")
    assert result.exit_code == 0
    assert "Warning: 1 page could not be rendered" in result.stderr
    assert {r["title"] for r in records(tmp_path / "out")} == {"Main Page"}


def test_headings_in_the_old_form(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    assert wikiapi("--jsonl", "now").exit_code == 0
    (tmp_path / "wikiapi.toml").write_text("[wikitext]\nlegacy_headings = true\n")
    assert wikiapi("--jsonl", "old").exit_code == 0
    assert records(tmp_path / "old") == records(tmp_path / "now")


@pytest.mark.parametrize(
    ("option", "target", "problem"),
    [
        ("--zim", "wiki.html", "must end with .zim"),
        ("--jsonl", "wiki.json", "must end with .jsonl or .ndjson"),
        ("--html", "file/site", "file is not a folder"),
    ],
)
def test_targets_are_checked_first(
    wikiapi: Callable[..., Result], tmp_path: Path, option: str, target: str, problem: str
) -> None:
    (tmp_path / "file").write_text("")
    result = wikiapi(option, target)
    assert result.exit_code == 1
    assert problem in result.output


@pytest.mark.parametrize(
    ("option", "target"), [("--jsonl", "wiki.jsonl"), ("--markdown", "wiki.md")]
)
def test_files_that_cannot_be_written_are_an_error_in_one_line(
    wikiapi: Callable[..., Result], tmp_path: Path, option: str, target: str
) -> None:
    (tmp_path / f"{target}.part").mkdir()
    result = wikiapi(option, target)
    assert result.exit_code == 1
    assert result.output == f"Error: {option} {target}: Is a directory: {target}.part\n"
