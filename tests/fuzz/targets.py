"""All targets, by name."""

from __future__ import annotations

from tests.fuzz.browsing import READER
from tests.fuzz.dumps import DUMP
from tests.fuzz.names import TITLES
from tests.fuzz.requests import CONTINUATION, PARAMETERS
from tests.fuzz.texts import EXPANSION, PREPROCESSOR, RENDERING, TIDYING

TARGETS = {
    target.name: target
    for target in (
        PREPROCESSOR, EXPANSION, RENDERING, TIDYING, TITLES, PARAMETERS, CONTINUATION, DUMP, READER,
    )
}  # fmt: skip
