"""The texts of a wiki's interface: pages of the wiki, the catalogue, and their forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from wikiapi.errors import BudgetExceeded
from wikiapi.languages import Message, Num, Plain, Raw, plain_list
from wikiapi.site import Site
from wikiapi.testing import Edit, ask, make_site
from wikiapi.testing.changes import Changes

TEXTS = {
    "en": {
        "boat": "boat",
        "oars": "$1 {{PLURAL:$1|oar|oars}} for $2",
        "harbour": "{{SITENAME}}: [[Harbour|$1]] & ''all''",
        "endless": "a {{int:endless}}",
        "crew": "{{GENDER:$1|he|she|they}} of {{ucfirst:$2}}",
        "parser-template-loop-warning": "{{Loop}}",
    },
    "fr": {"boat": "bateau", "oars": "$1 {{PLURAL:$1|rame|rames}} pour $2"},
}
PAGES = {
    "MediaWiki:Boat": "barque",
    "MediaWiki:Boat/de": "Kahn",
    "MediaWiki:Own": "mine",
    "MediaWiki:Hostile": "<script>alert(1)</script><b onclick='x'>$1</b>",
    "MediaWiki:Wide": "".join(f"{{{{#if:{number}|y}}}}" for number in range(1000)),
    "Template:Loop": "{{Loop}}",
}

Text = Callable[..., str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, make_module_site: Callable[..., Site]) -> Site:
    folder: Path = tmp_path_factory.mktemp("messages")
    for language, texts in TEXTS.items():
        (folder / f"{language}.json").write_text(json.dumps(texts), encoding="utf-8")
    return make_module_site(
        PAGES, config={"site": {"language": "fr"}, "messages": {"folders": [str(folder)]}}
    )


@pytest.mark.parametrize(
    ("key", "language", "text"),
    [
        ("boat", "fr", "barque"),
        ("boat", "de", "Kahn"),
        ("boat", "en", "boat"),
        ("boat", "it", "boat"),
        ("own", "fr", "mine"),
        ("own", "it", "mine"),
        ("none", "fr", "⧼none⧽"),
    ],
)
def test_pages_of_the_wiki_come_first(site: Site, key: str, language: str, text: str) -> None:
    assert site.messages.text(Message(key), language) == text


def test_the_default_is_without_pages(site: Site) -> None:
    template = site.messages.default("boat", "fr")
    assert template is not None
    assert template.text == "bateau"


@pytest.mark.parametrize(
    ("name", "text"),
    [("Boat", "bateau"), ("Boat/en", "boat"), ("Own", None), ("Monday/de", "Montag")],
)
def test_built_in_texts_of_pages(site: Site, name: str, text: str | None) -> None:
    template = site.messages.built_in(name)
    assert (template.text if template else None) == text


@pytest.mark.parametrize(
    ("message", "language", "text", "html"),
    [
        (Message.of("oars", Num(1), "all"), "fr", "1 rame pour all", "1 rame pour all"),
        (Message.of("oars", 2, "[[a]]"), "fr", "2 rames pour [[a]]", None),
        (Message.of("oars", Num(2), Plain("<b>")), "en", "2 oars for <b>",
         "2 oars for &lt;b&gt;"),
        (Message.of("oars", Num(2), Plain("$1 [[x]] {{y}}")), "en",
         "2 oars for $1 [[x]] {{y}}", "2 oars for $1 [[x]] {{y}}"),
        (Message.of("oars", Num(2), Raw("''x''")), "en", "2 oars for ''x''",
         "2 oars for <i>x</i>"),
        (Message.of("oars", Num(2), plain_list(["a", "b"])), "fr", "2 rames pour a et b",
         "2 rames pour a et b"),
        (Message.of("crew", "", "boat"), "fr", "they of Boat", "they of Boat"),
        (Message.of("crew", "", Plain("{{ucfirst:x}}")), "fr", "they of {{ucfirst:x}}",
         "they of {{ucfirst:x}}"),
    ],
)  # fmt: skip
def test_forms(site: Site, message: Message, language: str, text: str, html: str | None) -> None:
    assert site.messages.text(message, language) == text
    if html is not None:
        assert site.messages.html(message, language) == html


def test_html_of_wikitext(site: Site) -> None:
    html = site.messages.html(Message.of("harbour", "north"), "en")
    assert html.startswith(f"{site.config.site.name}: <a href=")
    assert html.endswith(">north</a> &amp; <i>all</i>")


def test_pages_are_sanitised(site: Site) -> None:
    html = site.messages.html(Message.of("hostile", Plain("<i>x</i>")), "fr")
    assert html == "&lt;script&gt;alert(1)&lt;/script&gt;<b>&lt;i&gt;x&lt;/i&gt;</b>"


def test_a_text_that_names_itself_ends(site: Site) -> None:
    text = site.messages.text(Message("endless"), "en")
    assert text.startswith("a ")
    assert len(text) < 1000


def test_an_error_message_that_causes_the_error_ends(site: Site) -> None:
    assert len(site.parser.parse("{{Loop}}", site.titles.parse("A")).html) < 5000


def test_the_budget_of_a_request_holds_for_texts() -> None:
    limited = make_site(PAGES, config={"limits": {"request_steps": 500}})
    with limited.answering(), pytest.raises(BudgetExceeded):
        limited.messages.text(Message("wide"), "en")
    limited.db.close()


def test_changes_of_pages_are_seen_at_once() -> None:
    site = make_site({"A": "x"})
    assert site.messages.text(Message("edit"), "en") != "change it"
    changes = Changes(site)
    changes.edit("MediaWiki:Edit", Edit("change it"))
    assert site.messages.text(Message("edit"), "en") == "change it"
    changes.delete("MediaWiki:Edit")
    assert site.messages.text(Message("edit"), "en") != "change it"
    site.db.close()


def test_a_page_has_the_texts_of_the_wiki(site: Site) -> None:
    answer = ask(site, {"action": "parse", "text": "{{int:boat}} {{int:own}} {{int:none}}"})
    assert "barque mine ⧼none⧽" in answer.data["parse"]["text"]


def test_a_request_asks_once_which_pages_there_are(site: Site) -> None:
    statements: list[str] = []
    with site.answering(), site.db.observing(lambda query: statements.append(query.sql)):
        for _ in range(3):
            site.messages.text(Message("edit"), "fr")
    assert len(statements) <= 1
