"""Debian's MediaWiki, with SQLite and PHP's own server, as a client of wikiapi.

It is installed when it is first needed. Where that is not possible, tests are skipped, with the
reason.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.ports import free_port, wait_for

ROOT = Path(__file__).parents[2]
INSTALLING = ROOT / "bench" / "peer" / "install.sh"
PROGRAM = Path("/usr/share/mediawiki")
SETTINGS = Path(__file__).with_name("mediawiki.php")
_PATIENCE = 600


@dataclass(frozen=True)
class MediaWiki:
    """A wiki that is served at an address; its files are below ``folder``."""

    address: str
    folder: Path

    def query(self, **params: str) -> Any:
        """Return the answer to a query, in format version 2."""
        common = {"action": "query", "format": "json", "formatversion": "2"}
        return json.loads(self._get(f"/w/api.php?{urlencode(common | params)}"))["query"]

    def parse(self, text: str) -> str:
        """Return a text as HTML."""
        params = {"action": "parse", "text": text, "contentmodel": "wikitext", "prop": "text"}
        query = urlencode(params | {"format": "json", "formatversion": "2"})
        return str(json.loads(self._get(f"/w/api.php?{query}"))["parse"]["text"])

    def expand(self, text: str, language: str) -> str:
        """Return a text on a wiki in a language with its calls expanded."""
        params = {"action": "expandtemplates", "text": text, "prop": "wikitext", "title": "Page"}
        common = {"format": "json", "formatversion": "2", "peerlanguage": language}
        answer = json.loads(self._get(f"/w/api.php?{urlencode(params | common)}"))
        return str(answer["expandtemplates"]["wikitext"])

    def page(self, title: str) -> str:
        """Return a page as a reader gets it."""
        return self._get(f"/w/index.php?{urlencode({'title': title})}")

    def _get(self, path: str) -> str:
        with urlopen(self.address + path, timeout=_PATIENCE) as reply:
            return str(reply.read().decode("utf-8"))


@contextmanager
def mediawiki(folder: Path, files: str, *, thumbnail_seconds: int = 0) -> Iterator[MediaWiki]:
    """Serve an empty MediaWiki until the block is left.

    Args:
        folder: an empty folder for its database and files.
        files: the address of the ``api.php`` of the wiki whose files it shows.
        thumbnail_seconds: for how long it keeps thumbnails; with 0 it shows those of that wiki.
    """
    values = {"WIKI_FILES": files, "WIKI_THUMBNAIL_SECONDS": str(thumbnail_seconds)}
    with configured(folder, SETTINGS, {**values, "PHP_CLI_SERVER_WORKERS": "2"}) as wiki:
        yield wiki


@contextmanager
def configured(folder: Path, settings: Path, values: Mapping[str, str]) -> Iterator[MediaWiki]:
    """Serve an empty MediaWiki with settings that read values from the environment."""
    install_program()
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    _install_wiki(folder, address)
    served = folder / "served"
    served.mkdir()
    (served / "w").symlink_to(PROGRAM)
    names = {"MW_CONFIG_FILE": str(settings), "WIKI_FOLDER": str(folder)}
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            # Without APCu, which would remember rows of a database that a test puts back.
            ["php", "-d", "apc.enabled=0", "-S", f"127.0.0.1:{port}", "-t", str(served)],
            env={**os.environ, **names, **values},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            wait_for(port)
            yield MediaWiki(address, folder)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def install_program() -> None:
    """Install the packages if they are missing; skip the test where that is not possible."""
    try:
        done = subprocess.run(
            ["sh", str(INSTALLING)], capture_output=True, text=True, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        pytest.skip("MediaWiki is not installed in time")
    if done.returncode:
        pytest.skip(f"MediaWiki cannot be installed: {done.stderr.strip()[-300:]}")


def _install_wiki(folder: Path, address: str) -> None:
    for name in ("data", "cache", "images"):
        (folder / name).mkdir()
    options = {
        "confpath": folder,
        "dbtype": "sqlite",
        "dbpath": folder / "data",
        "dbname": "client",
        "server": address,
        "scriptpath": "/w",
        "pass": "only-for-this-test",
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    command = ["php", str(PROGRAM / "maintenance" / "install.php"), *arguments, "Client", "Admin"]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
