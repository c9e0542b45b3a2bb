from __future__ import annotations

import pytest

from wikiapi.site import Site
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput

OPTIONS = ParserOptions(limit_report=False, wrapper_class="")

pytestmark = pytest.mark.wiki({"Page": "text"})


def parsed(site: Site, text: str) -> ParserOutput:
    return site.parser.parse(text, site.titles.parse("Page"), OPTIONS)


@pytest.mark.parametrize(
    ("source", "target", "text", "html"),
    [
        ("sr-ec", "sr-el", "Љубљана, Џак", "Ljubljana, Džak"),
        ("sr-el", "sr-ec", "Njegoš DŽIN konj", "Његош ЏИН коњ"),
        ("sr-ec", "sr-el", "'''Ђ''' &nbsp;", "<b>Đ</b> &#160;"),
        ("sr-ec", "sr-el", "<nowiki>Ђ</nowiki>", "Ђ"),
        ("sr-ec", "sr-ec", "Ђ", "Ђ"),
        ("crh-latn", "crh-cyrl", "Qırım", "Qırım"),
        ("tg", "tg-latn", "тоҷикӣ", "toçikī"),
    ],
)
def test_text(site: Site, source: str, target: str, text: str, html: str) -> None:
    tag = f"<langconvert from={source} to={target}>{text}</langconvert>"
    assert parsed(site, tag).html.strip() == f"<p>{html}\n</p>"


@pytest.mark.parametrize("attributes", ["", "from=sr-ec", "from=sr-ec to=zh-cn", "from=x to=x"])
def test_ways_of_different_languages(site: Site, attributes: str) -> None:
    html = parsed(site, f"<langconvert {attributes}>Ђ</langconvert>").html
    assert '<span class="error">' in html
    assert "Ђ" not in html


def test_missing_conversion_is_warned_of(site: Site) -> None:
    output = parsed(site, "<langconvert from=crh-latn to=crh-cyrl>Qırım</langconvert>")
    assert len(output.warnings) == 1
    assert "from crh-latn to crh-cyrl" in next(iter(output.warnings.values()))
