"""Every word, called in every way: text comes back, never an exception."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiapi.testing import DeclaredFile

WORDS = (
    "a 0 -1 1e9 9999999999999999999999 R NOSEP all Page Talk:Page Special:Version Category:C "
    "File:A.png en de-formal xx <nowiki>n</nowiki> <!--c--> [[l]] = # / .. ../ : & &amp; < > é "
    "mdy 2009-03-24 100px nowiki edit sysop 1= b=c {{PAGENAME}} {{{1}}} {{{1|}}} + * ( ) mod e pi"
)
PIECES = st.sampled_from(WORDS.split()) | st.sampled_from(
    ["", " ", "\n", "\u2028", "\ud800", "\x7f", "\0", "\u0661", "\u212a"]
)
ARGUMENTS = st.lists(st.lists(PIECES, max_size=4).map("".join), max_size=5)


pytestmark = pytest.mark.wiki({"Page": "x", "Category:C": ""}, files=[DeclaredFile("A.png")])


@pytest.mark.slow
def test_any_call(site):
    registries = site.parser.registries
    functions = sorted({function.name for function in registries.functions.values()})
    words = sorted({variable.name for variable in registries.variables.values()})
    titles = [site.titles.parse(name) for name in ("Page", "MediaWiki:A.css", "File:A.png")]

    @given(st.sampled_from(functions), ARGUMENTS, st.sampled_from(titles))
    @settings(max_examples=1500, deadline=None)
    def call(name, arguments, title):
        text = f"{{{{{name}:{'|'.join(arguments)}}}}}"
        assert isinstance(site.parser.expand(text, title), str)
        assert isinstance(site.parser.saved(f"{{{{subst:{text[2:]}", title, "192.0.2.7"), str)

    call()
    for word in words:
        for title in titles:
            expanded = site.parser.expand(f"{{{{{word}}}}}", title)
            assert not expanded.startswith("{{"), word


def test_every_function_says_something_without_arguments(site):
    title = site.titles.parse("Page")
    for function in site.parser.registries.functions.values():
        assert isinstance(site.parser.expand(f"{{{{{function.name}:}}}}", title), str)
