"""What templates, words and functions expand to, as data: name -> [text, expanded, title]."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wikiapi.testing import DeclaredUser

HERE = Path(__file__).parent
PAGES = {
    "Page": "a page of 20 bytes..",
    "Page/Sub": "sub-page",
    "Help:Manual": "help",
    "Old": "#REDIRECT [[Page]]",
    "Category:Letters": "",
    "Letter A": "[[Category:Letters]]",
    "Letter B": "[[Category:Letters]]",
    "Template:Echo": "{{{1}}}",
    "Template:Named": "[{{{a|none}}}]",
    "Template:Two": "{{{1|}}}-{{{2|}}}",
    "Template:To echo": "#REDIRECT [[Template:Echo]]",
    "Template:To to echo": "#REDIRECT [[Template:To echo]]",
    "Template:Parts": "a<noinclude>b</noinclude><includeonly>c</includeonly>",
    "Template:Only": "a<onlyinclude>b</onlyinclude>c",
    "Template:Commented": "x<!-- y -->z",
    "Template:A": "a{{B}}",
    "Template:B": "b{{A}}",
    "Template:Table": "{|\n|}",
    "Template:Safe": "{{safesubst:Echo|s}}",
    "MediaWiki:Greeting": "Hello $1, {{Echo|$2}}",
}
INTERWIKI = {"de": "https://de.wiki.example/wiki/$1", "other": "https://other.example/$1"}


pytestmark = pytest.mark.wiki(
    PAGES,
    config={"site": {"main_subpages": True, "name": "Golden Wiki"}},
    interwiki=INTERWIKI,
    users=[DeclaredUser("Ada", groups=("sysop",)), "Bo"],
)


def golden():
    for path in sorted(HERE.glob("*.json")):
        for name, case in json.loads(path.read_text(encoding="utf-8")).items():
            yield pytest.param(*case[:2], *(case[2:] or ["Golden"]), id=f"{path.stem}: {name}")


@pytest.mark.parametrize(("text", "expanded", "title"), list(golden()))
def test_expansion(site, text, expanded, title):
    page = site.titles.parse(title)
    assert site.parser.expand(text, page) == expanded
    assert site.parser.expand(f"{text}{{{{Named}}}}", page) == f"{expanded}[none]"
