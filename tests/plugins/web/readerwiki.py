"""A wiki with something for every view of the reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wikiapi.site import Site
from wikiapi.testing.declaration import DeclaredFile, DeclaredUser, Edit, History
from wikiapi.title.interwiki import Interwiki

EVIL = "<script>alert(1)</script>"

PAGES: Mapping[str, History] = {
    "Main Page": "Welcome to [[Tea]] and [[Nothing here]].",
    "Tea": [
        Edit("Tea is hot.", user="Ada", comment="begin [[Main Page]]"),
        Edit("Tea is hot.\n\nMilk is cold.", user="Ada", comment=f"/* Milk */ {EVIL}"),
        Edit(
            "'''Tea''' is a drink.\n== Green ==\nGreen leaves.\n=== Sencha ===\nJapan.\n"
            "== Black ==\nBlack <ref>A note.</ref> leaves.\n== Sources ==\n<references />\n"
            "[[Category:Drinks]][[Category:Hidden things]][[Category:Unwritten]][[de:Tee]]",
            user="192.0.2.7",
            minor=True,
        ),
    ],
    "Talk:Tea": "Is it?",
    "Chai": "#REDIRECT [[Tea#Green]]",
    "Loop": "#REDIRECT [[Chai]]",
    "Quotes \"and\" 'apostrophes' & more": "Sound.",
    "Coffee": "Coffee is bitter. {{PAGENAME}} [[Category:Drinks]]",
    "Help:Topic": "Top [[Help:Topic/Below]]",
    "Help:Topic/Below": "Below",
    "Category:Drinks": "What one drinks. [[Category:Things]]",
    "Category:Hidden things": "__HIDDENCAT__",
    "File:Photo.png": "A [[photo]]. [[Category:Drinks]]",
    "User:Ada": "I am Ada.",
    "Pictures": "[[File:Photo.png|thumb|cap]]",
    "MediaWiki:Gadget.js": f"alert('{EVIL}')",
    "Odd": "__NOINDEX__ x",
}
INTERWIKI = (
    Interwiki("de", "https://de.example/wiki/$1", "", "", True, False),
    Interwiki("far", "https://far.example/$1", "", "", False, False),
)


def reader_wiki(
    make_site: Callable[..., Site],
    pages: Mapping[str, History] | None = None,
    **tables: Mapping[str, Any],
) -> Site:
    """Return the wiki; ``tables`` are settings."""
    config = {"site": {"name": "Teahouse", "rights_text": "CC0"}, **tables}
    return make_site(
        {**PAGES, **(pages or {})},
        config=config,
        users=[DeclaredUser("Ada")],
        files=[DeclaredFile("Photo.png", width=640, height=480)],
        interwiki=INTERWIKI,
    )
