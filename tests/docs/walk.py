"""Somebody who does what a page says: writes its files and types its commands, in their order.

Blocks of ``sh`` are typed, unless the page gives a reason why not; the output below a command has
to come, where ``…`` stands for any text. Blocks with a file name are written, several with one name
after each other into one file. Everything else is left to :mod:`tests.docs.test_fences`. Ports of
the page become free ones.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.request import urlopen

from tests.docs.fences import Fence, sessions
from tests.meta.readme import Example
from tests.meta.shell import ANY, output_matches

_ADDRESS = re.compile(r"127\.0\.0\.1:(8\d{3})")
_SERVERS = ("wikiapi serve", "gunicorn ")
_PLUGINS = "installed"
"""The folder that takes the place of the environment which ``pip install .`` installs into."""


class Walk:
    """One walk through a page. Servers that it starts end with the block."""

    def __init__(self, folder: Path) -> None:
        """Begin in an empty folder."""
        self.folder = folder
        self._home = folder
        self._ports: dict[str, int] = {}
        self._servers: list[subprocess.Popen[str]] = []
        self._written: set[Path] = set()
        self.commands = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.terminate()
            server.communicate()

    def follow(self, blocks: Iterable[Fence]) -> None:
        """Do everything that the blocks say."""
        for block in blocks:
            if block.file:
                self.write(block.file, block.text)
            elif not block.not_run:
                for session in sessions([block]):
                    self.type(session.line, session.output)

    def write(self, name: str, text: str) -> None:
        """Write a file, or go on with one that an earlier block has begun."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a" if file in self._written else "w", encoding="utf-8") as stream:
            stream.write(self._moved(text))
        self._written.add(file)

    def type(self, line: str, expected: str) -> None:
        """Run a command and look at what it prints."""
        self.commands += 1
        line, expected = self._moved(line), self._moved(expected)
        if line.startswith("cd "):
            self.folder = (self.folder / line.removeprefix("cd ")).resolve(strict=True)
        elif line.startswith(_SERVERS):
            self._serve(line, expected)
        elif line.startswith("curl "):
            _ask(line, expected)
        else:
            self._run(line, expected)

    def visit(self, address: str) -> None:
        """Open an address of a server that runs, as a browser would."""
        with urlopen(self._moved(address)) as reply:
            assert reply.headers.get_content_type() == "text/html"

    def _run(self, line: str, expected: str) -> None:
        done = subprocess.run(
            ["bash", "-c", self._installing_here(line)],
            cwd=self.folder, env=self._environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        transcript = f"$ {line}\n{done.stdout}"
        assert done.returncode == 0 or "rror" in expected, transcript
        assert not expected or output_matches(expected, done.stdout), transcript

    def _installing_here(self, line: str) -> str:
        """``pip install FOLDER`` without a network, and without touching this environment."""
        words = shlex.split(line)
        if words[:2] != ["pip", "install"]:
            return line
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
        target = ["--target", str(self._home / _PLUGINS)]
        return shlex.join([sys.executable, "-m", "pip", "install", *options, *target, words[2]])

    def _serve(self, line: str, expected: str) -> None:
        if "--listen" not in line and line.startswith("wikiapi"):
            line += f" --listen {self._moved('127.0.0.1:8080')}"
        server = subprocess.Popen(
            shlex.split(line), cwd=self.folder, env=self._environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self._servers.append(server)
        assert server.stdout
        if expected:
            assert output_matches(
                expected, "".join(server.stdout.readline() for _ in expected.splitlines())
            )
        self._await(server, line)

    def _await(self, server: subprocess.Popen[str], line: str) -> None:
        """Wait until the server accepts connections, while its process is alive."""
        port = max((port for port in self._ports.values() if str(port) in line), default=0)
        for _ in range(600):
            with suppress(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                return
            with suppress(subprocess.TimeoutExpired):
                server.wait(timeout=0.1)
                raise AssertionError(f"$ {line}\n{server.communicate()[0]}")
        raise AssertionError(f"$ {line}\nis not to be reached")

    def _environment(self) -> dict[str, str]:
        programs = Path(sys.executable).parent
        return os.environ | {
            "HOME": str(self._home),
            "NO_COLOR": "1",
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:schemathesis",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": os.pathsep.join([str(self._home / _PLUGINS), *_inherited()]),
        }

    def _moved(self, text: str) -> str:
        return _ADDRESS.sub(lambda match: f"127.0.0.1:{self._port(match[1])}", text)

    def _port(self, named: str) -> int:
        if named not in self._ports:
            with socket.create_server(("127.0.0.1", 0)) as probe:
                self._ports[named] = int(probe.getsockname()[1])
        return self._ports[named]


def _inherited() -> list[str]:
    return [path for path in [os.environ.get("PYTHONPATH", "")] if path]


def _ask(line: str, expected: str) -> None:
    """Print the output of curl without curl."""
    example = Example(line, expected)
    base = re.match(r"http://[^/]+", example.url)
    assert base, line
    with urlopen(base[0] + example.target()) as reply:
        answer = str(reply.read(), "utf-8")
    if expected.startswith("{"):
        expected, answer = _canonical(expected), _canonical(answer)
    assert not expected or output_matches(expected, answer), f"$ {line}\n{answer}"


def _canonical(text: str) -> str:
    """Return JSON in canonical form, in which ANY may also replace a number."""
    value = json.loads(re.sub(rf"(?<=[:\[,] ){ANY}", f'"{ANY}"', text))
    value.pop("debuginfo", None)
    return json.dumps(value, sort_keys=True, ensure_ascii=False).replace(f'"{ANY}"', ANY)
