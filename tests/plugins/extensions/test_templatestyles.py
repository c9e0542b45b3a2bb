from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.site import Site
from wikiapi.testing import Wiki, ask
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi_plugins.extensions import templatestyles
from wikiapi_plugins.extensions.templatestyles import MAX_BYTES
from wikiapi_plugins.extensions.templatestyles.sheet import sanitized

OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
SCOPE = ".mw-parser-output"
LEFT_OUT = "/* disallowed parts have been left out */"
CATEGORY = "Pages_with_TemplateStyles_errors"


pytestmark = pytest.mark.wiki(
    {
        "Page": "text",
        "Template:A/styles.css": ".a { color: red }",
        "Template:Long/styles.css": "a{color:red}" * (MAX_BYTES // 12 + 1),
        "Template:Plain": "no sheet",
    },
    writable=False,
)


def parse(site: Site, text: str) -> ParserOutput:
    return site.parser.parse(text, site.titles.parse("Page"), OPTIONS)


def test_sheet_is_shown_once_and_counts_as_transcluded(site: Site) -> None:
    output = parse(
        site, '<templatestyles src="A/styles.css" />x<templatestyles src=A/styles.css />'
    )
    assert ">.mw-parser-output .a{color:red}</style>" in output.html
    assert output.html.count("<style") == 1
    assert '<link rel="mw-deduplicated-inline-style" href="mw-data:TemplateStyles:r' in output.html
    assert [title.prefixed_text for title in output.templates.values()] == ["Template:A/styles.css"]
    assert CATEGORY not in output.categories


def test_wrapper_narrows_the_scope(site: Site) -> None:
    html = parse(site, '<templatestyles src="A/styles.css" wrapper=".w" />').html
    assert '/mw-parser-output/.w">.mw-parser-output .w .a{color:red}</style>' in html


@pytest.mark.parametrize(
    ("attributes", "said", "templates"),
    [
        ("", "needs its", 0),
        ("src='<'", "not a valid title", 0),
        ("src='No/styles.css'", "has no content.", 1),
        ("src='Plain'", "does not contain sanitized CSS", 1),
        ("src='Long/styles.css'", "too long", 1),
        ("src='A/styles.css' wrapper='.a &gt; .b'", "simple selector", 0),
        ("src='A/styles.css' wrapper='.a{}&lt;/style&gt;'", "simple selector", 0),
    ],
)
def test_errors_show_and_are_tracked(
    site: Site, attributes: str, said: str, templates: int
) -> None:
    output = parse(site, f"<templatestyles {attributes} />")
    assert '<strong class="error">' in output.html
    assert said in output.html
    assert "<style" not in output.html
    assert set(output.categories) == {CATEGORY}
    assert len(output.templates) == templates
    assert not output.links


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a, .b > #c { margin : 0 auto ; }", f"{SCOPE} a,{SCOPE} .b > #c{{margin:0 auto}}"),
        ("html.n body.m .a{top:0}", f"html.n body.m {SCOPE} .a{{top:0}}"),
        ("html > .a{top:0}", f"{SCOPE} html > .a{{top:0}}"),
        ("body{top:0}", f"{SCOPE} body{{top:0}}"),
        (
            "li:nth-child(2n+1)::after{content:'·'}",
            f'{SCOPE} li:nth-child(2n+1)::after{{content:"·"}}',
        ),
        ("a[href^='x']{color:#fff!important}", f'{SCOPE} a[href^="x"]{{color:#fff!important}}'),
        (
            "@media screen and (max-width:640px){a{float:none}}",
            f"@media screen and (max-width:640px){{{SCOPE} a{{float:none}}}}",
        ),
        (
            "@supports (display:grid){a{gap:1em}}",
            f"@supports (display:grid){{{SCOPE} a{{gap:1em}}}}",
        ),
        ("@page{margin:1cm}", "@page{margin:1cm}"),
        (
            "@keyframes k{from{opacity:0}50%{opacity:.5}}",
            "@keyframes k{from{opacity:0}50%{opacity:.5}}",
        ),
        ("a{width:calc(100% - 2em)}", f"{SCOPE} a{{width:calc(100% - 2em)}}"),
        ("a{}", ""),
    ],
)
def test_allowed_rules_are_scoped(css: str, expected: str) -> None:
    assert sanitized(css, SCOPE) == expected


@pytest.mark.parametrize(
    "css",
    [
        "@import 'x.css';",
        "@charset 'x';",
        "@namespace x 'y';",
        "> a{top:0}",
        "a,{top:0}",
        "a{unknown:1}",
        "a{--x:1}",
        "a{behavior:x}",
        "a{-moz-binding:x}",
        "@font-face{font-family:'Skin';src:local('x')}",
        "a{b{top:0}}",
        "a:has(b){top:0}",
        "html /**/ ~ .x{top:0}",
        "html  /**/ /**/ > body /**/ + .x,{top:0}",
    ],
)
def test_the_rest_is_left_out(css: str) -> None:
    assert sanitized(css, SCOPE) == LEFT_OUT


