"""Frames, arguments, transclusion and the limits on them."""

from __future__ import annotations

import pytest

PAGES = {
    "Page": "text",
    "Template:Echo": "{{{1}}}",
    "Template:Named": "[{{{a|none}}}]",
    "Template:Twice": "{{{1}}}{{{1}}}",
    "Template:Ten": "{{{1}}}" * 10,
    "Template:A": "{{B}}",
    "Template:B": "{{A}}",
    "Template:Deep": "{{#tag:nowiki|x}}{{Echo|{{Echo|{{Echo|y}}}}}}",
    "Template:To echo": "#REDIRECT [[Template:Echo]]",
    "Template:Twice to echo": "#REDIRECT [[Template:To echo]]",
    "Template:Thrice to echo": "#REDIRECT [[Template:Twice to echo]]",
    "Template:To nothing": "#REDIRECT [[Nothing]]",
    "Template:Forged": "\x7f'\"`UNIQ--nowiki-00000000-QINU`\"'\x7f",
}

pytestmark = pytest.mark.wiki(PAGES, config={"site": {"main_subpages": True}})

CASES = {
    "{{Echo|a}}": "a",
    "{{Echo| a }}": " a ",
    "{{Echo|1= a }}": "a",
    "{{Echo|a|1=b}}": "b",
    "{{Echo|1=a|b}}": "b",
    "{{ echo |a}}": "a",
    "{{Template:Echo|a}}": "a",
    "{{To echo|a}}": "a",
    "{{Twice to echo|a}}": "a",
    "a {{Thrice to echo}}": "a \n#REDIRECT [[Template:Echo]]",
    "a {{To nothing}}": "a \n#REDIRECT [[Nothing]]",
    "{{Echo}}": "{{{1}}}",
    "{{Named|a=x}}": "[x]",
    "{{Named|a=}}": "[]",
    "{{Named}}": "[none]",
    "{{Echo|{{Named|a={{Echo|y}}}}}}": "[y]",
    "{{:Page}}": "text",
    "{{Nothing here}}": "[[:Template:Nothing here]]",
    "{{Bad[title}}": "{{Bad[title}}",
    "{{Echo|<!-- b -->a}}": "a",
    "{{<!-- x -->Echo|a}}": "a",
    "{{{missing|{{Echo|d}}}}}": "d",
    "{{Echo|a=b=c}}": "{{{1}}}",
    "x{{Echo|* a}}": "x\n* a",
    "\n{{Echo|* a}}": "\n* a",
    "{{uc:{{Echo|a}}}}": "A",
    "{{padleft:x|1000|0}}": "0" * 499 + "x",
    "{{padleft:x|1_0|0}}": "x",
    "{{PAGENAME:a_b/c}}": "A b/c",
    "{{SUBPAGENAME:Talk:a/b}}": "b",
    "{{BASEPAGENAME:Talk:a/b/c}}": "A/b",
    "{{FULLPAGENAMEE:talk:a b}}": "Talk:A_b",
    "{{TALKPAGENAME:Page}}": "Talk:Page",
    "{{ns:99}}": "",
    "{{CURRENTYEAR}}-{{CURRENTMONTH}}-{{CURRENTDAY2}}": "2026-01-01",
    "{{NUMBEROFPAGES:R}}": "13",
}


@pytest.mark.parametrize("text", CASES)
def test_expansion(expand, text):
    assert expand(text) == CASES[text]


def test_a_loop_is_reported_and_the_rest_renders(parse):
    output = parse("a {{A}} b")
    assert "Template loop detected" in output.html
    assert "Pages_with_template_loops" in output.categories
    assert output.html.startswith('<div class="mw-content-ltr mw-parser-output"')


def test_what_is_transcluded_is_noted(parse):
    output = parse("{{To echo|a}}{{Nowhere}}")
    names = [title.prefixed_text for title in output.templates.values()]
    assert names == ["Template:To echo", "Template:Echo", "Template:Nowhere"]
    assert len(output.template_ids) == 2


def test_templates_are_fetched_a_level_at_a_time(site, parse):
    text = "{{Echo|a}}{{Named}}{{To echo|b}}{{Deep}}"
    with site.db.recording() as queries:
        parse(text)
    assert len(queries) <= 2, "one tells which texts are current, one reads those not known yet"
    with site.db.recording() as queries:
        parse(text)
    assert len(queries) == 1


def test_include_bomb_stops_at_the_ceiling(parse):
    text = "x" * 100
    for _ in range(8):
        text = f"{{{{Ten|{text}}}}}"
    output = parse(text)
    assert output.usage.included_size <= 2_097_152
    assert output.usage.argument_size <= 2_097_152
    assert len(output.html) < 30_000_000


def test_expansion_depth_is_capped(parse):
    output = parse("{{Echo|" * 300 + "x" + "}}" * 300)
    assert output.usage.highest_depth == 101
    assert "Expansion depth limit exceeded" in output.html


def test_figures_of_the_limit_report_are_the_usage(parse):
    output = parse("{{Echo|abc}}{{Echo|é}}")
    assert output.usage.included_size == 5
    assert output.usage.argument_size == 5
    assert f"Preprocessor visited node count: {output.usage.nodes}/1000000" in output.html
    assert "Post\u2010expand include size: 5/2097152 bytes" in output.html
    assert "Template argument size: 5/2097152 bytes" in output.html
    assert "Revision size: 23/2097152 bytes" in output.html
    assert "Transclusion expansion time report (%,ms,calls,template)" in output.html
    assert "2 Template:Echo" in output.html


def test_cache_figures_follow_the_clock(parse):
    assert "Cached time: 20260101120000" in parse("a").html
    assert "Reduced expiry: false" in parse("a").html
    assert "Reduced expiry: true" in parse("{{CURRENTTIME}}").html


@pytest.mark.parametrize("text", ["{{Forged}}", "\x7f'\"`UNIQ--nowiki-00000000-QINU`\"'\x7f"])
def test_forged_strip_markers_are_inert(parse, text):
    assert "secret" not in parse(text).html
    html = parse(f"<nowiki>secret</nowiki>{text}").html
    assert html.count("secret") == 1


def test_strip_markers_have_a_depth(parse):
    output = parse("{{#tag:pre|" * 25 + "x" + "}}" * 25)
    assert output.usage.unstrip_depth <= 20
