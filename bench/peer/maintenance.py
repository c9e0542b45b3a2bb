"""MediaWiki's maintenance scripts, run for one wiki."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

INSTALLED = Path("/usr/share/mediawiki")
SETTINGS = Path(__file__).parent / "settings.php"
# The settings use APCu, which is off by default on the command line.
_PHP = ("php", "-d", "apc.enable_cli=1")


@dataclass(frozen=True)
class Maintenance:
    """The scripts for the wiki in a folder; their output goes to ``setup.log`` in it."""

    folder: Path
    name: str

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that the settings read."""
        return {
            "MW_CONFIG_FILE": str(SETTINGS),
            "PEER_STATE": str(self.folder),
            "PEER_NAME": self.name,
        }

    def run(self, script: str, *arguments: str, configured: bool = True) -> None:
        """Run a script and wait for its end.

        Raises:
            RuntimeError: If it failed.
        """
        command = [*_PHP, str(INSTALLED / "maintenance" / script), *arguments]
        environment = {**os.environ, **(self.environment if configured else {})}
        log = self.folder / "setup.log"
        with log.open("a") as sink:
            done = subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink
            )
        if done.returncode:
            raise RuntimeError(f"{script} failed, see {log}")

    def evaluate(self, code: str, extra: dict[str, str]) -> str:
        """Return the output of a line of PHP."""
        command = [*_PHP, str(INSTALLED / "maintenance" / "eval.php")]
        return subprocess.run(
            command,
            input=code,
            env={**os.environ, **self.environment, **extra},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
