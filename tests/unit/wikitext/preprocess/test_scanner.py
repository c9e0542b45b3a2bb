"""What the scanner hands to the pairing covers the text, whatever it is."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token

import wikiapi_grammar
from wikiapi.wikitext.preprocess.pairing import PairedToken, PairingPostLex
from wikiapi.wikitext.preprocess.scanner import RawScanner, RawText

SCANNED: list[RawText] = []
PAIRED: list[list[Token]] = []


class Noting(PairingPostLex):
    """Keeps what comes from the scanner, and what becomes of it."""

    def process(self, stream: RawText):  # type: ignore[no-untyped-def]
        matches = list(stream.terminals)
        SCANNED.append(RawText(stream.reading, iter(matches)))
        PAIRED.append(list(super().process(RawText(stream.reading, iter(matches)))))
        return iter(PAIRED[-1])


LARK = Lark(
    wikiapi_grammar.read("preprocessor"),
    parser="lalr",
    lexer=RawScanner,
    postlex=Noting(inclusion=False),
    keep_all_tokens=True,
)


@given(st.text("{}[]|=<!-/> \nané\U0001f30d\0"))
def test_terminals_follow_each_other_without_a_gap(text: str) -> None:
    LARK.parse(text)
    raw = SCANNED.pop()
    assert raw.reading.source == text
    assert "".join(terminal[0] for terminal in raw.terminals) == text


def test_a_paired_token_knows_its_place() -> None:
    token = PairedToken("TEXT", "ab", 7)
    assert (token, token.type, token.start_pos, token.ordinal) == ("ab", "TEXT", 7, 0)
    assert token.line is None


def test_paired_tokens_know_their_places() -> None:
    text = "a{{{{b|c=d}}\n=== e ==\n<!-- f -->\n{{{g|{{h}}}}}<noinclude>i</noinclude>j"
    LARK.parse(text)
    tokens = PAIRED.pop()
    assert {
        *("TEMPLATE_OPEN", "LINE_ARGUMENT_OPEN", "FLAT_TEMPLATE", "HEADING_OPEN"),
        *("COMMENT", "IGNORED"),
    } <= {token.type for token in tokens}
    ends = accumulate(map(len, tokens), initial=0)
    assert [token.start_pos for token in tokens] == list(ends)[:-1]
