"""All targets, by name."""

from __future__ import annotations

from tests.fuzz.browsing import READER
from tests.fuzz.dumps import DUMP, TABLE_DUMP
from tests.fuzz.names import TITLES
from tests.fuzz.requests import CONTINUATION, PARAMETERS, POSITIONS
from tests.fuzz.styles import CSS
from tests.fuzz.texts import EXPANSION, GROWTH, PREPROCESSOR, RENDERING, SANITISER, TIDYING

TARGETS = {
    target.name: target
    for target in (
        PREPROCESSOR, GROWTH, SANITISER, EXPANSION, RENDERING, TIDYING, TITLES, PARAMETERS,
        CONTINUATION, POSITIONS, DUMP, TABLE_DUMP, CSS, READER,
    )
}  # fmt: skip
