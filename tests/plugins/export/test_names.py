from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from wikiapi.config import NamespaceConfig
from wikiapi.site import Site
from wikiapi_plugins.export.names import digest, fill_names, folded, folders, safe_name
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
    by_namespace = folders(make_site({"A": "a"}))
    assert by_namespace[0] == "wiki"
    assert by_namespace[14] == "category"
    assert len(set(by_namespace.values())) == len(by_namespace)


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


ALPHABET = 'aAbBſsSßıIiİkK\u212aéE\u0301\u200b\u200d\ufeff.-_~ ()1¹ﬁfi%*?"/\\'
STEMS = ["Foo", "FOO", "foo", "Con", "aux.txt", "COM¹", "Index", "Index.html", "Style.css", "All"]


def titles_of(site: Site, seed: int) -> list[str]:
    """Titles that file systems confuse, and those of the files that others of them are given."""
    chosen = random.Random(seed)
    texts = [*STEMS, *("".join(chosen.choices(ALPHABET, k=chosen.randint(1, 4))) for _ in "x" * 60)]
    texts += [text * 90 for text in chosen.sample(texts, 5)]
    parsed = (site.titles.try_parse(text) for text in texts)
    titles = dict.fromkeys(title.text for title in parsed if title and title.key[0] == 0)
    for _ in range(3):
        for text in list(titles):
            for number in ("", "#1", "#2"):
                name = f"{safe_name(text)}-{digest(text + number)}"
                title = site.titles.try_parse(chosen.choice([name, name.upper()]))
                if title and len(titles) < 400:
                    titles[title.text] = None
    shuffled = list(titles)
    chosen.shuffle(shuffled)
    return shuffled


@pytest.mark.parametrize("seed", range(4))
def test_every_page_has_a_file_of_its_own(
    make_site: Callable[..., Site], tmp_path: Path, seed: int
) -> None:
    titles = titles_of(make_site({"A": "a"}), seed)
    site = make_site(dict.fromkeys(titles, "x"))
    state = State(tmp_path / "state", "x")
    fill_names(state, site, [0], ".html")
    files = [file for (file,) in state.rows("SELECT file FROM names")]
    assert len(files) == len(titles) > 100
    for same in (
        str.casefold,
        lambda file: file.upper().lower(),
        lambda file: unicodedata.normalize("NFD", file).casefold(),
        lambda file: unicodedata.normalize("NFKC", file).casefold(),
        lambda file: "".join(char for char in file if char.isprintable()).casefold(),
        folded,
    ):
        assert len({same(file) for file in files}) == len(files)
    for file in files:
        assert file.startswith("wiki/")
        name = file.removeprefix("wiki/").removesuffix(".html")
        assert len(file.encode()) < 200
        assert not set(name) & set('<>:"/\\|?*%#')
        assert name.partition(".")[0].lower() not in ("con", "aux", "com1", "com¹")
        assert not name.endswith((".", " "))
    # Again, the result is the same.
    other = State(tmp_path / "other", "x")
    fill_names(other, site, [0], ".html")
    assert [file for (file,) in other.rows("SELECT file FROM names")] == files


def test_the_oldest_page_has_the_plain_name(make_site: Callable[..., Site], tmp_path: Path) -> None:
    second = f"FOO-{digest('FOO')}"
    site = make_site(dict.fromkeys(["Foo", "FOO", second, f"FOO-{digest('FOO#1')}"], "x"))
    state = State(tmp_path / "state", "x")
    fill_names(state, site, [0], ".md")
    files = [file for (file,) in state.rows("SELECT file FROM names ORDER BY page")]
    assert files == [
        "wiki/Foo.md",
        f"wiki/FOO-{digest('FOO#2')}.md",
        f"wiki/{second}.md",
        f"wiki/FOO-{digest('FOO#1')}.md",
    ]


def test_folders_of_unusual_namespaces_differ(make_site: Callable[..., Site]) -> None:
    names = {100: "Search", 102: "Con", 104: "Search 106", 106: "Search!", 108: "Wiki", 110: "日本"}
    site = make_site(
        {"A": "a"}, namespaces=[NamespaceConfig(number, name) for number, name in names.items()]
    )
    by_namespace = folders(site)
    assert len({folded(folder) for folder in by_namespace.values()}) == len(by_namespace)
    assert not {"files", "search", "all", "static", "con"} & set(by_namespace.values())
