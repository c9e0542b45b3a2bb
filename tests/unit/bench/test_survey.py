"""Which pages need an extension, according to their texts, templates and content models."""

from __future__ import annotations

import pytest

from bench.peer.mediawiki import Syntax
from bench.peer.survey import survey

SYNTAX = Syntax(frozenset({"ref", "poem"}), frozenset({"if", "invoke"}))


Pages = dict[str, tuple[str, str, list[str]]]


class Wiki:
    """Answers the requests of the survey from pages ``title: (text, model, templates)``."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def get(self, params: dict[str, str]) -> dict[str, object]:
        assert params["siprop"] == "namespaces"
        return {"query": {"namespaces": {"-1": {}, "0": {}}}}

    def walk(self, params: dict[str, str]) -> list[dict[str, object]]:
        assert params["gapnamespace"] == "0"
        # As in MediaWiki, the links come in a batch of their own.
        texts = [self._revision(title) for title in self._pages]
        links = [self._links(title) for title in self._pages]
        return [{"pages": texts}, {"pages": links}]

    def _revision(self, title: str) -> dict[str, object]:
        text, model, _ = self._pages[title]
        slot = {"content": text, "contentmodel": model}
        return {"title": title, "revisions": [{"size": len(text), "slots": {"main": slot}}]}

    def _links(self, title: str) -> dict[str, object]:
        return {"title": title, "templates": [{"title": used} for used in self._pages[title][2]]}


def plain(pages: Pages) -> dict[str, bool]:
    return {page.title: page.plain for page in survey(Wiki(pages), SYNTAX)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'''Bold''' {{lc:A}} {{#language:de}} <nowiki>x</nowiki>", True),
        ("{{#if:a|b}}", False),
        ("{{ #IF : a|b}}", False),
        ("{{safesubst:#invoke:M|f}}", False),
        ("<ref>x</ref>", False),
        ("<Ref name=a />", False),
        ("<references/>", True),
        ("{{#tag:ref|x}}", False),
        ("{{#tag:nowiki|x}}", True),
        ("<templatestyles src='a'/>", False),
        ("#ifs: a heading", True),
    ],
)
def test_syntax_of_extensions_is_found(text: str, expected: bool) -> None:
    assert plain({"Page": (text, "wikitext", [])}) == {"Page": expected}


def test_a_page_needs_what_its_templates_need() -> None:
    pages: Pages = {
        "Template:If": ("{{#if:{{{1}}}|x}}", "wikitext", []),
        "With": ("{{If}}", "wikitext", ["Template:If"]),
        "Without": ("{{Missing}}", "wikitext", ["Template:Missing"]),
    }
    assert plain(pages) == {"Template:If": False, "With": False, "Without": True}


def test_only_wikitext_is_rendered_and_other_models_need_an_extension() -> None:
    pages: Pages = {
        "Module:M": ("return 1", "Scribunto", []),
        "Data.json": ("{}", "json", []),
        "Code": ("{{Module:M}}", "wikitext", ["Module:M"]),
        "Data": ("{{:Data.json}}", "wikitext", ["Data.json"]),
    }
    assert plain(pages) == {"Code": False, "Data": True}


def test_small_pages_have_less_than_5000_bytes() -> None:
    pages: Pages = {"A": ("x" * 4999, "wikitext", []), "B": ("x" * 5000, "wikitext", [])}
    shorter, longer = survey(Wiki(pages), SYNTAX)  # type: ignore[arg-type]
    assert (shorter.small, longer.small) == (True, False)
