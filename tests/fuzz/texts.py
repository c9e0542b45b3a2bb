"""The targets that take wikitext: preprocessor, sanitiser, expansion, rendering, tidying."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from hypothesis import strategies as st

from tests.fuzz.markup import pieces, wikitext
from tests.fuzz.styles import REFUSALS
from tests.fuzz.target import Check, Opened, Target, text_of
from tests.fuzz.wikis import wikitext_wiki
from tests.security.growth import Stopwatch
from tests.security.harmless import faults, harms
from tests.unit.wikitext.html.test_tidy import words
from tests.unit.wikitext.preprocess.test_preprocessor import source
from wikiapi.site import Site
from wikiapi.wikitext.html.sanitizer import sanitize_tags
from wikiapi.wikitext.html.tidy import nesting_of, tidy
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor

PLAIN = ParserOptions(limit_report=False)
PARSOID = ParserOptions(limit_report=False, parsoid=True)
WITH_FORMS = "<inputbox"
LONG = 50_000
"""Characters of which a text takes so little time that it may grow."""
PATIENCE = 20.0


def _of_wikitext(site: Site, check: Check) -> Opened:
    texts = wikitext(site) | st.text()
    return Opened(texts, check, text_of, chain(*pieces(site)))


def repeated(text: str, size: int) -> str:
    """Return about so many characters."""
    return text * (size // max(len(text), 1))


@contextmanager
def _preprocessor() -> Iterator[Opened]:
    with wikitext_wiki() as site:
        preprocessor = Preprocessor(site.parser.registries.tags, 0)

        def check(text: str) -> None:
            """Check that a tree contains all of its text."""
            for inclusion in (False, True):
                assert source(preprocessor.tree(text, inclusion=inclusion)) == text

        yield _of_wikitext(site, check)


@contextmanager
def _growth() -> Iterator[Opened]:
    with wikitext_wiki() as site, Stopwatch(PATIENCE) as watch:
        preprocessor = Preprocessor(site.parser.registries.tags, 0)

        def check(text: str) -> None:
            """Check that a text that is repeated takes time in proportion to its length."""
            for run in (preprocessor.tree, sanitize_tags):
                assert watch.growth(run, lambda size: repeated(text, size), 4000, LONG) == []

        yield _of_wikitext(site, check)


@contextmanager
def _sanitiser() -> Iterator[Opened]:
    with wikitext_wiki() as site:

        def check(text: str) -> None:
            """Check that only harmless tags are left, which are left as they are then."""
            html = sanitize_tags(text.replace("\x7f", ""))
            assert harms(html) == []
            # Of styles, comments are left out and escapes decoded: the target "css" knows more.
            is_styled = "\\" in text or any(map(html.__contains__, REFUSALS))
            assert is_styled or sanitize_tags(html) == html

        yield _of_wikitext(site, check)


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

        yield _of_wikitext(site, check)


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

        yield _of_wikitext(site, check)


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

        yield _of_wikitext(site, check)


PREPROCESSOR = Target("preprocessor", _preprocessor, 300)
GROWTH = Target("growth", _growth, 10)
SANITISER = Target("sanitiser", _sanitiser, 300)
EXPANSION = Target("expansion", _expansion, 200)
RENDERING = Target("rendering", _rendering, 200)
TIDYING = Target("tidying", _tidying, 300)
