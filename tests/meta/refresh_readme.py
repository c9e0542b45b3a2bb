"""``python -m tests.meta.refresh_readme``: write the answers of the README's examples again.

For use after a change of the demo wiki or of what the API answers; read the difference afterwards.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from examples.demo_store import configure
from tests.docs.fences import command_lines, fences_of
from tests.meta.readme import ANY, Example
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.testing.server import live_server

README = Path(__file__).parents[2] / "README.md"
WIDTH = 100
VOLATILE = frozenset({"touched", "timestamp", "csrftoken", "info", "docref"})
_CONTINUE = re.compile(r"gatcontinue=[0-9|]+")


class Refresher:
    """Puts the answers of one server into a text."""

    def __init__(self, server: str) -> None:
        """Take the server's address."""
        self._server = server
        self._continue = ""

    def text(self, text: str) -> str:
        """Return the text with new answers; those that are not JSON are left as they are."""
        for fence in fences_of(text, README.name):
            if fence.text.startswith("curl ") and fence.output and fence.output.language == "json":
                text = text.replace(_block(fence.text, fence.output.text), self._block(fence.text))
        return text

    def _block(self, command: str) -> str:
        command = _CONTINUE.sub(f"gatcontinue={self._continue}", command)
        (line,) = command_lines(command)
        with urlopen(self._server + Example(line, "").target()) as reply:
            answer = json.loads(reply.read())
        answer.pop("debuginfo", None)
        self._continue = answer.get("continue", {}).get("gatcontinue", "")
        return _block(command, f"{laid_out(masked(answer))}\n")


def _block(command: str, answer: str) -> str:
    return f"```sh\n{command}```\n\n```json\n{answer}```\n"


def masked(value: Any, name: str = "") -> Any:
    """Return the value without everything that differs between servers."""
    if isinstance(value, dict):
        return {key: masked(entry, key) for key, entry in value.items()}
    if isinstance(value, list):
        return [masked(entry) for entry in value]
    return ANY if name in VOLATILE else value


def laid_out(value: Any, indent: int = 0) -> str:
    """Return JSON in which everything that fits into a line is on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= WIDTH or not isinstance(value, dict | list):
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        entries = [f"{json.dumps(k)}: {laid_out(v, indent + 2)}" for k, v in value.items()]
        return "{\n" + ",\n".join(inner + entry for entry in entries) + "\n" + " " * indent + "}"
    entries = [laid_out(entry, indent + 2) for entry in value]
    return "[\n" + ",\n".join(inner + entry for entry in entries) + "\n" + " " * indent + "]"


def main() -> None:
    """Rewrite the README."""
    with tempfile.TemporaryDirectory() as state:
        site = open_site(configure(Path(state), "http://127.0.0.1:8080"))
        with live_server(make_app(site)) as server:
            text = Refresher(server).text(README.read_text(encoding="utf-8"))
        site.db.close()
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
