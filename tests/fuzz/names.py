"""The target that takes titles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hypothesis import strategies as st

from tests.fuzz.target import Opened, Target, text_of
from tests.fuzz.wikis import wikitext_wiki
from tests.fuzz.words import words
from wikiapi.errors import InvalidTitle

PIECES = (
    *words("a A ß ǆ İ ı ŉ é e\u0301 _ : :: # / ./ ../ . .. % %41 %3A & &amp; &#58; &#x3A;"),
    *words("Talk: talk_: User:192.0.2.1 User:::1 Special:Contributions/ File: Image: Media:"),
    *words("de: :de: DE: ~~~ ~~~~ < > [ ] { } | + ? * $ \\ \" ' ` Template: Category_talk:"),
    *(" ", "\t", "\n", "\0", "\x1f", "\x7f", "\xa0", "\u200e", "\u202e", "\u3000", "\ufffd"),
    *("\ud800", "\udcff", "\uffff", "\U0001f37a", "\u1680", "\u180e", "\u2028", "\u0338"),
    "a" * 254,
    "é" * 127,
)


@contextmanager
def _titles() -> Iterator[Opened]:
    with wikitext_wiki() as site:

        def check(text: str) -> None:
            """Check that there is a title, or the reason why it is invalid; titles are stable."""
            for space in (0, 10):
                with suppress(InvalidTitle):
                    title = site.titles.parse(text, space)
                    again = site.titles.parse(title.prefixed_text)
                    assert (again.key, again.interwiki) == (title.key, title.interwiki)
                    assert again.prefixed_text == title.prefixed_text
                    title.prefixed_dbkey.encode()
                    site.page_url(title).partition("#")[0].encode("ascii")

        pieces = st.sampled_from(PIECES) | st.text(max_size=4)
        yield Opened(st.lists(pieces, max_size=12).map("".join), check, text_of, PIECES)


TITLES = Target("titles", _titles, 500)