@pytest.mark.parametrize("deep", ["(" * 50_000, "f(" * 50_000, "calc(" * 20_000])
def test_deep_nesting_is_left_out(deep: str) -> None:
    assert sanitized(f"a{{width:{deep}", SCOPE) == LEFT_OUT
    assert sanitized("@media all{" * 9_000, SCOPE).startswith(LEFT_OUT)


def is_refused(css: str) -> bool:
    return sanitized(f"a{{top:0;{css}}}", SCOPE) == f"{LEFT_OUT}{SCOPE} a{{top:0}}"


@pytest.mark.parametrize(
    "value",
    ["url(x)", "url('x')", "URL( x", "u\\72l(x)", "src('x')", "image('x')", "uRl(/**/'x')"],
)
def test_url(value: str) -> None:
    assert is_refused(f"background:{value}")


@pytest.mark.parametrize("value", ["expression(1)", "EXPRESSION(1)", "calc(expression(1))"])
def test_expression(value: str) -> None:
    assert is_refused(f"width:{value}")


@pytest.mark.parametrize("value", ["\\65xpression(1)", "\\000065 xpression(1)", "e\\xpression(1)"])
def test_escaped_expression(value: str) -> None:
    assert is_refused(f"width:{value}")


@pytest.mark.parametrize("value", ["image-set('x' 1x)", "-webkit-image-set(url(x) 1x)"])
def test_image_set(value: str) -> None:
    assert is_refused(f"background-image:{value}")


@pytest.mark.parametrize("value", ["exp/**/ression(1)", "ur/**/l(x)", "attr(x url)"])
def test_comments(value: str) -> None:
    assert is_refused(f"width:{value}")
    assert "/*" not in sanitized("a/*x*/{top:/*y*/0}", SCOPE)
    assert "/*" not in sanitized("a{grid-area:1//**/* 2}", SCOPE)


@pytest.mark.parametrize(
    "css",
    [
        "a{content:'</style><script>x</script>'}",
        "a{content:'\\3c/style\\3e'}",
        "a.\\3c\\2fstyle\\3e{top:0}",
        "a[x='</style>']{top:0}",
        "/*</style>*/a{top:0}",
        "</style>{top:0}",
        "@media </style>{a{top:0}}",
        "a{font-family:\\3c\\2fstyle\\3e}",
    ],
)
def test_style_break_out(css: str) -> None:
    assert "<" not in sanitized(css, SCOPE)


HOSTILE = {
    "loading": "a{background:url(//evil.example/x);cursor:url(x)}@import 'x';",
    "running": "a{width:expression(alert(1));behavior:url(x);-moz-binding:url(x)}",
    "escaped": "a{wi\\64th:\\65xpression(1);background:u\\72l(x)}",
    "breaking out": "a{content:'</style><script>alert(1)</script>'}",
    "leaving its scope": "html,body,:root{display:none}",
    "unclosed": "a{" * 20_000,
    "brackets": "a{width:" + "(" * 20_000,
    "selectors": ":not(" * 20_000 + "{top:0}",
    "comments": "/*" * 50_000,
    "escapes": "\\" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_sheet_and_the_server_goes_on(make_site: Callable[..., Site], name: str) -> None:
    pages = {
        "Template:Hostile/styles.css": HOSTILE[name],
        "Template:A/styles.css": ".a { color: red }",
    }
    site = make_site(pages)
    request = {"action": "parse", "contentmodel": "wikitext", "prop": "text"}
    answer = ask(site, {**request, "text": "<templatestyles src='Hostile/styles.css' />x"})
    html = answer.data["parse"]["text"].lower()
    for word in ("evil.example", "expression(", "url(", "<script", "@import", "binding"):
        assert word not in html
    # The next reader of the same server.
    after = ask(site, {**request, "text": "<templatestyles src='A/styles.css' />x"})
    assert ".mw-parser-output .a{color:red}" in after.data["parse"]["text"]


def test_a_sheet_is_checked_once_for_each_wrapper(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []

    def note(css: str, scope: str) -> str:
        checked.append(scope)
        return sanitized(css, scope)

    monkeypatch.setattr(templatestyles, "sanitized", note)
    tags = '<templatestyles src="A/styles.css" /><templatestyles src="A/styles.css" wrapper=".b" />'
    first, again = parse(wiki.site, tags), parse(wiki.site, tags)
    assert checked == [SCOPE, f"{SCOPE} .b"]
    assert first.html == again.html
    assert first.html.count("color:red") == 2
