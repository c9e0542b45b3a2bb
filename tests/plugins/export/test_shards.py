"""Shards, and the exports that are merged from them."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from tests.plugins.export.comparing import ENDINGS, content, export
from wikiapi.config import Config, parse_config
from wikiapi.testing import make_site
from wikiapi_plugins.export import ExportError, Shard
from wikiapi_plugins.export.command import shard_of

PAGES = {
    **{f"Page {number}": f"Text {number}, [[Page {number + 1}]]" for number in range(95)},
    "page 7": "another page, whose name some file systems do not distinguish",
    "R": "#REDIRECT [[Page 3]]",
    "Category:All": "[[Category:Top]]",
}


@pytest.fixture
def config(tmp_path: Path) -> Config:
    make_site(PAGES, path=tmp_path / "wiki.sqlite").db.close()
    return parse_config({"database": {"url": f"sqlite:///{tmp_path}/wiki.sqlite"}})


@pytest.mark.parametrize("kind", ENDINGS)
def test_merged_export_is_that_of_one_process(config: Config, tmp_path: Path, kind: str) -> None:
    whole, merged = (tmp_path / f"{name}{ENDINGS[kind]}" for name in ("whole", "merged"))
    export(config, kind, whole)
    for number in (2, 1, 3):
        export(config, kind, merged, shard=Shard(number, 3))
    assert not merged.exists()
    export(config, kind, merged, step="merge")
    assert content(merged) == content(whole)
    assert len(content(whole)) >= 1


def test_shard_that_is_finished_is_not_rendered_again(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    export(config, "jsonl", path, shard=Shard(1, 1))
    with monkeypatch.context() as patched:
        patched.setattr("wikiapi_plugins.export.running.run", None)
        export(config, "jsonl", path, shard=Shard(1, 1))
    # A single file can be copied to another machine.
    assert [file.name for file in tmp_path.glob("a.jsonl*")] == ["a.jsonl.shard-1-of-1"]
    export(config, "jsonl", path, step="merge")
    assert path.stat().st_size > 0


@pytest.mark.parametrize(
    ("made", "options", "text"),
    [
        ([], {}, "there are no shards of"),
        ([Shard(1, 2)], {}, "shard-2-of-2 is missing"),
        ([Shard(1, 1), Shard(1, 2), Shard(2, 2)], {}, "shards of several exports"),
        ([Shard(1, 1)], {"kinds": ("pages",)}, "was made with other options"),
    ],
    ids=["none", "one missing", "of two exports", "of other options"],
)
def test_shards_that_do_not_fit(
    config: Config, tmp_path: Path, made: list[Shard], options: dict[str, object], text: str
) -> None:
    path = tmp_path / "a.jsonl"
    for shard in made:
        export(config, "jsonl", path, shard=shard)
    with pytest.raises(ExportError, match=text):
        export(config, "jsonl", path, step="merge", **options)
    assert not path.exists()


def test_unfinished_shard(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    with monkeypatch.context() as patched:
        patched.setattr("wikiapi_plugins.export.shards.finish", lambda state: None)
        export(config, "jsonl", path, shard=Shard(1, 1))
    with pytest.raises(ExportError, match="is not finished"):
        export(config, "jsonl", path, step="merge")
    export(config, "jsonl", path, shard=Shard(1, 1))
    export(config, "jsonl", path, step="merge")
    assert path.stat().st_size > 0


@pytest.mark.parametrize("value", ["0/3", "4/3", "1", "1/0", "a/b", "1/2/3", "1/2\n", "٣/٤"])
def test_not_a_shard(value: str) -> None:
    option = click.Option(["--shard"])
    with pytest.raises(click.BadParameter):
        shard_of(click.Context(click.Command("export")), option, value)
