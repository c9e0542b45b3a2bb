"""Wikitext to fuzz with: pieces that mean something, put together at random."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz.words import words
from wikiapi.site import Site

PUNCTUATION = (
    *words("{{ {{{ { }} }}} } [[ [ ]] ] -{ }- {| |} |- |+ | || ! !! = == === ==== # * : ; ;a:b"),
    *words("<!-- --> ' '' ''' ''''' ---- __ ~~~~ // & &amp; &lt; &#60; &#x3c; &#0; &#xD800;"),
    *words('< > /> </ " ` \\ %3C %00 ../ ./ / % _ + - $1'),
    *(" ", "\n", "\n\n", "\t", "\r\n", "\r", "\f", "\0", "\x0b", "\x1f", "\x7f", "\xa0"),
    *("\u2028", "\u200e", "\u0338", "\ud800", "\ufffd", "\uffff", "\U0001f37a", "é", "İ", "ß"),
    "\x7f'\"`UNIQ--nowiki-00000001-QINU`\"'\x7f",
)
WORDS = (
    *words("a Page Echo Twice Self Table End List Only Template:Echo Category:C File:Photo.png"),
    *words("Media:Photo.png Special:Version #REDIRECT thumb frame 100px link= alt= de:X mailto:a"),
    *words("http://a //a https://a.example/b?c=d&e javascript:alert(1) data:text/html,x ISBN RFC"),
    *words("__TOC__ __NOTOC__ __FORCETOC__ onclick=alert(1) style=color:red style='width:1'"),
    *words("class=a id=b name=c group=d rowspan=2 1=x 0 -1 9999999999999999999 1e400 zh-hans:"),
    'style="background:url(http://a)"',
    "style='w:expression(1)'",
    "href=javascript:alert(1)",
)
TAGS = words(
    """
    b i u s p div span table tr td th tbody caption ul ol li dl dt dd h1 h2 blockquote pre br hr
    font center small code ruby rt script style img svg math iframe a form input textarea
    title template noscript xmp plaintext select option button meta link base object embed
    noinclude includeonly onlyinclude section
    """
)


def pieces(site: Site) -> tuple[Sequence[str], ...]:
    """Return what means something in wikitext on a site: marks, words, tags, calls."""
    registries = site.parser.registries
    tags = sorted({*TAGS, *registries.tags})
    calls = sorted({function.name for function in registries.functions.values()})
    variables = sorted({variable.name for variable in registries.variables.values()})
    written = [
        form for name in tags for form in (f"<{name}>", f"</{name}>", f"<{name} ", f"<{name}/>")
    ]
    called = [f"{{{{{name}:" for name in calls] + [f"{{{{{name}}}}}" for name in variables]
    return PUNCTUATION, WORDS, written, called


def wikitext(site: Site, most: int = 40) -> SearchStrategy[str]:
    """Return texts of up to ``most`` pieces."""
    kinds = map(st.sampled_from, pieces(site))
    return st.lists(st.one_of(*kinds, st.text(max_size=3)), max_size=most).map("".join)
