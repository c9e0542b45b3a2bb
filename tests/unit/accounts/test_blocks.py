from __future__ import annotations

import pytest

from wikiapi.accounts.blocks import address_of_hex, read_range


@pytest.mark.parametrize(
    ("text", "first", "last", "bits"),
    [
        ("192.0.2.1", "C0000201", "C0000201", 32),
        ("192.0.2.77/24", "C0000200", "C00002FF", 24),
        ("2001:db8::1/32", "v6-20010DB8" + "0" * 24, "v6-20010DB8" + "F" * 24, 32),
    ],
)
def test_range(text: str, first: str, last: str, bits: int) -> None:
    span = read_range(text)
    assert span is not None
    assert (span.first, span.last, span.bits) == (first, last, bits)
    assert not span.is_too_wide


@pytest.mark.parametrize("text", ["", "x", "192.0.2.1/33", "192.0.2", "1.2.3.4/", "::1/129", "٥"])
def test_no_range(text: str) -> None:
    assert read_range(text) is None


@pytest.mark.parametrize("text", ["10.0.0.0/8", "2001::/18"])
def test_too_wide(text: str) -> None:
    span = read_range(text)
    assert span is not None
    assert span.is_too_wide


@pytest.mark.parametrize("text", ["192.0.2.1", "2001:DB8:0:0:0:0:0:1"])
def test_address_of_hex(text: str) -> None:
    span = read_range(text)
    assert span is not None
    assert address_of_hex(span.first) == text
