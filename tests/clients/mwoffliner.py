"""``python -m tests.clients.mwoffliner URL FOLDER``: copy a wiki with mwoffliner to a ZIM file.

It needs Node.js, npm and redis-server. mwoffliner is installed into the folder if it is not there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PACKAGE = "mwoffliner@2"
_PROGRAMS = ("node", "npm", "redis-server")
_INSTALLING = 600
_COPYING = 600


class NotAvailable(Exception):
    """Something that mwoffliner needs is not here."""


def install(folder: Path) -> Path:
    """Return the program, installed into the folder if it is not there.

    Raises:
        NotAvailable: a program is missing, or npm cannot install the package.
    """
    for name in _PROGRAMS:
        if shutil.which(name) is None:
            raise NotAvailable(f"{name} is not installed")
    program = folder / "node_modules" / ".bin" / "mwoffliner"
    if not program.exists():
        command = ["npm", "install", "--prefix", str(folder), "--no-fund", "--no-audit", PACKAGE]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_INSTALLING, check=False
        )
        if done.returncode or not program.exists():
            lines = [line for line in done.stderr.splitlines() if "error" in line]
            raise NotAvailable(f"npm does not install {PACKAGE}: {' '.join(lines[:2])}")
    return program


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Run a Redis server at a socket in the folder, and give its address."""
    socket = folder / "redis.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", ""]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder) as server:
        try:
            yield str(socket)
        finally:
            server.terminate()


def copy_to_zim(url: str, folder: Path) -> Path:
    """Copy the wiki at an address (``http://127.0.0.1:8080``), and return the ZIM file.

    Raises:
        NotAvailable: mwoffliner cannot be installed.
        subprocess.CalledProcessError: it failed.
    """
    folder = folder.resolve()
    program = install(folder)
    with redis(folder) as address:
        command = [
            str(program),
            f"--mwUrl={url}/",
            "--adminEmail=test@example.org",
            f"--redis={address}",
            f"--outputDirectory={folder / 'out'}",
            "--customZimDescription=A copy for a test",
            "--format=nopic",
            "--mwWikiPath=wiki/",
            "--mwActionApiPath=w/api.php",
            "--mwModulePath=w/load.php",
        ]
        subprocess.run(command, cwd=folder, timeout=_COPYING, check=True)
    return max((folder / "out").glob("*.zim"), key=lambda path: path.stat().st_mtime)


if __name__ == "__main__":
    print(copy_to_zim(sys.argv[1], Path(sys.argv[2])))
