"""Durable changes sync data before it is renamed, and the entries of each new folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from wikiapi.filerepo.durable import make_folder, replace, sync


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets what is synced, and what is renamed in between."""
    calls: list[str] = []
    rename = os.replace

    def note_sync(handle: int) -> None:
        calls.append(f"sync {Path(f'/proc/self/fd/{handle}').resolve().name}")

    def note_rename(source: Path, target: Path) -> None:
        calls.append(f"rename {source.name}")
        rename(source, target)

    monkeypatch.setattr("os.fsync", note_sync)
    monkeypatch.setattr("os.replace", note_rename)
    return calls


def test_entries_of_all_new_folders_are_synced(tmp_path: Path, done: list[str]) -> None:
    root = tmp_path / "root"
    make_folder(root / "a" / "ab", root)
    assert (root / "a" / "ab").is_dir()
    assert done == [f"sync {tmp_path.name}", "sync root", "sync a"]


def test_synced_entries_are_not_synced_again(tmp_path: Path, done: list[str]) -> None:
    for name in ("ab", "ac"):
        make_folder(tmp_path / "a" / name, tmp_path / "a")
    assert done == [f"sync {tmp_path.name}", "sync a", "sync a"]


def test_a_folder_that_is_made_again_is_synced_again(tmp_path: Path, done: list[str]) -> None:
    make_folder(tmp_path / "a", tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    done.clear()
    make_folder(tmp_path / "a", tmp_path)
    assert done == [f"sync {tmp_path.name}"]


def test_another_may_have_made_a_folder_without_syncing_it(tmp_path: Path, done: list[str]) -> None:
    (tmp_path / "a" / "ab").mkdir(parents=True)
    make_folder(tmp_path / "a" / "ab", tmp_path)
    assert done[-2:] == [f"sync {tmp_path.name}", "sync a"]


def test_new_folders_above_the_root_are_synced(tmp_path: Path, done: list[str]) -> None:
    make_folder(tmp_path / "wiki" / "root", tmp_path / "wiki" / "root")
    assert done == [f"sync {tmp_path.name}", "sync wiki"]


def test_data_is_synced_before_it_gets_its_name(tmp_path: Path, done: list[str]) -> None:
    complete, target = tmp_path / "complete", tmp_path / "target"
    complete.write_text("new")
    target.write_text("old")
    replace(complete, target)
    assert target.read_text() == "new"
    assert done == ["sync complete", "rename complete", f"sync {tmp_path.name}"]


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_a_broken_disk_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match=os.strerror(number)):
        sync(tmp_path)


def test_what_cannot_be_synced_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr("os.fsync", refuse)
    sync(tmp_path)
