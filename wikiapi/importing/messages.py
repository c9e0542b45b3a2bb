"""The messages of the interface: read from a live wiki or a MediaWiki tree, and stored by language.

Neither source is trusted, so names and sizes are limited.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import orjson

from wikiapi.errors import DumpError, StoreError
from wikiapi.filerepo import durable
from wikiapi.importing.live.client import LiveApi
from wikiapi.importing.live.jsonobject import JsonObject, unusable
from wikiapi.languages.codes import is_existing_language
from wikiapi.store.messagesfolder import stored_messages_folder
from wikiapi.texts import counted

MAX_MESSAGES = 200_000
"""The number of messages of a language. MediaWiki with all its extensions has some 40 000."""
MAX_CHARACTERS = 1 << 26
"""Characters of all messages of a language together."""
_NAME = re.compile(r"[^\x00-\x20\x7f]{1,255}")
_ENDING, _PACKED = _ENDINGS = (".json", ".json.gz")
_PARTIAL = "fetching.partial"
_VALID_SECONDS = 86_400
"""Seconds for which an interrupted run can be resumed: afterwards messages may have changed."""


class Texts:
    """The messages of a language; adding one of the same name replaces it."""

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        """Begin with some messages.

        Raises:
            DumpError: see :meth:`add`.
        """
        self._by_name: dict[str, str] = {}
        self._characters = 0
        for name, text in texts:
            self.add(name, text)

    def __len__(self) -> int:
        """Return the number of messages."""
        return len(self._by_name)

    def items(self) -> Iterator[tuple[str, str]]:
        """Yield names and texts, sorted by name."""
        return ((name, self._by_name[name]) for name in sorted(self._by_name))

    def add(self, name: str, text: str) -> None:
        """Add a message, whose name can begin with a capital, as that of a page.

        Raises:
            DumpError: the name is not that of a message, or the messages are too many or too long.
        """
        key = name[:1].lower() + name[1:].replace(" ", "_")
        if not _NAME.fullmatch(key):
            raise DumpError(f"{name[:80]!r} is not the name of a message")
        self._characters += len(text) - len(self._by_name.get(key, ""))
        self._by_name[key] = text
        if len(self._by_name) > MAX_MESSAGES:
            raise DumpError(f"there are more than {MAX_MESSAGES} messages")
        if self._characters > MAX_CHARACTERS:
            raise DumpError(f"the messages have more than {MAX_CHARACTERS >> 20} Mi characters")


# A MediaWiki tree, an extension, or a folder of XX.json

_MAX_BYTES = 1 << 25
"""Bytes of a file, unpacked. The largest of MediaWiki's has less than a megabyte."""
_I18N = "i18n"
_LANGUAGES = "languages"
_LIBRARIES = "includes"
_ADDED = ("extensions", "skins")
_IGNORED = frozenset({"node_modules", "vendor", "tests", ".git"})
_METADATA = "@"


class MessageFolder:
    """The files of messages in a folder, by language."""

    def __init__(self, folder: Path) -> None:
        """Find the files in the root of a MediaWiki tree or of an extension, or in the folder.

        Raises:
            DumpError: there are no messages, or the folder cannot be read.
        """
        self.files: dict[str, list[Path]] = {}
        try:
            for place in _message_folders(folder):
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
                for name, text in _messages_in(path):
                    texts.add(name, text)
            except DumpError as error:
                raise DumpError(f"{path}: {error}") from error
        return texts


def _message_folders(folder: Path) -> Iterator[Path]:
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


def _messages_in(path: Path) -> Iterator[tuple[str, str]]:
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


# A live wiki

_MAX_PARTS = 200
"""Parts of the answer for one language; MediaWiki sends all messages in one or two."""
_CUSTOMISED = "modified"
_SHARES = ("all", _CUSTOMISED)
"""First all messages are asked for, with the texts that the wiki has for them, then those among
them that the wiki's administrators have changed, which alone are marked so."""


class Position(NamedTuple):
    """How far the messages of a language have been read: the share, and its continuation."""

    share: str = _SHARES[0]
    more: Mapping[str, str] = MappingProxyType({})


@dataclass(slots=True)
class Fetched:
    """The messages of a language that a wiki has sent so far, and how many of them it changed."""

    texts: Texts = field(default_factory=Texts)
    customised: int = 0


class RemoteMessages:
    """The messages of a wiki that is asked by its API. Every method may raise DumpError."""

    def __init__(self, api: LiveApi) -> None:
        """Ask this API."""
        self._api = api

    def content_language(self) -> str:
        """Return the content language of the wiki, or "" if it does not name a valid one."""
        answer = self._api.ask({"action": "query", "meta": "siteinfo"})
        general = JsonObject(answer, "the answer").object("query").object("general")
        code = general.text("lang", "")
        return code if is_existing_language(code) else ""

    def fetch(self, language: str, fetched: Fetched, position: Position) -> Iterator[Position]:
        """Add the messages of a language to those fetched, beginning at a position.

        Yields:
            the position after each part of the answers but the last one.
        """
        for number, share in enumerate(_SHARES):
            if _SHARES.index(position.share) > number:
                continue
            params = {
                "meta": "allmessages",
                "ammessages": "*",
                "amlang": language,
                "amcustomised": share,
            }
            more = position.more if share == position.share else {}
            parts = self._api.parts(params, more)
            for count, (part, following) in enumerate(parts, 1):
                before = len(fetched.texts), fetched.customised
                added = _add_part(part, fetched)
                if share == _CUSTOMISED:
                    fetched.customised += added
                after = len(fetched.texts), fetched.customised
                if following and (count >= _MAX_PARTS or before == after):
                    raise unusable("its messages continue without end")
                if following:
                    yield Position(share, following)
            if number + 1 < len(_SHARES):
                yield Position(_SHARES[number + 1])


