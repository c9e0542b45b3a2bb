"""Texts are read once; which of them is current is asked each time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from wikiapi.site import Site
from wikiapi.store.models import Page, Revision
from wikiapi.store.queries.visibility import TEXT
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.options import Revision as Shown

KEY = (10, "A")
PAGES = {
    "Page": "{{A}} {{#if:x|{{{{lc:B}}}}}}",
    "Template:A": "a\x7fb",
    "Template:B": "{{C}}",
    "Template:C": "c",
    "Other": "{{A}}",
}


@pytest.fixture
def wiki() -> Iterator[Site]:
    """Yield a wiki of its own, which has read nothing yet."""
    site = make_site(PAGES)
    with closing(site.db):
        yield site


def statements(wiki: Site) -> int:
    """Return the number of statements to read a template."""
    with wiki.db.recording() as log:
        wiki.parser.pages.current([KEY])
    return len(log)


def test_a_text_is_read_once(wiki: Site) -> None:
    first = wiki.parser.pages.current([KEY])
    assert statements(wiki) == 1
    assert wiki.parser.pages.current([KEY])[KEY][2] is first[KEY][2]
    assert first[KEY][2] == "a?b"


def test_where_nothing_is_cached_it_is_read_each_time() -> None:
    site = make_site(PAGES, config={"limits": {"text_cache_bytes": 0}})
    assert statements(site) == statements(site) == 2
    site.db.close()


def test_a_new_revision_is_seen_at_once(wiki: Site) -> None:
    pages = wiki.parser.pages
    pages.current([KEY])
    other = pages.current([(0, "Other")])[0, "Other"]
    wiki.db.execute_write(Page.update(page_latest=other[1]).where(Page.page_title == "A"))
    assert pages.current([KEY])[KEY][1:] == other[1:]


def test_a_text_that_is_suppressed_is_gone_at_once(wiki: Site) -> None:
    pages = wiki.parser.pages
    revision = pages.current([KEY])[KEY][1]
    wiki.db.execute_write(Revision.update(rev_deleted=TEXT).where(Revision.rev_id == revision))
    assert pages.current([KEY]) == {}


def test_templates_of_a_stored_page_take_as_many_statements_as_one(wiki: Site) -> None:
    def render(name: str) -> int:
        title = wiki.titles.parse(name)
        options = ParserOptions(revision=Shown(id=1), limit_report=False)
        with wiki.db.recording() as log:
            html = wiki.parser.parse(PAGES[name], title, options).html
        assert "a?b" in html
        return len(log)

    assert render("Page") == render("Other")


def test_texts_rendered_together_look_up_each_page_once(wiki: Site) -> None:
    titles = [wiki.titles.parse(name) for name in ("Page", "Other", "Missing")]
    texts = [f"{{{{A}}}} [[Other]] [[Other {title.text}]] [[None]]" for title in titles]

    def render(number: int) -> int:
        parts = list(zip(texts, titles, strict=True))[:number]
        with wiki.db.recording() as log:
            outputs = wiki.parser.parse_all(parts)
        for (text, title), output in zip(parts, outputs, strict=True):
            alone = wiki.parser.parse(text, title)
            assert (output.links, output.existing) == (alone.links, alone.existing)
            assert output.templates == alone.templates
        return len(log)

    wiki.messages.names()  # which are read once for each state of the wiki
    assert render(3) == render(2) == render(1)
