"""wikiapi's store of the dump, imported again for every run by the code under test."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from bench.peer.cpu import Cost, cost_of
from bench.peer.dump import Dump

SETTINGS = Path(__file__).parent / "wikiapi.toml"


class Store:
    """A folder with a configuration and a database."""

    def __init__(self, state: Path) -> None:
        """Take the folder in which the store gets a folder."""
        self.folder = state / "wikiapi"
        self.config = self.folder / "wikiapi.toml"
        self.database = self.folder.absolute() / "store.sqlite"
        self.url = f"sqlite:///{self.database}"

    @property
    def options(self) -> list[str]:
        """The options of every wikiapi command."""
        return ["--config", str(self.config), "--database", self.url]

    def options_with_cache(self) -> list[str]:
        """Return the options for a server that caches renderings in memory, as MediaWiki does."""
        config = self.folder / "caching.toml"
        text = self.config.read_text(encoding="utf-8")
        config.write_text(text.replace('[cache]\nurl = ""', "[cache]", 1), encoding="utf-8")
        return ["--config", str(config), "--database", self.url]

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
        command = [sys.executable, "-m", "wikiapi", "import", *self.options]
        command += ["--interwiki", str(self.folder / "interwiki.json"), str(dump.path)]
        return cost_of(lambda: subprocess.run(command, check=True))
