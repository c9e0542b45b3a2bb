"""The targets that take wikitext: preprocessor, expansion, rendering, tidying."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import strategies as st

from tests.fuzz.markup import wikitext
from tests.fuzz.target import Opened, Target
from tests.fuzz.wikis import wikitext_wiki
from tests.security.harmless import faults, harms
from tests.unit.wikitext.html.test_tidy import words
from tests.unit.wikitext.preprocess.test_preprocessor import source
from wikiapi.wikitext.html.sanitizer import sanitize_tags
from wikiapi.wikitext.html.tidy import nesting_of, tidy
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor

PLAIN = ParserOptions(limit_report=False)
PARSOID = ParserOptions(limit_report=False, parsoid=True)
WITH_FORMS = "<inputbox"


@contextmanager
def _preprocessor() -> Iterator[Opened]:
    with wikitext_wiki() as site:
        preprocessor = Preprocessor(site.parser.registries.tags, 0)

        def check(text: str) -> None:
            """Check that a tree contains all of its text."""
            for inclusion in (False, True):
                assert source(preprocessor.tree(text, inclusion=inclusion)) == text

        yield Opened(wikitext(site, 80), check)


@contextmanager
def _expansion() -> Iterator[Opened]:
    with wikitext_wiki() as site:
        title = site.titles.parse("Page")

        def check(text: str) -> None:
            """Check that templates expand to text without markers; saved text is stable."""
            assert "\x7f" not in site.parser.expand(text, title).replace(
                "\x7f", "", text.count("\x7f")
            )
            saved = site.parser.saved(text, title, "192.0.2.7")
            assert isinstance(saved, str)
            site.parser.links_of(text, title)

        yield Opened(wikitext(site), check)


@contextmanager
def _rendering() -> Iterator[Opened]:
    with wikitext_wiki() as site:
        title = site.titles.parse("Page")

        def check(text: str) -> None:
            """Check that the page is well-formed and harmless, in both kinds of HTML."""
            for options in (PLAIN, PARSOID):
                html = site.parser.parse(text, title, options).html
                assert "\x7f" not in html
                assert faults(html) == []
                assert harms(html, controls=WITH_FORMS in text, own_data=options.parsoid) == []

        yield Opened(wikitext(site), check)


@contextmanager
def _tidying() -> Iterator[Opened]:
    with wikitext_wiki() as site:

        def check(text: str) -> None:
            """Check that sanitised text becomes well-formed and stays so."""
            html = tidy(sanitize_tags(text.replace("\x7f", "")))
            again = tidy(html)
            for tidied in (html, again):
                assert nesting_of(tidied).is_sound
                assert faults(tidied) == []
                assert harms(tidied) == []
            assert words(again) == words(html)
            # What a table could not hold stands before it, and is in a paragraph next time only.
            # Formatting around blocks may be split in other places, which looks the same.
            assert nesting_of(html).formatting or "<table" in html or again == html

        yield Opened(wikitext(site) | st.text(), check)


PREPROCESSOR = Target("preprocessor", _preprocessor, 300)
EXPANSION = Target("expansion", _expansion, 200)
RENDERING = Target("rendering", _rendering, 200)
TIDYING = Target("tidying", _tidying, 300)
