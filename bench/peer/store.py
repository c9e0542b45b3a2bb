"""wikiapi's store of the dump, imported again for every run by the code under test."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.peer.cpu import Cost, cost_of
from bench.peer.dump import Dump

SETTINGS = Path(__file__).parent / "wikiapi.toml"


class Store:
    """A folder with a configuration and a database."""

    def __init__(self, state: Path) -> None:
        """Initialise with the parent of the store's folder."""
        self.folder = state / "wikiapi"
        self.config = self.folder / "wikiapi.toml"
        self.database = self.folder.absolute() / "store.sqlite"
        self.url = f"sqlite:///{self.database}"

    @property
    def options(self) -> list[str]:
        """The options of every wikiapi command."""
        return self.options_with(self.config)

    def options_with(self, config: Path) -> list[str]:
        """Return the options of a command with another configuration."""
        return ["--config", str(config), "--database", self.url]

    def caching(self) -> Path:
        """Write a configuration that caches renderings in memory, like MediaWiki's parser cache."""
        return self._variant("caching", {'[cache]\nurl = ""': "[cache]"})

    def writable(self) -> Path:
        """Write a configuration that also lets users log in, write and upload files."""
        files = self.folder.absolute() / "files"
        files.mkdir(exist_ok=True)
        return self._variant(
            "writable",
            {
                '[cache]\nurl = ""': f"[cache]\n\n[files]\nfolder = {json.dumps(str(files))}",
                "[site]": "[site]\nwritable = true",
            },
        )

    def _variant(self, name: str, changes: Mapping[str, str]) -> Path:
        """Write the configuration with each text of ``changes`` replaced."""
        text = self.config.read_text(encoding="utf-8")
        for old, new in changes.items():
            text = text.replace(old, new, 1)
        config = self.folder / f"{name}.toml"
        config.write_text(text, encoding="utf-8")
        return config

    def copy(self, state: Path) -> Store:
        """Return a copy of the store, in another parent folder."""
        copied = Store(state)
        shutil.copytree(self.folder, copied.folder)
        return copied

    def fill(self, dump: Dump, interwiki: str) -> Cost:
        """Import the dump with all derived data into a new store; return the cost.

        Args:
            dump: The dump.
            interwiki: The interwiki map, as the JSON answer of meta=siteinfo.
        """
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "interwiki.json").write_text(interwiki, encoding="utf-8")
        settings = SETTINGS.read_text(encoding="utf-8")
        named = settings.replace('name = "Wiki"', f"name = {json.dumps(dump.name)}", 1)
        self.config.write_text(named, encoding="utf-8")
        options = ["--interwiki", str(self.folder / "interwiki.json")]
        return cost_of(lambda: self.run("import", *options, str(dump.path)))

    def run(self, *command: str, standard_input: str = "") -> None:
        """Run a wikiapi command with a text as its standard input, and wait for its end.

        Raises:
            CalledProcessError: it failed.
        """
        full = [sys.executable, "-m", "wikiapi", *command, *self.options]
        subprocess.run(full, input=standard_input, text=True, check=True)
