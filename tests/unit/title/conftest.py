from __future__ import annotations

import pytest

from wikiapi.title.codec import TitleCodec
from wikiapi.title.interwiki import Interwiki, InterwikiMap
from wikiapi.title.namespaces import Namespace, NamespaceTable, core_namespaces


@pytest.fixture(scope="session")
def namespaces() -> NamespaceTable:
    return NamespaceTable(
        [
            *core_namespaces("My Wiki"),
            Namespace(100, "Word", "Word", ("W",), first_letter=False),
            Namespace(828, "Module", "Module"),
            Namespace(829, "Module talk", "Module talk"),
        ]
    )


@pytest.fixture(scope="session")
def codec(namespaces: NamespaceTable) -> TitleCodec:
    interwiki = InterwikiMap(
        [
            Interwiki("de", "https://de.example/wiki/$1"),
            Interwiki("here", "https://here.example/$1", local=True),
        ]
    )
    return TitleCodec(namespaces, interwiki)
