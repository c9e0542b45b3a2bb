from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wikiapi.site import Site
from wikiapi_plugins.export.names import fill_names, folded, folders, safe_name
from wikiapi_plugins.export.state import State

PLAIN = {
    "Main Page": "Main_Page",
    "Été": "Été",
    "A.B": "A.B",
    "100": "100",
    "Bob's & Co": "Bob's_&_Co",
}
CHANGED = [
    "A/B", "A?", 'Say "x"', "A*", "Con", "nul.txt", "COM1", "...", ".hidden", "Dot.", "100%", "-x",
    "x" * 300, "ü" * 200, "a\u202eb", "~x", "\\..\\x",
]  # fmt: skip


@pytest.mark.parametrize("title", PLAIN)
def test_plain_names(title: str) -> None:
    assert safe_name(title) == PLAIN[title]


@pytest.mark.parametrize("title", CHANGED)
def test_names_that_systems_refuse_are_changed(title: str) -> None:
    name = safe_name(title)
    assert name != title.replace(" ", "_")
    assert len(name.encode()) < 140
    assert not set(name) & set('<>:"/\\|?*%#\u202e')
    assert name[0] not in ".-~"
    assert not name.endswith((".", " "))
    assert safe_name(name.rpartition("-")[0]) != name


def test_folders_differ(make_site: Callable[..., Site]) -> None:
    found = folders(make_site({"A": "a"}))
    assert found[0] == "wiki"
    assert found[14] == "category"
    assert len(set(found.values())) == len(found)


def test_names_that_are_the_same_to_some_systems(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    titles = ["Straße", "STRASSE", "Strasse", "Ab", "AB", "Help:AB"]
    site = make_site(dict.fromkeys(titles, "x"))
    state = State(tmp_path / "state", "x")
    fill_names(state, site, [0, 12], ".html")
    files = [file for (file,) in state.rows("SELECT file FROM names ORDER BY page")]
    assert files[0] == "wiki/Straße.html"
    assert files[3] == "wiki/Ab.html"
    assert files[5] == "help/AB.html"
    assert len({folded(file) for file in files}) == len(titles)
    state.remove()
    assert list(tmp_path.iterdir()) == []
