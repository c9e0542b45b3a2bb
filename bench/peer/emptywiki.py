"""A MediaWiki without pages, installed once for each version and set of settings, then copied."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import subprocess
from functools import cached_property
from pathlib import Path

from bench.peer.maintenance import SETTINGS, Maintenance

_PARTS = ("installed", "data", "cache", "images")


class EmptyWiki:
    """The installed wiki; a folder without the file ``complete`` is installed again."""

    def __init__(self, state: Path, name: str) -> None:
        """Name the folder by a hash of the wiki's name, the settings and the version."""
        digest = hashlib.sha256(f"{name}\n{self.version}".encode())
        digest.update(SETTINGS.read_bytes())
        self.digest = digest.hexdigest()
        self._name = name
        self._folder = state / f"mediawiki-empty-{self.digest[:12]}"
        self._complete = self._folder / "complete"

    @cached_property
    def version(self) -> str:
        """The version of Debian's package."""
        command = ["dpkg-query", "-W", "-f", "${Version}", "mediawiki"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def copy(self, folder: Path) -> Maintenance:
        """Copy the wiki to a folder, which is created; its interface texts are compiled."""
        self._prepare()
        copy_wiki(self._folder, folder)
        (folder / self._complete.name).unlink()
        return Maintenance(folder, self._name)

    def _prepare(self) -> None:
        """Install the wiki if that was not done before."""
        if self._complete.exists():
            return
        print(f"installing MediaWiki {self.version} in {self._folder}", flush=True)
        shutil.rmtree(self._folder, ignore_errors=True)
        for name in _PARTS:
            (self._folder / name).mkdir(parents=True)
        self._install(Maintenance(self._folder, self._name))
        self._complete.touch()

    def _install(self, scripts: Maintenance) -> None:
        options = {
            "confpath": self._folder / "installed",
            "dbtype": "sqlite",
            "dbpath": self._folder / "data",
            "dbname": "peer",
            "server": "http://127.0.0.1",
            "scriptpath": "/w",
            "pass": secrets.token_hex(16),
            "skins": "Vector",
        }
        arguments = [f"--{name}={value}" for name, value in options.items()]
        # The installer must not find settings that include the file that it writes.
        scripts.run("install.php", *arguments, self._name, "Admin", configured=False)
        # The page that it creates is newer than the dump's and would hide it.
        scripts.run("nukePage.php", "--delete", "Main Page")
        scripts.run("rebuildLocalisationCache.php", "--lang=en")


def copy_wiki(source: Path, folder: Path) -> None:
    """Replace a folder by a copy of a wiki's folder, and adapt the paths in its settings."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    installed = folder / "installed" / "LocalSettings.php"
    text = installed.read_text(encoding="utf-8")
    installed.write_text(text.replace(str(source), str(folder)), encoding="utf-8")
