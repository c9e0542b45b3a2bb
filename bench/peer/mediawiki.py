"""Debian's MediaWiki with the dump in an SQLite database of its own: made once, then reused."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.peer.cpu import children_cpu

if TYPE_CHECKING:
    from bench.peer.dump import Dump

HERE = Path(__file__).parent
INSTALLED = Path("/usr/share/mediawiki")
SETTINGS = HERE / "settings.php"
CORE_MODELS = frozenset({"wikitext", "css", "javascript", "json", "text"})


@dataclass(frozen=True)
class Syntax:
    """Names that only extensions give a meaning to, in lower case."""

    tags: frozenset[str]
    functions: frozenset[str]


class MediaWiki:
    """One installed wiki in a folder; a folder without ``complete.json`` is begun anew."""

    def __init__(self, state: Path, dump: Dump) -> None:
        """Name the folder by what goes into the wiki: the dump, the settings and the version."""
        digest = hashlib.sha256(dump.checksum.encode())
        digest.update(SETTINGS.read_bytes())
        digest.update(self.version.encode())
        self.folder = state / f"mediawiki-{digest.hexdigest()[:12]}"
        self.name = dump.name
        self._dump = dump.path
        self._complete = self.folder / "complete.json"

    @property
    def version(self) -> str:
        """Version of Debian's package."""
        command = ["dpkg-query", "-W", "-f", "${Version}", "mediawiki"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    @property
    def environment(self) -> dict[str, str]:
        """What the settings read."""
        return {
            "MW_CONFIG_FILE": str(SETTINGS),
            "PEER_STATE": str(self.folder),
            "PEER_NAME": self.name,
        }

    @property
    def import_seconds(self) -> float:
        """CPU seconds that importing the dump and deriving its links took."""
        return float(self._facts()["import_cpu_seconds"])

    @property
    def syntax(self) -> Syntax:
        """The tags and parser functions that are there only with extensions."""
        facts = self._facts()
        return Syntax(frozenset(facts["tags"]), frozenset(facts["functions"]))

    def prepare(self) -> None:
        """Install the wiki and import the dump, unless that was done.

        Raises:
            RuntimeError: a maintenance script failed; its output stands in ``setup.log``.
        """
        if self._complete.exists():
            return
        print(f"setting up MediaWiki {self.version} in {self.folder}", flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("installed", "data", "cache", "images"):
            (self.folder / name).mkdir(parents=True)
        self._install()
        facts: dict[str, object] = {"import_cpu_seconds": self._import()}
        with_extensions, core = self._hooks({}), self._hooks({"PEER_EXTENSIONS": "none"})
        for kind, names in with_extensions.items():
            facts[kind] = sorted(names - core[kind])
        self._complete.write_text(json.dumps(facts) + "\n", encoding="utf-8")

    def _facts(self) -> dict[str, Any]:
        return dict(json.loads(self._complete.read_text(encoding="utf-8")))

    def _install(self) -> None:
        options = {
            "confpath": self.folder / "installed",
            "dbtype": "sqlite",
            "dbpath": self.folder / "data",
            "dbname": "peer",
            "server": "http://127.0.0.1",
            "scriptpath": "/w",
            "pass": secrets.token_hex(16),
            "skins": "Vector",
        }
        arguments = [f"--{name}={value}" for name, value in options.items()]
        # The installer must not find settings that wait for its own.
        self._run("install.php", *arguments, self.name, "Admin", configured=False)
        # The page it makes would hide the dump's, being newer.
        self._run("nukePage.php", "--delete", "Main Page")

    def _import(self) -> float:
        start = children_cpu()
        self._run("importDump.php", "--no-updates", str(self._dump))
        self._run("refreshLinks.php")
        seconds = children_cpu() - start
        self._run("rebuildrecentchanges.php")
        self._run("initSiteStats.php", "--update")
        self._run("runJobs.php")
        return seconds

    def _hooks(self, extra: dict[str, str]) -> dict[str, set[str]]:
        command = ["php", str(INSTALLED / "maintenance" / "eval.php")]
        text = (HERE / "hooks.php").read_text(encoding="utf-8").removeprefix("<?php").strip()
        output = subprocess.run(
            command,
            input=text.replace("\n", " "),
            env={**os.environ, **self.environment, **extra},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        found = json.loads(output[output.index("{") : output.rindex("}") + 1])
        return {kind: set(map(str.lower, names)) for kind, names in found.items()}

    def _run(self, script: str, *arguments: str, configured: bool = True) -> None:
        command = ["php", str(INSTALLED / "maintenance" / script), *arguments]
        environment = {**os.environ, **(self.environment if configured else {})}
        log = self.folder / "setup.log"
        with log.open("a") as sink:
            done = subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink
            )
        if done.returncode:
            raise RuntimeError(f"{script} failed, see {log}")
