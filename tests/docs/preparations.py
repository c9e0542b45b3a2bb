"""What somebody has already who begins with one of the how-to guides."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.cases import FIXTURES
from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.testing import make_site


def prepare(guide: str, folder: Path) -> None:
    """Put into a folder what a guide takes for granted."""
    _PREPARATIONS.get(guide, lambda _: None)(folder)


def _demo(*pages: str) -> bytes:
    """Return a dump of a wiki called Demo."""
    return dump(*pages, wiki_id="demo").replace(b">Tests<", b">Demo<")


def _dump(folder: Path) -> None:
    pages = _demo(page("Sandbox", 1), page("Tea", 2, revision(2, "[[Sandbox]]")))
    (folder / "demo.xml.gz").write_bytes(gzip.compress(pages))


def _two_dumps(folder: Path) -> None:
    first, second = revision(2, "hot"), revision(9, "cold", parent=2, day=3)
    (folder / "demo.xml").write_bytes(_demo(page("Sandbox", 1), page("Tea", 2, first)))
    (folder / "newer.xml").write_bytes(_demo(page("Tea", 2, first, second)))


def _own_store(folder: Path) -> None:
    make_site({"Main Page": "[[Tea]]", "Tea": "hot"}, path=folder / "wiki.sqlite").db.close()


def _store(folder: Path) -> None:
    pages = {"Main Page": "[[Tea]]", "Tea": "hot"}
    make_site(pages, path=folder / "wikiapi.sqlite").db.close()


def _store_of_mediawiki(folder: Path) -> None:
    """Create a store without the marks of wikiapi, with the tables of MediaWiki."""
    file = folder / "my_wiki.sqlite"
    make_site({"Main Page": "[[Tea]]", "Tea": "hot"}, path=file).db.close()
    with closing(sqlite3.connect(file)) as database:
        database.execute("DELETE FROM updatelog WHERE ul_key LIKE 'wikiapi%'")
        database.execute("PRAGMA application_id = 0")
        database.commit()


def _french_dump_and_messages(folder: Path) -> None:
    pages = dump(page("Accueil", 1), page("Modèle:Boîte", 2, ns=10), wiki_id="theiere").decode()
    for english, french in (
        ('xml:lang="en"', 'xml:lang="fr"'),
        (">Tests<", ">Théière<"),
        (">Template<", ">Modèle<"),
        ("/wiki/Main_Page", "/wiki/Accueil"),
    ):
        pages = pages.replace(english, french)
    (folder / "frwiki.xml.gz").write_bytes(gzip.compress(pages.encode()))
    texts = folder / "mediawiki" / "languages" / "i18n"
    texts.mkdir(parents=True)
    for code, about in (("fr", "À propos de"), ("en", "About")):
        messages = {"aboutsite": f"{about} {{{{SITENAME}}}}", "help": "…"}
        (texts / f"{code}.json").write_text(json.dumps(messages), encoding="utf-8")


def _attic(folder: Path) -> None:
    """Create the wiki of a family: its database and its LocalSettings.php."""
    shutil.copy(FIXTURES / "localsettings" / "family" / "LocalSettings.php", folder)
    (folder / "images").mkdir()
    (folder / "data").mkdir()
    _store_of_mediawiki(folder / "data")
    (folder / "data" / "my_wiki.sqlite").rename(folder / "data" / "attic.sqlite")


_PREPARATIONS: dict[str, Callable[[Path], None]] = {
    "attach-a-wiki": _attic,
    "export": _store,
    "languages": _french_dump_and_messages,
    "many-machines": _store,
    "mirror": _two_dumps,
    "retired-wiki": _own_store,
    "serve-a-dump": _dump,
    "serve-a-mediawiki-database": _store_of_mediawiki,
}
