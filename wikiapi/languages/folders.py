"""Texts of the interface in folders, as MediaWiki and its extensions have them.

A folder has a file ``XX.json`` or ``XX.json.gz`` for each language XX, an object with texts by
name. A language is read when it is first needed, from all folders at once. Processes that are
forked later share what has been read until then, since a :class:`Texts` is two byte strings to
which nothing is ever written, not even counts of references.
"""

from __future__ import annotations

import glob
import gzip
import json
import logging
import re
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

logger = logging.getLogger(__name__)

_ENDINGS = (".json", ".json.gz")
_DOCUMENTATION = frozenset({"qqq", "qqx"})
_MAX_LANGUAGES = 32
"""The number of languages kept in memory, somewhat less than a megabyte each."""
_SPACES = {"&#32;": " ", "&nbsp;": "\u00a0", "&#160;": "\u00a0", "&shy;": "\u00ad"}
_SPACE = re.compile("|".join(map(re.escape, _SPACES)))


def with_spaces(text: str) -> str:
    """Return a text with character references for spaces replaced by the characters.

    Texts have them where a space would be lost in a page of a wiki, at the beginning or end.
    """
    return _SPACE.sub(lambda match: _SPACES[match[0]], text) if "&" in text else text


class Texts:
    """Texts by name, in a third of the memory of a dictionary."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Copy the texts."""
        names = sorted((name.encode("utf-8", "replace"), name) for name in texts)
        self._names, self._name_ends = _joined(name for name, _ in names)
        encoded = (texts[name].encode("utf-8", "replace") for _, name in names)
        self._texts, self._text_ends = _joined(encoded)

    def get(self, name: str) -> str | None:
        """Return the text of a name, or None."""
        sought = name.encode("utf-8", "replace")
        names = range(len(self._name_ends) - 1)
        index = bisect_left(names, sought, key=self._name)
        if index == len(names) or self._name(index) != sought:
            return None
        start, end = self._text_ends[index : index + 2]
        return self._texts[start:end].decode("utf-8", "replace")

    def __iter__(self) -> Iterator[str]:
        """Yield the names in order."""
        for index in range(len(self._name_ends) - 1):
            yield self._name(index).decode("utf-8", "replace")

    def _name(self, index: int) -> bytes:
        return self._names[self._name_ends[index] : self._name_ends[index + 1]]


def _joined(pieces: Iterable[bytes]) -> tuple[bytes, Sequence[int]]:
    """Return pieces as one byte string, and where each begins, then where the last one ends."""
    whole, ends = bytearray(), array("I", [0])
    for piece in pieces:
        whole += piece
        ends.append(len(whole))
    return bytes(whole), ends


class _File(NamedTuple):
    """A file as it was when it was looked at."""

    path: str
    changed: int
    size: int


class FolderTexts:
    """The texts in several folders; those of earlier folders take precedence."""

    def __init__(self, patterns: Iterable[str | Path] = ()) -> None:
        """Use the folders of these names, in which ``*`` is a wildcard."""
        self._patterns = tuple(map(str, patterns))
        self._files: dict[str, tuple[_File, ...]] = {}

    @cached_property
    def folders(self) -> Sequence[Path]:
        """The folders that exist, in the order in which they are searched."""
        names: list[str] = []
        for pattern in self._patterns:
            # A pattern may be absolute, which those of Path may not.
            names += sorted(glob.glob(pattern)) if "*" in pattern else [pattern]  # noqa: PTH207
        return tuple(path for path in map(Path, dict.fromkeys(names)) if path.is_dir())

    @cached_property
    def languages(self) -> frozenset[str]:
        """The codes of the languages that have texts in one of the folders."""
        codes = (
            name.removesuffix(ending)
            for folder in self.folders
            for name in _names_in(folder)
            for ending in _ENDINGS
            if name.endswith(ending)
        )
        return frozenset(codes) - _DOCUMENTATION

    def get(self, name: str, language: str) -> str | None:
        """Return the text of a name in a language, or None if there is none."""
        texts = self._of(language)
        if texts is None:
            return None
        text = texts.get(name)
        # Exported texts may have their names in small letters.
        return texts.get(name.lower()) if text is None and not name.islower() else text

    def names(self, language: str) -> Iterable[str]:
        """Return the names of the texts in a language."""
        return self._of(language) or ()

    def load(self, languages: Iterable[str]) -> None:
        """Read the texts of languages now, before they are needed."""
        for language in languages:
            self._of(language)

    def _of(self, language: str) -> Texts | None:
        if not self._patterns or language not in self.languages:
            return None
        if language not in self._files:
            self._files[language] = tuple(self._find(language))
        return _texts(self._files[language])

    def _find(self, language: str) -> Iterator[_File]:
        for folder in self.folders:
            for ending in _ENDINGS:
                path = folder / f"{language}{ending}"
                if path.is_file():
                    state = path.stat()
                    yield _File(str(path), state.st_mtime_ns, state.st_size)
                    break


def _names_in(folder: Path) -> Sequence[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError as error:
        logger.warning("the texts in %s cannot be read: %s", folder, error)
        return ()


# Of the module and not of an object, because a server opens the site once before it starts its
# processes, and each of them opens it again.
@lru_cache(maxsize=_MAX_LANGUAGES)
def _texts(files: tuple[_File, ...]) -> Texts:
    """Return the texts in files of one language, of which the first ones take precedence."""
    texts: dict[str, str] = {}
    for file in reversed(files):
        texts.update(_read(Path(file.path)))
    return Texts(texts)


def _read(path: Path) -> Mapping[str, str]:
    """Return the texts in a file; none, with a warning in the log, if it cannot be read."""
    try:
        data = path.read_bytes()
        content: Any = json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        logger.warning("the texts in %s cannot be read: %s", path, error)
        return {}
    if not isinstance(content, dict):
        logger.warning("%s has no texts: it is not an object", path)
        return {}
    return {
        name[:1].lower() + name[1:]: with_spaces(text)
        for name, text in content.items()
        if isinstance(text, str)
    }
