from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins.editing.files.uploadwiki import UploadWiki

PAGES = {"Home": "[[File:New.png|thumb]]", "File:Described.png": "no file yet"}


@pytest.fixture
def wiki(tmp_path: Path) -> Iterator[UploadWiki]:
    made = UploadWiki(tmp_path / "images", pages=PAGES)
    yield made
    made.site.db.close()
