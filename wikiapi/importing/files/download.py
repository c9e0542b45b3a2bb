"""Downloads files with limits of size and time, resumes downloads, and checks their SHA-1.

A file is written to ``NAME.partial`` and renamed once its hash has been checked, so a file under
its own name is always complete. Redirects are followed only to allowed hosts.
"""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from wikiapi.errors import DumpError
from wikiapi.fetching import (
    BadStatus,
    Busy,
    HttpClient,
    OnRetry,
    Response,
    Unacceptable,
    WebAddress,
    printable,
    retry_while_busy,
)
from wikiapi.importing.files.importer import has_content
from wikiapi.importing.files.remote import RemoteFile

_GONE = (404, 410)
_NOT_SATISFIABLE = 416
_LEAST_TIMEOUT = 60.0
_SLOWEST = 10_000
"""The slowest accepted rate in bytes per second; a download may take a minute longer than that."""


class FileFailed(Exception):
    """A file cannot be downloaded; the text says why."""


class FileGone(FileFailed):
    """There is no file at the address."""


class ServerSilent(FileFailed):
    """The server of a file did not answer, even after several attempts."""


class Hosts:
    """The hosts that files may be downloaded from."""

    def __init__(self, named: Iterable[str], private: Iterable[str] = ()) -> None:
        """Allow the hosts that match a pattern, and ``private`` ones even at private addresses."""
        self._named = [name.lower() for name in named]
        self._private = frozenset(name.lower() for name in private)

    def check(self, url: str) -> bool:
        """Check a URL, and return whether its host must have a public IP address.

        Raises:
            FileFailed: it is not an HTTP URL, or its host is not allowed.
        """
        try:
            WebAddress.of(url)
        except ValueError:
            raise FileFailed(f"{printable(url)!r} is not a web address") from None
        host = urlsplit(url).hostname or ""
        if host in self._private:
            return False
        if not any(fnmatch.fnmatchcase(host, name) for name in self._named):
            raise FileFailed(f"it is at {printable(host)}, which is not allowed: use --host")
        return True


@dataclass(frozen=True, slots=True)
class Downloader:
    """Downloads files into a folder. Times are in seconds.

    ``before_request`` is called before each request.

    A request that fails is sent up to ``tries`` times, as in
    :class:`~wikiapi.importing.live.client.LiveApi`.
    """

    folder: Path
    hosts: Hosts
    agent: str
    before_request: Callable[[], None] = lambda: None
    wait: Callable[[float], None] = time.sleep
    tries: int = 6
    timeout: float = 60
    on_retry: OnRetry = lambda reason, seconds: None

    def path(self, file: RemoteFile) -> Path:
        """Return the path that a file is downloaded to: its name in a folder named by its SHA-1."""
        return self.folder / file.sha1 / file.name

    def download(self, file: RemoteFile, on_bytes: Callable[[int], None] = lambda _: None) -> Path:
        """Download a file, unless an earlier run has, and return its path.

        ``on_bytes`` is called with the number of bytes downloaded so far.

        Raises:
            FileFailed: the file cannot be downloaded.
            DumpError: the file cannot be written.
        """
        target = self.path(file)
        if has_content(target, file.size, file.sha1):
            return target
        partial = target.with_name(f"{target.name}.partial")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            # The second time from the beginning: the partial file may be of another version.
            for _ in range(2):
                try:
                    retry_while_busy(
                        lambda: self._request(file, partial, on_bytes),
                        self.tries,
                        self.wait,
                        self.on_retry,
                    )
                except Busy as busy:
                    raise ServerSilent(f"{printable(str(busy))}, {self.tries} times") from busy
                if has_content(partial, file.size, file.sha1):
                    partial.replace(target)
                    return target
                partial.unlink(missing_ok=True)
        except OSError as error:
            raise DumpError(f"cannot write {target}: {error.strerror}") from error
        raise FileFailed("its SHA-1 is not the one that the wiki states")

    def forget(self, file: RemoteFile) -> None:
        """Remove the empty folder of a file that has been moved elsewhere."""
        with suppress(OSError):
            self.path(file).parent.rmdir()

    def _request(self, file: RemoteFile, partial: Path, on_bytes: Callable[[int], None]) -> None:
        """Download the missing part of a file, following redirects."""
        if partial.is_file() and partial.stat().st_size > file.size:
            partial.unlink()
        begun = partial.stat().st_size if partial.is_file() else 0
        if begun == file.size and partial.is_file():
            return
        headers = {"Range": f"bytes={begun}-"} if begun else {}
        client = HttpClient(
            self.agent,
            use_proxies=True,
            idle_seconds=self.timeout,
            before_request=self.before_request,
        )
        seconds = _LEAST_TIMEOUT + (file.size - begun) / _SLOWEST
        try:
            with client.open(
                file.url, headers, self.hosts.check, seconds=seconds, max_bytes=file.size
            ) as response:
                _save(response, file.size, partial, begun, on_bytes)
        except BadStatus as error:
            if error.status in _GONE:
                raise FileGone(f"its server {error}") from error
            if error.status == _NOT_SATISFIABLE:
                partial.unlink(missing_ok=True)
                raise Busy("its server does not send the rest") from error
            raise FileFailed(f"its server {error}") from error
        except Unacceptable as error:
            raise FileFailed(f"its server {error}") from error


def _save(
    response: Response, size: int, partial: Path, begun: int, on_bytes: Callable[[int], None]
) -> None:
    is_rest = response.status == 206
    if is_rest and not response.headers.get("Content-Range", "").startswith(f"bytes {begun}-"):
        partial.unlink(missing_ok=True)
        raise Busy("its server sends another part than was requested")
    there = begun if is_rest else 0
    with partial.open("ab" if is_rest else "wb") as file:
        for piece in response.pieces():
            there += len(piece)
            if there > size:
                partial.unlink()
                raise FileFailed(f"it is longer than the {size} bytes that the wiki states")
            file.write(piece)
            file.flush()
            on_bytes(there)
    if there < size:
        raise Busy(f"{there} of {size} bytes were sent")
