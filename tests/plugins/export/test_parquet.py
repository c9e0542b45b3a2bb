"""Pages and chunks as a dataset of Parquet files."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from click.testing import CliRunner, Result

from wikiapi.cli import main
from wikiapi.testing import Edit, make_site
from wikiapi_plugins.export.records import JsonLines
from wikiapi_plugins.export.rendering import Key, PageRenderer
from wikiapi_plugins.export.running import BatchResult

PAGES: dict[str, Any] = {
    "Main Page": Edit(
        "'''Hello''' [[Tea]]\n== Hot ==\nwater [[Category:Start]]", timestamp="20240102030405"
    ),
    "Tea": "plain",
    "T": "#REDIRECT [[Tea]]",
}

parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def wikiapi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    make_site(PAGES, path=tmp_path / "wikiapi.sqlite").db.close()
    return lambda *arguments: CliRunner().invoke(main, ["export", *arguments])


def rows(path: Path) -> list[dict[str, Any]]:
    return list(parquet.read_table(path).to_pylist())


def test_records_are_those_of_json_lines(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    result = wikiapi("--parquet", "set", "--jsonl", "out.jsonl")
    assert result.exit_code == 0, result.output
    assert "Exported 3 pages to set." in result.stderr
    assert sorted(path.name for path in (tmp_path / "set").iterdir()) == [
        "README.md",
        "chunks.parquet",
        "pages.parquet",
    ]
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    kinds = [line.pop("kind") for line in lines]
    for kind in ("page", "chunk"):
        records = rows(tmp_path / "set" / f"{kind}s.parquet")
        for record in records:
            record["timestamp"] = f"{record['timestamp']:%Y-%m-%dT%H:%M:%SZ}"
        expected = [line for line, own in zip(lines, kinds, strict=True) if own == kind]
        assert records == expected != []


def test_types(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    wikiapi("--parquet", "set", "--kind", "pages")
    assert not (tmp_path / "set" / "chunks.parquet").exists()
    page = rows(tmp_path / "set" / "pages.parquet")[0]
    assert page["timestamp"] == datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert page["sections"] == [{"level": 2, "title": "Hot", "anchor": "Hot"}]
    assert page["categories"] == ["Start"]


def test_the_card_names_the_files_and_the_license(
    wikiapi: Callable[..., Result], tmp_path: Path
) -> None:
    (tmp_path / "wikiapi.toml").write_text(
        "[site]\nname = 'Tea: a wiki'\nlanguage = 'fr'\nrights_text = 'CC BY'\n"
        "source = 'https://tea.example/wiki/Main_Page'\n"
    )
    wikiapi("--parquet", "set")
    _, head, body = (tmp_path / "set" / "README.md").read_text("utf-8").split("---\n", 2)
    metadata = yaml.safe_load(head)
    assert (metadata["pretty_name"], metadata["language"]) == ("Tea: a wiki", ["fr"])
    assert metadata["configs"] == [
        {"config_name": "pages", "data_files": "pages.parquet", "default": True},
        {"config_name": "chunks", "data_files": "chunks.parquet"},
    ]
    assert "Pages of <https://tea.example/wiki/Main_Page>" in body
    assert "License of the texts: CC BY" in body
    assert "## `pages`: 2 pages" in body


def test_an_interrupted_export_is_continued(
    wikiapi: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wikiapi("--parquet", "whole")
    convert = JsonLines._convert

    def cut(self: JsonLines, site: Any, renderer: PageRenderer, keys: list[Key]) -> BatchResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(JsonLines, "_convert", cut)
    assert wikiapi("--parquet", "set").exit_code != 0
    assert not (tmp_path / "set" / "pages.parquet").exists()
    monkeypatch.setattr(JsonLines, "_convert", convert)
    assert wikiapi("--parquet", "set").exit_code == 0
    for name in ("README.md", "pages.parquet", "chunks.parquet"):
        assert (tmp_path / "set" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_without_pyarrow_it_says_so(
    wikiapi: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("wikiapi_plugins.export.parquet.import_module", missing)
    result = wikiapi("--parquet", "set")
    assert result.exit_code == 1
    assert "pip install 'wikiapi-server[parquet]'" in result.output


@pytest.mark.slow
def test_pandas_and_datasets_open_it(wikiapi: Callable[..., Result], tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    datasets = pytest.importorskip("datasets")
    wikiapi("--parquet", "set")
    frame = pandas.read_parquet(tmp_path / "set" / "pages.parquet")
    assert list(frame["title"]) == ["Main Page", "Tea"]
    assert str(frame["timestamp"].dt.tz) == "UTC"
    cache = str(tmp_path / "cache")
    chunks = datasets.load_dataset(str(tmp_path / "set"), "chunks", split="train", cache_dir=cache)
    assert [chunk["section"] for chunk in chunks if chunk["page_id"] == 1] == [[], ["Hot"]]
    pages = datasets.load_dataset(str(tmp_path / "set"), split="train", cache_dir=cache)
    assert pages.column_names[:3] == ["id", "page_id", "revision_id"]
