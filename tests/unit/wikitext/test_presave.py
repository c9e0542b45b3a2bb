"""The pre-save transform and the pipe trick, case by case and for any text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import counts
from wikiapi.testing import make_site
from wikiapi.wikitext import parser
from wikiapi.wikitext.presave import fill_in_links, is_transformed

CASES = Path(__file__).parents[2] / "fixtures" / "wikitext"
PAGES = {
    "Template:Echo": "{{{1}}}",
    "Template:Named": "[{{{a|none}}}]",
    "Template:Calls": "{{Echo|{{{1}}}}}",
    "Template:Safe": "{{safesubst:Echo|s}}",
    "Template:Commented": "x<!-- y -->z",
    "Template:Parts": "a<noinclude>b</noinclude><includeonly>c</includeonly>",
}


pytestmark = pytest.mark.wiki(PAGES)


def cases(name):
    for label, case in json.loads((CASES / name).read_text(encoding="utf-8")).items():
        yield pytest.param(*case[:2], *(case[2:] or ["Golden"]), id=label)


@pytest.mark.parametrize(("text", "saved", "title"), list(cases("presave.json")))
def test_what_is_saved(site, text, saved, title):
    assert site.parser.saved(text, site.titles.parse(title), "192.0.2.7") == saved


@pytest.mark.parametrize(("text", "saved", "title"), list(cases("pipetrick.json")))
def test_pipe_trick(site, text, saved, title):
    page = site.titles.parse(title)
    assert site.parser.saved(text, page, "192.0.2.7") == saved
    assert site.parser.saved(saved, page, "192.0.2.7") == saved


def test_a_signature_is_in_local_time():
    site = make_site({}, config={"site": {"timezone": "Asia/Kolkata"}})
    title = site.titles.parse("A")
    assert site.parser.saved("~~~~~", title, "x") == "17:30, 1 January 2026 (IST)"
    site.db.close()


def test_the_time_zone_of_a_signature_is_translated():
    texts = {"MediaWiki:Timezone-utc": "ت ع م"}
    site = make_site(texts, language="ar")
    assert site.parser.saved("~~~~~", site.titles.parse("A"), "x").endswith(" (ت ع م)")
    site.db.close()


def test_a_redirect_to_a_page_that_is_being_created_is_not_substituted():
    site = make_site({"Template:Box": "#REDIRECT [[New]]", "Template:End": "#REDIRECT [[None]]"})
    title, text = site.titles.parse("New"), "{{subst:Box}} {{subst:End}}"
    end = "\n#REDIRECT [[None]]"
    assert site.parser.saved(text, title, "x", creates_page=True) == f"{{{{subst:Box}}}} {end}"
    assert site.parser.saved(text, title, "x") == f"\n#REDIRECT [[New]] {end}"
    site.db.close()


def test_a_forged_marker_stays_text(site):
    title = site.titles.parse("A")
    forged = "\x7f'\"`UNIQ--nowiki-00000000-QINU`\"'\x7f"
    assert "secret" in site.parser.saved(f"<nowiki>secret</nowiki>{forged}", title, "x")
    assert site.parser.saved(f"<nowiki>secret</nowiki>{forged}", title, "x").count("secret") == 1


WORDS = (
    "[[ ]] | |]] [[| (a) (b) , : Help: {{subst: }} Echo ~~~ ~~~~~ <nowiki> </nowiki> <!-- --> "
    "<includeonly> é #if: {{{1| }}} （x） msgnw: safesubst: #tag:pre ="
)
ANY = re.compile("subst:")
PIECES = st.sampled_from(WORDS.split()) | st.sampled_from(
    [" ", "\n", "\r\n", "\x7f", "\0", "\ud800"]
)


@pytest.mark.parametrize("count", counts(300))
def test_no_text_fails(site, count):
    title = site.titles.parse("Here (x), Y")

    @given(st.lists(PIECES, max_size=40).map("".join))
    @settings(max_examples=count, deadline=None)
    def run(text):
        saved = site.parser.saved(text, title, "192.0.2.7")
        assert "\x7f" not in saved
        assert "\r" not in saved
        assert "~~~" not in saved or "<" in text

    run()


@pytest.mark.parametrize("count", counts(300))
def test_a_text_that_is_not_transformed_would_stay_the_same(site, count, monkeypatch):
    title = site.titles.parse("Here (x), Y")
    pieces = st.sampled_from([piece for piece in WORDS.split() if not is_transformed(piece, ANY)])
    more = st.sampled_from(
        [" ", "\n", "\r\n", "subst", "|", "=", "<pre>", "</PRE >", "<ref name=a/>"]
    )

    @given(st.lists(pieces | more, max_size=40).map("".join))
    @settings(max_examples=count, deadline=None)
    def run(text):
        saved = site.parser.saved(text, title, "192.0.2.7")
        with monkeypatch.context() as patch:
            patch.setattr(parser, "is_transformed", lambda *_: True)
            assert site.parser.saved(text, title, "192.0.2.7") == saved

    run()


@pytest.mark.parametrize(
    "text",
    ["[[a " * 5000 + "|]]", "[[" + "(a), " * 5000 + "|]]", "[[a (b), c|]]" * 3000, "[[|" * 9000],
)
def test_hostile_links(site, text):
    filled = fill_in_links(text, site.titles.parse("Here (x)"))
    assert len(filled) <= 2 * len(text)
