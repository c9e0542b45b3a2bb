"""The contract that plugins import public names only."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.meta.publicfloor import outside


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("from wikiapi.api import ListModule, limit", None),
        ("from wikiapi.store.queries import pages", None),
        ("from wikiapi import __version__", None),
        ("import wikiapi", None),
        ("from wikiapi_plugins.query import links", None),
        ("from wikiapi.api.module import Module", "wikiapi.api.module.Module"),
        ("from wikiapi.api import _private", "wikiapi.api._private"),
        ("import wikiapi.site", "wikiapi.site"),
        ("if TYPE_CHECKING:\n    from wikiapi.wiki import utc_now", "wikiapi.wiki.utc_now"),
        ("def f():\n    from wikiapi.cli.serve import serve", "wikiapi.cli.serve.serve"),
    ],
)
def test_an_import_outside_an_all_is_named(tmp_path: Path, line: str, name: str | None) -> None:
    path = tmp_path / "plugin.py"
    path.write_text(f"{line}\n", encoding="utf-8")
    assert [private for _, private in outside(path, "wikiapi")] == [name] * (name is not None)
