"""Paragraphs of Parsoid's form: formatting around several, blanks, and lists from calls."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.wiki({"Template:1x": "{{{1}}}"})
_CALL = 'about="#mwt1" typeof="mw:Transclusion"'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>a\n\nb</b>", "<p><b>a</b></p>\n\n<p><b>b</b></p>"),
        ("<i>a <b>c\n\nb</b></i>", "<p><i>a <b>c</b></i></p>\n\n<p><i><b>b</b></i></p>"),
        ("<i>a\n\n''b''</i>", "<p><i>a</i></p>\n\n<p><i><i>b</i></i></p>"),
        ("<b> <div>x</div> </b>", "<b> <div>x</div> </b>"),
        ("<i>a <div>x</div> b</i>", "<p><i>a </i></p><i><div>x</div></i><p><i> b</i></p>"),
        ("<b>x</b> <div>y</div>", "<p><b>x</b> </p><div>y</div>"),
        (
            "{{1x|1=<b>x</b> <div>y</div>}}",
            f'<p {_CALL}><b>x</b> </p><div about="#mwt1">y</div>',
        ),
        ("{{1x|<b>x</b>}} <div>y</div>", f"<p {_CALL}><b>x</b></p> <div>y</div>"),
        ("foo{{1x|*a}}", f"<p>foo</p><ul {_CALL}><li>a</li></ul>"),
        ("* x {{1x|*a}}", f"<ul><li>x</li><li {_CALL}>a</li></ul>"),
        ("{{1x|*a}}", f"<ul {_CALL}><li>a</li></ul>"),
        ("foo\n{{1x|*a}}", f"<p>foo</p>\n<ul {_CALL}><li>a</li></ul>"),
    ],
)
def test_paragraphs(rendered, text, html):
    assert rendered(text).strip() == html
