"""Debian's MediaWiki with the dump in an SQLite database, which is created once and reused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.peer.dump import Dump
from bench.peer.emptywiki import EmptyWiki, copy_wiki
from bench.peer.maintenance import Maintenance

HERE = Path(__file__).parent
CORE_MODELS = frozenset({"wikitext", "css", "javascript", "json", "text"})


@dataclass(frozen=True)
class Syntax:
    """Names of tags and parser functions of extensions, in lower case."""

    tags: frozenset[str]
    functions: frozenset[str]


class MediaWiki:
    """A wiki with pages in a folder; a folder without ``complete.json`` is created again."""

    def __init__(self, state: Path, dump: Dump) -> None:
        """Name the folder by a hash of the dump, the settings and the version."""
        self.empty = EmptyWiki(state, dump.name)
        digest = hashlib.sha256(dump.checksum.encode() + self.empty.digest.encode())
        self.folder = state / f"mediawiki-{digest.hexdigest()[:12]}"
        self.name = dump.name
        self._scripts = Maintenance(self.folder, self.name)
        self._dump = dump.path
        self._complete = self.folder / "complete.json"

    @property
    def version(self) -> str:
        """The version of Debian's package."""
        return self.empty.version

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that the settings read."""
        return self._scripts.environment

    @property
    def syntax(self) -> Syntax:
        """The tags and parser functions that exist only with extensions."""
        facts: dict[str, Any] = json.loads(self._complete.read_text(encoding="utf-8"))
        return Syntax(frozenset(facts["tags"]), frozenset(facts["functions"]))

    def prepare(self) -> None:
        """Create the wiki and import the dump if that was not done before.

        Raises:
            RuntimeError: If a maintenance script failed; its output is in ``setup.log``.
        """
        if self._complete.exists():
            return
        self.empty.copy(self.folder)
        print(f"importing into MediaWiki in {self.folder}", flush=True)
        import_full(self._scripts, self._dump)
        with_extensions, core = self._hooks({}), self._hooks({"PEER_EXTENSIONS": "none"})
        facts = {kind: sorted(names - core[kind]) for kind, names in with_extensions.items()}
        self._complete.write_text(json.dumps(facts) + "\n", encoding="utf-8")

    def copy(self, folder: Path) -> Maintenance:
        """Copy the wiki with its pages to a folder, which is created."""
        copy_wiki(self.folder, folder)
        return Maintenance(folder, self.name)

    def _hooks(self, extra: dict[str, str]) -> dict[str, set[str]]:
        code = (HERE / "hooks.php").read_text(encoding="utf-8").removeprefix("<?php").strip()
        output = self._scripts.evaluate(code.replace("\n", " "), extra)
        names_of = json.loads(output[output.index("{") : output.rindex("}") + 1])
        return {kind: set(map(str.lower, names)) for kind, names in names_of.items()}


def import_full(scripts: Maintenance, dump: Path) -> None:
    """Import a dump as MediaWiki's manual describes it, with all derived data."""
    # This updates links and the search index of each page, and queues jobs for other pages.
    scripts.run("importDump.php", str(dump))
    scripts.run("runJobs.php")
    # importDump.php advises this at its end.
    scripts.run("rebuildrecentchanges.php")
    scripts.run("initSiteStats.php", "--update")


def import_lean(scripts: Maintenance, dump: Path) -> None:
    """Import only pages and their links, without search index, recent changes and statistics."""
    scripts.run("importDump.php", "--no-updates", str(dump))
    scripts.run("refreshLinks.php")
