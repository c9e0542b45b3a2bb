"""The target that takes dumps: XML that was once one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hypothesis import strategies as st

from tests.fuzz.target import Opened, Target
from tests.unit.dump.test_fuzz import LIMITS, PLAIN, Edits, edited
from wikiapi.dump.compression import unpacked
from wikiapi.dump.source import DumpSource
from wikiapi.dump.xml.reader import read_records
from wikiapi.errors import DumpError


@contextmanager
def _dump() -> Iterator[Opened]:
    def check(text: str) -> None:
        """Check that there are records, or an error with its line; pages must not overlap."""
        data = text.encode("latin-1")
        source = DumpSource(io.BytesIO(data), "fuzzed", len(data))
        with suppress(DumpError):
            for record in read_records(unpacked(source, LIMITS), LIMITS):
                repr(record).encode("utf-8", "strict")

    lines = PLAIN.splitlines(keepends=True)
    shuffled = st.lists(st.sampled_from(lines), max_size=60).map(b"".join)
    inputs = st.one_of(
        st.builds(edited, st.just(PLAIN), Edits), st.builds(edited, shuffled, Edits), st.binary()
    )
    yield Opened(inputs.map(lambda data: data.decode("latin-1")), check)


DUMP = Target("dump", _dump, 500)
