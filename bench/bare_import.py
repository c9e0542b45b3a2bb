"""A minimal import, which reads the XML with expat and inserts the texts with sqlite3."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from xml.parsers import expat

BATCH = 1000


class BareLoop:
    """Imports the content of every ``<text>`` element, in batches."""

    def __init__(self, database: str) -> None:
        """Create the database."""
        self._connection = sqlite3.connect(database)
        self._connection.execute("CREATE TABLE text (old_id INTEGER PRIMARY KEY, old_text TEXT)")
        self._batch: list[tuple[str]] = []
        self._text: list[str] | None = None

    def run(self, dump: Path) -> None:
        """Read the dump to its end."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        with dump.open("rb") as file:
            parser.ParseFile(file)
        self._flush()
        self._connection.commit()

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        if name == "text":
            self._text = []

    def _data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _end(self, name: str) -> None:
        if name == "text" and self._text is not None:
            self._batch.append(("".join(self._text),))
            self._text = None
            if len(self._batch) >= BATCH:
                self._flush()

    def _flush(self) -> None:
        self._connection.executemany("INSERT INTO text (old_text) VALUES (?)", self._batch)
        self._batch.clear()


if __name__ == "__main__":
    BareLoop(sys.argv[2]).run(Path(sys.argv[1]))
