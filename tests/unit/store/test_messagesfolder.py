"""The folder of a store's messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikiapi.store.messagesfolder import stored_messages_folder


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("sqlite:///wiki.sqlite", Path("wiki.sqlite.messages")),
        ("sqlite:////srv/wiki.db", Path("/srv/wiki.db.messages")),
        ("sqlite:///:memory:", None),
        ("sqlite:///", None),
        ("postgresql://host/wiki", None),
    ],
)
def test_it_stands_beside_the_file_of_the_database(url: str, folder: Path | None) -> None:
    assert stored_messages_folder(url) == folder
