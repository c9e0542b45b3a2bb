"""A wiki can be copied for reading offline by the requests that mwoffliner makes."""

from __future__ import annotations

from tests.clients.copying import copy_wiki
from tests.plugins.web.readers import Browser
from wikiapi.testing import make_site

PAGES = {
    "Main Page": "[[Footnotes]]<gallery>\nFile:Missing.png\n</gallery>",
    "Footnotes": "a<ref>b</ref>\n== c ==\n<inputbox>\ntype=search\n</inputbox>[[Category:D]]",
    "Source": "<syntaxhighlight lang=python>x = 1</syntaxhighlight>{{#invoke:Nope|x}}",
    "Old name": "#REDIRECT [[Footnotes]]",
    "MediaWiki:Common.css": "p { color: green }",
}


def test_every_page_and_module_is_there() -> None:
    site = make_site(PAGES)
    browser = Browser(site)
    copy = copy_wiki(lambda address: browser.get(*address.partition("?")[::2]), "/w")
    assert set(copy.pages) == {"Main Page", "Footnotes", "Source"}
    assert {
        *("ext.cite.styles", "ext.inputBox.styles", "ext.pygments", "site.styles"),
        *("mediawiki.page.gallery.styles", "skins.vector.styles", "skins.vector.js"),
    } <= copy.modules
    assert copy.problems == []
    site.db.close()


def test_redirects_lead_to_the_page() -> None:
    site = make_site(PAGES)
    browser = Browser(site)
    copy = copy_wiki(lambda address: browser.get(*address.partition("?")[::2]), "/w", ["Old name"])
    assert set(copy.pages) == {"Footnotes"}
    site.db.close()