def _add_part(part: Mapping[str, object], fetched: Fetched) -> int:
    """Add the messages of one part of an answer; return how many are marked as customised."""
    customised = 0
    for entry in JsonObject(part, "the answer").objects("allmessages", MAX_MESSAGES):
        if "missing" in entry.values:
            continue
        # Before MediaWiki 1.25 the text has the name that it still has in formatversion 1.
        text = entry.text("content" if "content" in entry.values else "*")
        try:
            fetched.texts.add(entry.text("name"), text)
        except DumpError as error:
            raise unusable(str(error)) from error
        # A flag that is set was an empty text then.
        customised += entry.values.get("customised", False) is not False
    return customised


# The folder beside a store


class MessageStore:
    """The folder beside a store with a file ``XX.json`` for each language."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which is created when the first file is written."""
        self.folder = folder

    def write(self, language: str, texts: Texts) -> None:
        """Write the messages of a language, which replace those that are there.

        Raises:
            StoreError: the file cannot be written.
        """
        data = orjson.dumps(dict(texts.items()), option=orjson.OPT_INDENT_2)
        self._replace(self.folder / f"{language}{_ENDING}", data)
        with suppress(FileNotFoundError):
            (self.folder / f"{language}{_PACKED}").unlink()

    def unfinished(self, source: str) -> Unfinished:
        """Return the state of a run that fetches messages from an address.

        It is that of a run that was interrupted within the last day, or of one that begins.
        """
        path = self.folder / _PARTIAL
        try:
            if time.time() - path.stat().st_mtime <= _VALID_SECONDS:
                return Unfinished.of(orjson.loads(path.read_bytes()), source)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, DumpError):
            pass  # There is no such run, or its file was damaged: everything is fetched again.
        return Unfinished(source)

    def save(self, run: Unfinished) -> None:
        """Write the state of a run, to resume it.

        Raises:
            StoreError: the file cannot be written.
        """
        self._replace(self.folder / _PARTIAL, orjson.dumps(run.as_json()))

    def finish(self) -> None:
        """Remove the state of a run that has fetched everything."""
        with suppress(FileNotFoundError):
            (self.folder / _PARTIAL).unlink()

    def _replace(self, path: Path, data: bytes) -> None:
        partial = path.with_name(f"{path.name}.new")
        try:
            self.folder.mkdir(exist_ok=True)
            partial.write_bytes(data)
            durable.replace(partial, path)
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror}") from error


class Unfinished:
    """The state of a run: the languages that are complete, and what is there of the next one.

    ``done`` has the numbers of messages and of customised ones by language.
    """

    def __init__(self, source: str) -> None:
        """Begin a run that fetches messages from an address."""
        self.source = source
        self.done: dict[str, tuple[int, int]] = {}
        self.language = ""
        self.fetched = Fetched()
        self.position = Position()

    @classmethod
    def of(cls, state: Mapping[str, Any], source: str) -> Unfinished:
        """Return a run from its saved state, or one that begins if its address is another one."""
        run = cls(source)
        if state["source"] == source:
            run.done = {code: (int(all_), int(own)) for code, (all_, own) in state["done"].items()}
            run.language = state["language"]
            run.fetched = Fetched(Texts(state["texts"].items()), int(state["customised"]))
            run.position = Position(state["share"], dict(state["more"]))
        return run

    def as_json(self) -> dict[str, Any]:
        """Return the state as values of JSON."""
        return {
            "source": self.source,
            "done": self.done,
            "language": self.language,
            "texts": dict(self.fetched.texts.items()),
            "customised": self.fetched.customised,
            "share": self.position.share,
            "more": dict(self.position.more),
        }

    def begin(self, language: str) -> None:
        """Begin a language, or go on with it if it is the one that was interrupted."""
        if self.language != language:
            self.language, self.fetched, self.position = language, Fetched(), Position()

    def complete(self) -> None:
        """Count the language as complete."""
        self.done[self.language] = len(self.fetched.texts), self.fetched.customised
        self.language, self.fetched, self.position = "", Fetched(), Position()


def copy_messages(source_url: str, target_url: str) -> str:
    """Copy the messages beside a database to those beside another; return a sentence about it.

    It is empty if there are none.

    Raises:
        StoreError: a file cannot be written.
    """
    source, target = map(stored_messages_folder, (source_url, target_url))
    if source is None or not source.is_dir():
        return ""
    if target is None:
        return f'The messages are still in {source}: write folders = ["{source}"] in [messages].'
    files = [path for path in sorted(source.iterdir()) if path.name.endswith((_ENDING, _PACKED))]
    try:
        target.mkdir(exist_ok=True)
        for path in files:
            shutil.copyfile(path, target / path.name)
    except OSError as error:
        raise StoreError(f"cannot copy the messages to {target}: {error.strerror}") from error
    return f"Copied {counted(len(files), 'file')} of messages to {target}."
