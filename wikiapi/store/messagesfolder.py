"""The folder beside a store in which the wiki's interface messages are kept."""

from __future__ import annotations

from pathlib import Path

from wikiapi.store.engines.sqlite import MEMORY, PREFIX

_ENDING = ".messages"


def stored_messages_folder(database_url: str) -> Path | None:
    """Return the folder for the messages of the wiki in a store, or None if it can have none.

    It stands beside the file of an SQLite database and has its name: ``wiki.sqlite.messages`` for
    ``wiki.sqlite``. It need not exist. In it are ``XX.json`` or ``XX.json.gz``, by language.
    """
    path = database_url.removeprefix(PREFIX)
    if path in (database_url, "", MEMORY):
        return None
    return Path(path + _ENDING)
