"""Names of modules in addresses."""

from __future__ import annotations

import pytest

from wikiapi_plugins.shared.resources.names import TooManyModules, packed_names, unpacked_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("jquery", ["jquery"]),
        ("jquery,site", ["jquery", "site"]),
        ("a.b.c,d|e.f", ["a.b.c", "a.b.d", "e.f"]),
        ("a|a|b,b", ["a", "b"]),
        ("", []),
        ("|,|a,,", ["a"]),
        ("x" * 256, []),
    ],
)
def test_names_are_unpacked(text: str, names: list[str]) -> None:
    assert unpacked_names(text) == names


def test_names_are_packed() -> None:
    names = ["ext.cite.styles", "site", "ext.cite.other", "a.b"]
    assert packed_names(names) == "a.b|ext.cite.other,styles|site"
    assert set(unpacked_names(packed_names(names))) == set(names)


def test_there_is_a_bound() -> None:
    with pytest.raises(TooManyModules):
        unpacked_names(",".join(f"m{number}" for number in range(501)))
    with pytest.raises(TooManyModules):
        unpacked_names("|".join(f"m{number}" for number in range(501)))
