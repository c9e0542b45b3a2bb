from __future__ import annotations

import pytest
from hypothesis import given, strategies

from wikiapi.filerepo.sha1 import from_hex, to_hex


def test_a_digest_of_the_reference_wiki() -> None:
    assert to_hex("ko8r4gt65ogu81yk09irjuiz2kv24ks") == "b0fb47c3dbf912e602699f338475fb061ecbb2ac"


@given(strategies.binary(min_size=20, max_size=20))
def test_there_and_back(digest: bytes) -> None:
    stored = from_hex(digest.hex())
    assert len(stored) == 31
    assert to_hex(stored) == digest.hex()


@pytest.mark.parametrize("text", ["", "xyz", "b0fb47c3\n", "0" * 39, "g" * 40, "0" * 40 + "\n"])
def test_invalid_digests(text: str) -> None:
    assert from_hex(text) == ""
    assert to_hex(text) == ""
