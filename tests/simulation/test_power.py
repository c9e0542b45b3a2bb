"""The worst power failure: all changes that were not synced are lost."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from tests.simulation.power import Power

T = TypeVar("T")


class Worst(Random):
    """Always draws the first choice, which loses everything."""

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        return seq[0]


class Cut(Random):
    """Draws the last choice, by which files of Python are cut off and nothing else is lost."""

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        return seq[-1]

    def randint(self, a: int, b: int) -> int:
        return a


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk"


@pytest.fixture
def power(disk: Path, tmp_path: Path) -> Power:
    return Power(disk, tmp_path / "limbo")


def write(power: Power, path: Path, text: str, *, is_synced: bool) -> None:
    power.opens(path)
    with path.open("w") as file:
        file.write(text)
        file.flush()
        if is_synced:
            power.syncs(file.fileno())


def sync_names(power: Power, folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    power.syncs(handle)
    os.close(handle)


def test_name_and_data_of_a_file_are_synced_separately(disk: Path, power: Power) -> None:
    for name, is_synced in (("named", False), ("both", True)):
        write(power, disk / name, "text", is_synced=is_synced)
    sync_names(power, disk)
    write(power, disk / "filled", "text", is_synced=True)
    power.fail(Worst())
    assert {path.name: path.read_text() for path in disk.iterdir()} == {"named": "", "both": "text"}


def test_synced_content_and_names_are_restored(disk: Path, tmp_path: Path) -> None:
    for name in ("written", "removed", "source", "target"):
        (disk / name).write_text(name)
    power = Power(disk, tmp_path / "limbo")
    write(power, disk / "written", "new", is_synced=False)
    power.removes(disk / "removed")
    (disk / "removed").unlink()
    power.renames(disk / "source", disk / "target")
    (disk / "source").replace(disk / "target")
    power.fail(Worst())
    assert all(path.read_text() == path.name for path in disk.iterdir())
    assert len(list(disk.iterdir())) == 4


def test_a_lost_folder_loses_the_synced_files_in_it(disk: Path, power: Power) -> None:
    power.makes_folder(disk / "new")
    (disk / "new").mkdir()
    write(power, disk / "new" / "file", "text", is_synced=True)
    sync_names(power, disk / "new")
    power.fail(Worst())
    assert not (disk / "new").exists()


def test_unsynced_writes_of_sqlite_are_undone(disk: Path, power: Power) -> None:
    store = disk / "store"
    store.write_bytes(b"12345678")
    power.overwrites(store, 8, 0, b"1234")
    store.write_bytes(b"abcd5678")
    power.syncs_store(store, is_new=False)
    power.overwrites(store, 8, 4, b"5678")
    store.write_bytes(b"abcdefgh")
    power.overwrites(store, 8, 8, b"")
    store.write_bytes(b"abcdefghijkl")
    power.fail(Worst())
    assert store.read_bytes() == b"abcd5678"


def test_what_sqlite_writes_to_a_file_that_python_has_opened(disk: Path, power: Power) -> None:
    store = disk / "store"
    store.write_bytes(b"12345678")
    power.opens(store)  # as to create it, unless it exists
    power.overwrites(store, 8, 0, b"1234")
    store.write_bytes(b"abcd5678")
    power.fail(Cut())
    assert store.read_bytes() == b"abcd5678"
