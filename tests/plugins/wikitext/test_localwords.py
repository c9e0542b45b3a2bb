"""Magic words in the content language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from wikiapi.site import Site


@pytest.fixture(scope="module")
def wikis(make_module_site):
    return cache(lambda language: make_module_site(config={"site": {"language": language}}))


@pytest.mark.parametrize(
    ("language", "text", "expanded"),
    [
        ("de", "{{SEITENNAME}} {{PAGENAME}} {{SEITENNAME:Hilfe}}", "A A Hilfe"),
        ("fr", "{{#si:x|oui}} {{#if:x|oui}} {{MAJUS:a}} {{majus:a}}", "oui oui A A"),
        ("de", "{{jetziges_jahr}}", "[[:Vorlage:Jetziges jahr]]"),
        ("fr", "{{#selon:x|y=1|#défaut=2}} {{#switch:x|y=1|#default=2}}", "2 2"),
        ("ru", "{{NUMBEROFADMINS:Н}} {{#если:|a|b}}", "0 b"),
        ("ja", "{{小文字:A}} {{小文字：A}} {{lc：A}}", "a a a"),
        ("es", "{{CODIFICARURL:a b|RUTA}} {{urlencode:a b|WIKI}}", "a%20b a_b"),
        ("fa", "{{subst:x}} {{جا:x}}", "{{subst:x}} {{جا:x}}"),
    ],
)
def test_calls(wikis: Callable[[str], Site], language: str, text: str, expanded: str) -> None:
    site = wikis(language)
    assert site.parser.expand(text, site.titles.parse("A")) == expanded


@pytest.mark.parametrize(
    ("language", "text", "switch"),
    [
        ("en", "__NOTOC__", "notoc"),
        ("de", "__KEIN_INHALTSVERZEICHNIS__", "notoc"),
        ("de", "__kein_inhaltsverzeichnis__", "notoc"),
        ("ja", "＿＿目次非表示＿＿", "notoc"),
        ("ru", "__ОГЛ__ x", "toc"),
        ("tr", "__İÇİNDEKİLERYOK__", "notoc"),
        ("he", "__NOEDITSECTION__", "noeditsection"),
    ],
)
def test_switches(wikis: Callable[[str], Site], language: str, text: str, switch: str) -> None:
    site = wikis(language)
    output = site.parser.parse(text, site.titles.parse("A"))
    assert switch in output.switches
    assert "_" not in output.html.replace("mw_", "")


@pytest.mark.parametrize(
    ("language", "options"),
    [
        ("en", "thumb|left|upright=0.5|link=|a"),
        ("fr", "vignette|gauche|redresse=0.5|lien=|a"),
        ("ar", "تصغير|يسار|معدول=0.5|وصلة=|a"),
        ("de", "mini|links|hochkant=0.5|verweis=|a"),
    ],
)
def test_image_options(wikis: Callable[[str], Site], language: str, options: str) -> None:
    site = wikis(language)
    html = site.parser.parse(f"[[File:A.png|{options}]]", site.titles.parse("A")).html
    assert "mw-halign-left" in html
    assert "mw:File/Thumb" in html
    assert "<figcaption>a</figcaption>" in html


def test_names_of_a_substituted_page(wikis: Callable[[str], Site]) -> None:
    site = wikis("de")
    saved = site.parser.saved("{{ERS:SEITENNAME}}", site.titles.parse("A"), "Ada")
    assert saved == "A"


@pytest.mark.parametrize(
    ("language", "text", "html"),
    [
        ("en", "pre[[B]]", "pre<a"),
        ("ar", "ab pre[[B]]ات", ">preBات</a>"),
        ("ar", "pre[[B]]mid[[C]]", ">preBmid</a>"),
        ("ar", "pre[[A]]", 'pre<a class="mw-selflink'),
        ("ar", "'''pre'''[[B]]", "<b>pre</b><a"),
    ],
)
def test_letters_before_a_link(
    wikis: Callable[[str], Site], language: str, text: str, html: str
) -> None:
    site = wikis(language)
    assert html in site.parser.parse(text, site.titles.parse("A")).html
