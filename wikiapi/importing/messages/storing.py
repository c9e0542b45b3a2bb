"""Writes messages beside a store, and keeps what an interrupted run has fetched."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from wikiapi.errors import DumpError, StoreError
from wikiapi.filerepo import durable
from wikiapi.importing.messages.remote import Fetched, Position
from wikiapi.importing.messages.texts import Texts
from wikiapi.store.messagesfolder import stored_messages_folder
from wikiapi.texts import counted

_ENDING = ".json"
_PACKED = ".json.gz"
_PARTIAL = "fetching.partial"
_VALID_SECONDS = 86_400
"""Seconds for which an interrupted run can be resumed: afterwards messages may have changed."""


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
