"""Reads messages from a MediaWiki tree, from an extension, or from a folder of ``XX.json``."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import orjson

from wikiapi.errors import DumpError
from wikiapi.importing.messages.texts import Texts

_MAX_BYTES = 1 << 25
"""Bytes of a file, unpacked. The largest of MediaWiki's has less than a megabyte."""
_I18N = "i18n"
_LANGUAGES = "languages"
_LIBRARIES = "includes"
_ADDED = ("extensions", "skins")
_IGNORED = frozenset({"node_modules", "vendor", "tests", ".git"})
_METADATA = "@"
_ENDINGS = (".json", ".json.gz")


class MessageFolder:
    """The files of messages in a folder, by language."""

    def __init__(self, folder: Path) -> None:
        """Find the files in the root of a MediaWiki tree or of an extension, or in the folder.

        Raises:
            DumpError: there are no messages, or the folder cannot be read.
        """
        self.files: dict[str, list[Path]] = {}
        try:
            for place in _places(folder):
                for path in sorted(place.iterdir()):
                    ending = next((end for end in _ENDINGS if path.name.endswith(end)), "")
                    if ending and path.is_file():
                        self.files.setdefault(path.name.removesuffix(ending), []).append(path)
        except OSError as error:
            raise DumpError(f"cannot read {error.filename}: {error.strerror}") from error
        if not self.files:
            raise DumpError(
                f"{folder} contains no messages: neither languages/i18n, as MediaWiki has it, nor"
                " a file XX.json"
            )

    def texts(self, language: str) -> Texts:
        """Return the messages of a language; none if there is no file for it.

        Raises:
            DumpError: a file cannot be read, or is not a file of messages.
        """
        texts = Texts()
        for path in self.files.get(language, ()):
            try:
                for name, text in _read(path):
                    texts.add(name, text)
            except DumpError as error:
                raise DumpError(f"{path}: {error}") from error
        return texts


def _places(folder: Path) -> Iterator[Path]:
    """Yield the folders with files of messages. MediaWiki's own come first, then its additions."""
    if not (folder / _LANGUAGES / _I18N).is_dir():
        yield from _below(folder / _I18N) if (folder / _I18N).is_dir() else (folder,)
        return
    yield from _below(folder / _LANGUAGES / _I18N)
    yield from _named_i18n(folder / _LIBRARIES)
    for added in _ADDED:
        # A distribution has links to folders here, which are followed; those below are not.
        parents = sorted((folder / added).iterdir()) if (folder / added).is_dir() else ()
        yield from chain.from_iterable(map(_named_i18n, parents))


def _below(folder: Path) -> Iterator[Path]:
    """Yield a folder, and all folders in it."""
    for name, inner, _ in os.walk(folder):
        inner.sort()
        yield Path(name)


def _named_i18n(folder: Path) -> Iterator[Path]:
    """Yield the folders ``i18n`` in a folder, and all folders in them."""
    for name, inner, _ in os.walk(folder):
        inner[:] = sorted(set(inner) - _IGNORED)
        if _I18N in inner:
            inner.remove(_I18N)
            yield from _below(Path(name, _I18N))


def _read(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of a file."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DumpError(f"cannot be read: {error}") from error
    if len(data) > _MAX_BYTES:
        raise DumpError(f"more than {_MAX_BYTES >> 20} MiB")
    try:
        content = orjson.loads(data)
    except ValueError as error:
        raise DumpError(f"not JSON: {error}") from error
    if not isinstance(content, dict):
        raise DumpError("not a file of messages, which has texts by name")
    for name, text in content.items():
        if name.startswith(_METADATA):
            continue
        if not isinstance(text, str):
            raise DumpError(f"the message {name[:80]!r} is not a text")
        yield name, text
