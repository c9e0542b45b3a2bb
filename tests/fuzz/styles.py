"""The target that takes CSS: inline styles, and the sheets of TemplateStyles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import strategies as st

from tests.fuzz.target import Opened, Target, text_of
from tests.fuzz.words import words
from tests.security.harmless import harms
from wikiapi.wikitext.html.css import INSECURE, INVALID_CONTROL, check_css
from wikiapi.wikitext.html.sanitizer import sanitize_tags
from wikiapi_plugins.extensions.templatestyles.sheet import problems, sanitized

REFUSALS = (INSECURE, INVALID_CONTROL)
SCOPE = ".mw-parser-output"
PIECES = (
    *words("a b .a #b * html body :root ::before :not( [a=b] > + ~ , { } ; : ( ) [ ] ! !important"),
    *words("@media @supports @page @font-face @keyframes @import @charset @namespace @a from 50%"),
    *words("color:red width:calc(1px+2%) font-family: TemplateStylesA --a:b var(--a) -moz-binding"),
    *words(
        "url( url(a) url('//a') src( image( image-set( expression( attr(a attr(a,url) behavior:"
    ),
    *words("accelerator: -o-link: filter: progid: javascript: 1 -1 1e9 .5 #fff U+0-7F // <!-- -->"),
    *words(
        "/* */ \\ \\0 \\75 \\000075 \\; \\' ' \" </style> < > & &amp; &#92; &#x75; u &quot; ｕ ⁽"
    ),
    *(" ", "\n", "\r\n", "\f", "\t", "\0", "\x0b", "\x7f", "\ud800", "\ufffd", "\U0001f37a", "é"),
)


@contextmanager
def _css() -> Iterator[Opened]:
    def check(text: str) -> None:
        """Check that what is left of a style or sheet loads nothing, and is left as it is then."""
        style = check_css(text)
        # A refusal is a comment, and comments are left out.
        assert style in REFUSALS or check_css(style.replace("&", "&amp;")) == style
        element = sanitize_tags('<b style="{}">'.format(text.replace('"', "&quot;")))
        assert harms(f"{element}</b>") == []

        sheet = sanitized(text, SCOPE)
        assert "<" not in sheet
        assert harms(f"<style>{sheet}</style>") == []
        assert problems(sheet) == []

    yield Opened(
        st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join),
        check,
        text_of,
        PIECES,
    )


CSS = Target("css", _css, 300)
