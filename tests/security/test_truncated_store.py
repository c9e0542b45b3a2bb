"""Row 57: a store that is cut off, overwritten or replaced under a server that runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import apsw
import pytest

from tests.faults.served import make_store
from tests.processes import ANNOUNCING, environment
from tests.waiting import eventually

PAGES = {f"Page {number}": f"Text of page {number}. " * 200 for number in range(300)}
SERVING = f"""{ANNOUNCING}
import sys
from wikiapi.cli import main
options = ["--listen", "127.0.0.1:0", "--threads", "2", "--workers", "1"]
main(["serve", *options, "--config", sys.argv[1]])
"""
READING = """
import os, sys
import apsw
from wikiapi.errors import StoreError
from wikiapi.store.database import Database

path, is_within_statement = sys.argv[1], sys.argv[2] == "within a statement"
database = Database(f"sqlite:///{path}", read_only=True)
rows = iter(())
if is_within_statement:
    rows = database._connection().execute("SELECT length(old_text || '') FROM text")
    next(rows)
os.truncate(path, 8192)
try:
    list(rows) or database.execute_sql("SELECT sum(length(old_text || '')) FROM text")
except (StoreError, apsw.Error):
    print("an error")
"""


@contextmanager
def serving(store: Path, *, read_only: bool) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    settings = store.with_name("wikiapi.toml")
    settings.write_text(
        f'[database]\nurl = "sqlite:///{store}"\nread_only = {str(read_only).lower()}\n'
        '[cache]\nurl = ""\n'
    )
    with subprocess.Popen(
        [sys.executable, "-c", SERVING, str(settings)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout
        lines = iter(process.stdout.readline, "")
        try:
            yield next(int(line) for line in lines if line.strip().isdigit()), process
        finally:
            process.terminate()


def asked(port: int, page: int) -> dict[str, Any]:
    """Return an answer in the API's form, which may be an error."""
    query = f"action=query&prop=revisions&rvprop=content&titles=Page+{page}&formatversion=2"
    with urlopen(f"http://127.0.0.1:{port}/w/api.php?{query}&format=json", timeout=60) as reply:
        answer: dict[str, Any] = json.load(reply)
    assert "error" in answer or "query" in answer
    return answer


@pytest.fixture
def store(tmp_path: Path) -> Path:
    make_store(tmp_path / "wiki.sqlite", PAGES)
    return tmp_path / "wiki.sqlite"


def cut_off(store: Path) -> None:
    os.truncate(store, store.stat().st_size // 3)


def emptied(store: Path) -> None:
    os.truncate(store, 0)


def overwritten(store: Path) -> None:
    size = store.stat().st_size
    with store.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("harm", [cut_off, emptied, overwritten])
def test_requests_get_errors_and_the_server_goes_on(
    store: Path, harm: Callable[[Path], None], read_only: bool
) -> None:
    with serving(store, read_only=read_only) as (port, process):
        assert "query" in asked(port, 1)
        harm(store)
        answers = [asked(port, number) for number in range(0, 300, 7)]
        assert any("error" in answer for answer in answers)
        for answer in answers:
            code = answer.get("error", {}).get("code", "internal_api_error_")
            assert code.startswith("internal_api_error_")
        assert process.poll() is None


@pytest.mark.parametrize("read_only", [True, False])
def test_a_store_in_its_place_is_noticed(store: Path, read_only: bool) -> None:
    def is_there() -> bool:
        (page,) = asked(port, 1000).get("query", {}).get("pages", [{}])
        return "revisions" in page

    with serving(store, read_only=read_only) as (port, process):
        assert not is_there()
        make_store(store.with_suffix(".new"), {"Page 1000": "new"})
        store.with_suffix(".new").replace(store)
        assert eventually(is_there)
        assert process.poll() is None


@pytest.mark.parametrize("when", ["within a statement", "between statements, never looked at"])
def test_a_file_that_ends_under_a_statement_does_not_end_the_process(
    store: Path, when: str
) -> None:
    with closing(apsw.Connection(str(store))) as connection:
        # A store of MediaWiki's, which is read without looking for changes.
        connection.execute("PRAGMA application_id = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for beside in store.parent.glob(f"{store.name}-*"):
        beside.unlink()
    ended = subprocess.run(
        [sys.executable, "-c", READING, str(store), when],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "an error\n"), ended.stderr
