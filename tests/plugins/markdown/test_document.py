from __future__ import annotations

import pytest

from wikiapi_plugins.markdown.document import to_blocks, to_markdown

CASES = {
    "marks": ("<p><b>a</b> <i> b </i><s>c</s><i></i></p>", "**a** *b* ~~c~~"),
    "nested marks": ("<b>a<b>b</b></b>", "**ab**"),
    "text is escaped": (
        "<p>*a* [b] `c` &lt;d snake_case _e_ &amp;lt;</p>",
        "\\*a\\* \\[b\\] \\`c\\` \\<d snake_case \\_e\\_ &amp;lt;",
    ),
    "text begins no block": (
        "<p># a<br>- b<br>1. c<br>===</p>",
        "\\# a\\\n\\- b\\\n1\\. c\\\n\\===",
    ),
    "link": ('<a href="/wiki/A_(b)">x <b>y</b></a>', "[x **y**](/wiki/A_%28b%29)"),
    "missing page": ('<a class="new" href="/w/index.php?redlink=1">x</a>', "x"),
    "script": ('<a href=" javascript:x()">x</a><img src="data:x" alt="y">', "xy"),
    "heading": (
        (
            '<div class="mw-heading"><h3 id="A_b">A <i>b</i></h3>'
            '<span class="mw-editsection">edit</span></div>'
        ),
        "### A *b*",
    ),
    "list": ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
    "numbers": ('<ol start="3"><li>a</li><li>b</li></ol>', "3. a\n4. b"),
    "definitions": ("<dl><dt>a</dt><dd>b</dd></dl>", "**a**\n- b"),
    "quotation": ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    "code": (
        '<div class="mw-highlight-lang-python"><pre><span>a</span>\n```\n</pre></div>',
        "````python\na\n```\n````",
    ),
    "code in a line": ("<code>a`b</code>", "``a`b``"),
    "picture": (
        (
            '<figure><a class="mw-file-description" href="/wiki/File:A.png"><img alt="" '
            'src="/images/A_b.png"></a><figcaption>Words</figcaption></figure>'
        ),
        "![A b.png](/images/A_b.png)\n\nWords",
    ),
    "missing picture in a frame": (
        (
            '<figure><a class="new" href="/w/index.php?wpDestFile=A.png" title="File:A.png"><span '
            'class="mw-file-element mw-broken-media">File:A.png</span></a>'
            "<figcaption>Words</figcaption></figure>"
        ),
        "Words",
    ),
    "missing picture in a line": (
        (
            '<p>x <span><a class="new" href="/w/index.php?wpDestFile=A.png" title="File:A.png">'
            '<span class="mw-broken-media">Words</span></a></span></p>'
        ),
        "x Words",
    ),
    "missing pictures in a table that stays HTML": (
        (
            '<table><tr><td><h2>A <span><a class="new" href="/w/index.php?wpDestFile=A.png"'
            ' title="File:A.png"><span class="mw-broken-media">File:A.png</span></a> <a class="new"'
            ' href="/w/index.php?wpDestFile=B.png" title="File:B.png"><span'
            ' class="mw-broken-media">Words</span></a></span></h2></td><td>B</td></tr></table>'
        ),
        "<table><tr><td>A  Words</td><td>B</td></tr>\n</table>",
    ),
    "table": (
        (
            "<table><caption>C</caption><tr><th>a</th><th>b</th></tr>"
            "<tr><th>x|y</th><td>1<br>2</td></tr></table>"
        ),
        "C\n\n| a | b |\n| --- | --- |\n| x\\|y | 1<br>2 |",
    ),
    "rows of a label": ("<table><tr><th>a</th><td>b</td></tr></table>", "| a | b |\n| --- | --- |"),
    "spans": (
        (
            "<table><tr><td colspan=2>a</td><td rowspan=2>b</td></tr>"
            "<tr><td>c</td><td>d</td></tr></table>"
        ),
        "|  |  |  |\n| --- | --- | --- |\n| a |  | b |\n| c | d | b |",
    ),
    "nested table": (
        (
            '<table class="x"><tr><td>a<table><tr><td>&lt;b</td></tr></table></td>'
            "<td><pre>c\n\nd</pre></td></tr></table>"
        ),
        (
            "<table><tr><td>a<table><tr><td>&lt;b</td></tr>\n</table></td>"
            "<td><pre>c&#10;&#10;d</pre></td></tr>\n</table>"
        ),
    ),
    "note": (
        (
            'a<sup class="reference"><a href="#cite_note-x_y-1">[1]</a></sup>'
            '<ol class="references"><li id="cite_note-x_y-1"><i class="mw-cite-backlink">^</i>'
            " <span>b</span></li></ol>"
        ),
        "a[^x_y-1]\n\n[^x_y-1]: b",
    ),
    "reference without its note": (
        '<sup class="reference"><a href="#cite_note-1">[1]</a></sup>',
        "<sup>[\\[1\\]](#cite_note-1)</sup>",
    ),
    "left out": (
        (
            '<div class="navbox">a</div><p class="noprint">b</p><div role="navigation">c</div>'
            '<style>d</style><span style="display: none">e</span><p>f</p>'
        ),
        "f",
    ),
    "formula": (
        '<math display="inline"><mi>x</mi><annotation>{x^2}</annotation></math>',
        "${x^2}$",
    ),
    "nothing": ("<div></div><p>\n</p>", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str) -> None:
    html, expected = CASES[name]
    assert to_markdown(html) == expected


def test_addresses_are_resolved() -> None:
    html = '<a href="/wiki/A">a</a> <a href="/wiki/B">b</a> <img src="/i.png" alt="c">'
    text = to_markdown(html, {"/wiki/A": "A.md", "/wiki/B": "javascript:x"}.get)
    assert text == "[a](A.md) b c"


def test_headings_keep_level_and_anchor() -> None:
    (heading, text) = to_blocks('<h2 id="A">A <i>b</i></h2><p>c</p>')
    assert (heading.kind, heading.level, heading.anchor, heading.title) == (
        "heading",
        2,
        "A",
        "A *b*",
    )
    assert text.kind == "paragraph"


@pytest.mark.parametrize(
    "piece",
    [
        "<ul><li>x",
        "<blockquote>x",
        "<b>x",
        "<table><tr><td>x",
        "<dl><dd>x<p>",
        "<i><p>x",
        "<h2>x",
        "<table><tr><td colspan=1000 rowspan=60000>x<td>y",
        "<tr><td colspan=1000 rowspan=60000>x",
    ],
)
def test_output_grows_with_the_input_only(piece: str) -> None:
    short, long = (len(to_markdown("<table>" + piece * count)) for count in (500, 1000))
    assert long <= 2 * short + 1000
    assert long < 60 * len(piece) * 1000
