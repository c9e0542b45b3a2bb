"""The wiki that fuzzed requests are put to: small, with a bit of everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.plugins.linkwiki import link_wiki
from wikiapi.site import Site
from wikiapi.testing import Edit, make_site
from wikiapi.testing.declaration import History

PAGES: Mapping[str, History] = {
    "Main Page": "Welcome to [[Page]].",
    "Page": [Edit("one", user="Ada"), Edit("'''two''' [[Main Page]] {{Echo|x}}", user="Ada")],
    "Template:Echo": "{{{1|}}}{{{a|}}}",
    "Template:Twice": "{{{1}}}{{{1}}}",
    "Template:Self": "{{Self}}",
    "Template:Table": "{|\n| {{{1}}}",
    "Template:End": "|}",
    "Template:List": "* {{{1}}}",
    "Template:Only": "<noinclude>a</noinclude><onlyinclude>{{{1}}}</onlyinclude>",
    "Template:Styles/a.css": Edit(".a { color: red }", model="sanitized-css"),
    "Redirect": "#REDIRECT [[Page]]",
    "Category:C": "[[Category:D]]",
}
SETTINGS: Mapping[str, Any] = {
    "limits": {"template_cache_bytes": 0},
    "plugins": {"disabled": ["scribunto"]},
    "database": {"query_deadline": 5.0},
}
"""No text is kept for the next input, which must find what this one found."""


@contextmanager
def wikitext_wiki() -> Iterator[Site]:
    """Yield a wiki whose templates take arguments."""
    site = make_site(
        PAGES,
        config=SETTINGS,
        files=["Photo.png"],
        users=["Ada"],
        interwiki={"de": "https://de.example/$1"},
    )
    yield site
    site.db.close()


@contextmanager
def listed_wiki() -> Iterator[Site]:
    """Yield a wiki with links, blocks, deleted files and more, so that every list has something."""
    site = link_wiki(SETTINGS)
    yield site
    site.db.close()
