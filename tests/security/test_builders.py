"""Row 60: what modules build goes through the same gates as what stands in wikitext."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator

import pytest

from tests.security.harmless import harms
from tests.security.luawiki import lua_wiki, rendered
from tests.security.vectors import named
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.wikitext.html.css import INSECURE

EVIL_VALUES = (
    '"><script>alert(1)</script>',
    "' onload='alert(1)",
    '" onload="alert(1)" x="',
    "javascript:alert(1)",
    "&quot; onload=&quot;alert(1)",
    "a\n\nonload=alert(1)",
    "\x7f'\"`UNIQ--nowiki-00000000-QINU`\"'\x7f",
    '<nowiki>"><script>alert(1)</script></nowiki>',
    "expression(alert(1))",
    "url(//evil.example/x)",
    '{{Echo|">}}<b>',
    '-{a"onload=alert(1)}-',
)
VECTORS = tuple(named("techniques").values())
EVIL_NAMES = (
    "onload",
    "ONLOAD",
    "src",
    "SRC",
    "srcdoc",
    "href",
    "xlink:href",
    "style",
    "formaction",
)
BUILDERS = {
    "attr": "mw.html.create('div'):attr(name, value)",
    "attributes": "mw.html.create('div'):attr{[name] = value}",
    "class": "mw.html.create('div'):addClass(value)",
    "css": "mw.html.create('div'):css(name, value)",
    "css_text": "mw.html.create('div'):cssText(value)",
    "wikitext": "mw.html.create('div'):wikitext(value)",
    "node": "mw.html.create('a'):node(value)",
    "tag": "mw.text.tag('div', {[name] = value}, value)",
    "extension_tag": "frame:extensionTag('pre', value, {[name] = value})",
    "parser_function": "frame:callParserFunction('#tag', {'poem', value, [name] = value})",
    "marked": "mw.html.create('div'):attr('title', frame:extensionTag('nowiki', value))",
    "image": "mw.svg.new():setImgAttribute(name, value):toImage()",
    "picture": "mw.svg.new():setAttribute(name, value):toImage()",
    "content": "mw.svg.new():setContent(value):toImage()",
}
GIVEN = """
    local function text(index)
        return (frame.args[index]:gsub('%x%x', function(digits)
            return string.char(tonumber(digits, 16))
        end))
    end
    local name, value = text(1), text(2)
    local ok, built = pcall(function() return tostring({}) end)
    return ok and built or 'refused'
"""
PICTURE = re.compile(
    r'<img(?P<attributes>[^<>]*) src="data:image/svg\+xml;base64,(?P<data>[\w+/=]*)" />'
)
RUNNING = {
    "script": "<script>alert(1)</script>",
    "prefixed script": "<svg:script xmlns:svg='http://www.w3.org/2000/svg'>alert(1)</svg:script>",
    "handler": "<g onclick='alert(1)'/>",
    "handler on a new line": '<g\nonmouseover = "alert(1)"/>',
    "handler behind a value": '<g id="a"onload="alert(1)"/>',
    "address": "<a href='javascript:alert(1)'><text>x</text></a>",
    "hidden address": "<a href='java&#x09;script&#58;alert(1)'><text>x</text></a>",
    "old address": '<a xlink:href=" JAVASCRIPT:alert(1)"><text>x</text></a>',
    "document": "<a href='data:text/html,<script>alert(1)</script>'><text>x</text></a>",
    "HTML": "<foreignObject><iframe src='x'/></foreignObject>",
    "animated address": "<animate attributeName='href' values='x;javascript:alert(1)'/>",
    "animated handler": "<set attributeName='onclick' to='alert(1)'/>",
}
ORDINARY = (
    "<text x='1'>JavaScript: the good parts, once = twice, data: 5</text>",
    "<a href='https://wiki.example/'><path d='M0 0'/></a>",
    "<image href='data:image/png;base64,AAAA'/>",
    "<style>path { fill: red }</style><g transform='rotate(1)' font-size='2'/>",
)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    functions = {name: GIVEN.replace("{}", body) for name, body in BUILDERS.items()}
    made = lua_wiki(make_site, 60.0, {"Template:Echo": "{{{1}}}"}, **functions)
    yield made
    made.db.close()


def built(site: Site, builder: str, *attributes: tuple[str, str]) -> str:
    """Return the HTML of a page on which a builder was given names and values."""
    calls = (
        "|".join(text.encode("utf-8", "surrogatepass").hex() for text in each)
        for each in attributes
    )
    text = "\n\n".join(f"{{{{#invoke:M|{builder}|{call}}}}}" for call in calls)
    return rendered(site, text).partition("<!-- \nNewPP")[0]


def pictures(html: str) -> list[str]:
    """Return the pictures that are written in addresses."""
    return [base64.b64decode(match["data"]).decode() for match in PICTURE.finditer(html)]


def without_pictures(html: str) -> str:
    """Return the HTML with their addresses left out."""
    return PICTURE.sub(lambda match: f"<img{match['attributes']} />", html)


@pytest.mark.parametrize("builder", BUILDERS)
def test_nothing_that_is_built_runs(site: Site, builder: str) -> None:
    attributes = [(name, value) for name in EVIL_NAMES for value in EVIL_VALUES]
    html = built(site, builder, *attributes, *(("title", value) for value in VECTORS))
    assert not harms(without_pictures(html))


def test_images_have_the_attributes_of_wikitext(site: Site) -> None:
    html = built(
        site,
        "image",
        ("style", "background: url(//evil.example/x)"),
        ("STYLE", "width: expression(1)"),
        ("onload", "alert(1)"),
        ("Src", "javascript:alert(1)"),
        ("srcset", "//evil.example/x"),
        ("id", "a b"),
        ("title", '"><b>'),
        ("data-mw", "x"),
    )
    attributes = [match["attributes"] for match in PICTURE.finditer(html)]
    insecure = f' style="{INSECURE}"'
    plain = ["", "", "", ' id="a_b"', ' title="&quot;&gt;&lt;b&gt;"', ""]
    assert attributes == [insecure, insecure, *plain]


@pytest.mark.parametrize("name", RUNNING)
def test_pictures_hold_nothing_that_runs(site: Site, name: str) -> None:
    html = built(site, "content", ("", RUNNING[name]))
    assert "refused" in html
    assert not pictures(html)


@pytest.mark.parametrize("name", ["onload", "onclick", "ONLOAD"])
def test_pictures_have_no_handlers(site: Site, name: str) -> None:
    assert "refused" in built(site, "picture", (name, "alert(1)"))


@pytest.mark.parametrize("content", ORDINARY)
def test_ordinary_pictures_are_shown_as_they_are(site: Site, content: str) -> None:
    (picture,) = pictures(built(site, "content", ("", content)))
    assert picture == f'<svg xmlns="http://www.w3.org/2000/svg">{content}</svg>'


def test_only_what_is_built_becomes_a_picture(make_site: Callable[..., Site]) -> None:
    body = """
        local s = mw.svg.new()
        s.toString = function() return '<html/>' end
        return s:toImage()
    """
    html = rendered(lua_wiki(make_site, 60.0, f=body), "{{#invoke:M|f}}")
    assert pictures(html) == ['<svg xmlns="http://www.w3.org/2000/svg"></svg>']
