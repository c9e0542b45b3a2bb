"""Widgets that are plain HTML, and those that are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.api import call
from wikiapi.site import Site
from wikiapi_plugins.extensions.widgets import plain_html

WIDGETS = {"namespaces": [{"id": 274, "name": "Widget"}, {"id": 275, "name": "Widget talk"}]}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<b>x</b>", "<b>x</b>"),
        ("<noinclude>How to</noinclude><includeonly><i>x</i></includeonly> y", "<i>x</i>"),
        ("<noinclude>How to</noinclude><i>x</i>", "<i>x</i>"),
        ("<i><!--{$name}--></i>", "<i>&lt;b&gt;Ada</i>"),
        ("<i><!--{$name|escape:'html'}--></i>", "<i>&lt;b&gt;Ada</i>"),
        ("<i><!--{$none|default:'no one'|escape}--></i>", "<i>no one</i>"),
        ("<p title='<!--{$quote}-->'>x</p>", '<p title="&quot; onclick=&quot;x">x</p>'),
        ("<a href='https://a.example/'>x</a>", '<a href="https://a.example/">x</a>'),
        ("<a href='<!--{$bad}-->'>x</a>", "<a>x</a>"),
        ("<!-- a comment --><!--{* another *}--><b>x", "<b>x</b>"),
        ("x</div></div><b>y</b>", "x<b>y</b>"),
        ("<script>x</script>", ""),
        ("<b onclick='x'>x</b>", ""),
        ("<b/onclick=x>x</b>", ""),
        ("<iframe src='https://a.example/'></iframe>", ""),
        ("<a href='java<!--x-->script:alert(1)'>x</a>", ""),
        ("<img src='https://a.example/a.png'>", ""),
        ("<form><input></form>", ""),
        ("<!--{if $name}-->x<!--{/if}-->", ""),
        ("<style>p { color: red }</style>", ""),
        ("", ""),
        ("x" * 30_000, ""),
    ],
)
def test_plain_html(source: str, expected: str) -> None:
    values = {"name": "<b>Ada", "quote": '" onclick="x', "bad": "javascript:alert(1)"}
    assert plain_html(source, values) == expected


@pytest.mark.parametrize(
    "source", ["<!--{$a" * 2_000, "<noinclude>" * 1_500, "<b " * 6_000, "<!--{$a|escape" * 1_200]
)
def test_hostile_widgets_take_no_time(source: str) -> None:
    assert "script" not in plain_html(source, {})


def test_a_plain_widget_is_shown(make_site: Callable[..., Site]) -> None:
    site = make_site(
        {"Widget:Card": "<div class='card'><!--{$name}--></div>", "Widget:Player": "<script>"},
        config=WIDGETS,
    )

    def html(text: str) -> str:
        return str(call(site, {"action": "parse", "text": text, "prop": "text"}))

    assert '<div class="card">A &amp; B</div>' in html("{{#widget:Card|name=A & B}}")
    assert "widget-placeholder" in html("{{#widget:Player}}")
    assert "widget-placeholder" in html("{{#widget:Nowhere}}")


def test_without_the_namespace_there_are_no_widgets(make_site: Callable[..., Site]) -> None:
    site = make_site({"Widget:Card": "<b>x</b>"})
    params = {"action": "parse", "text": "{{#widget:Card}}", "prop": "text"}
    assert "widget-placeholder" in str(call(site, params))
