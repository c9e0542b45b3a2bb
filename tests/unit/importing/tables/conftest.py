from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from wikiapi.importing.source import DumpSource
from wikiapi.importing.tables.loader import TableReport, load_table
from wikiapi.site import Site

Load = Callable[[bytes], TableReport]


@pytest.fixture
def load(site: Site) -> Load:
    def run(data: bytes) -> TableReport:
        return load_table(site.db, DumpSource(io.BytesIO(data), "test", len(data)))

    return run
