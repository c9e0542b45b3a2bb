"""Sites with empty stores, and a way to import dumps that are declared in a test."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.importing.importer import DumpImporter, ImportReport
from wikiapi.importing.source import DumpSource
from wikiapi.site import Site

ImportBytes = Callable[..., ImportReport]


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    return make_site()


@pytest.fixture
def import_bytes(site: Site) -> ImportBytes:
    def run(data: bytes, **options: Any) -> ImportReport:
        importer = DumpImporter(options.pop("into", site), **options)
        return importer.import_dump(DumpSource(io.BytesIO(data), "test", len(data)))

    return run
