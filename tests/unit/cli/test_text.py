from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import Result


@pytest.mark.parametrize(
    "arguments",
    [
        ("get", "titles=\udcff"),
        ("search", "\udcff"),
        ("search", "--namespace", "\udcff", "a"),
        ("parse", "\udcff"),
        ("parse", "--page", "\udcff"),
        ("parse", "--title", "\udcff", "a"),
    ],
    ids=repr,
)
def test_bytes_that_are_no_utf_8(
    on_store: Callable[..., Result], arguments: tuple[str, ...]
) -> None:
    result = on_store(*arguments)
    assert result.exit_code == 2
    assert "is not UTF-8" in result.output


def test_text_of_any_script(on_store: Callable[..., Result]) -> None:
    result = on_store("parse", "--stage", "expand", "中文 𝔘 é")
    assert result.output == "中文 𝔘 é\n"
