from __future__ import annotations

import pytest

from wikiapi.title.specialpages import is_special_page


@pytest.mark.parametrize("name", ["Version", "version", "Recent changes", "Log/move", "ALLPAGES"])
def test_special_page(name: str) -> None:
    assert is_special_page(name)


@pytest.mark.parametrize("name", ["", "Bogus", "Versions", "/Version"])
def test_no_special_page(name: str) -> None:
    assert not is_special_page(name)
