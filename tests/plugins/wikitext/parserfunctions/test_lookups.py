"""Words that ask the store: what they count, what they note, how often they may ask."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wikiapi.store.models import PageRestrictions, UserProperties
from wikiapi.testing import DeclaredFile, DeclaredUser
from wikiapi.wikitext.options import ParserOptions

PAGES = {
    "Page": "one",
    "Second": "two {{Shared}}",
    "Template:Shared": "x",
    "File:A.png": "a file",
}
ENGLISH = ("{{PAGESIZE:%s}}", "{{REVISIONID:%s}}", "{{PAGEID:%s}}", "{{#ifexist:%s|a|b}}")


@pytest.fixture(scope="module")
def site(make_module_site):
    made = make_module_site(
        PAGES,
        users=[DeclaredUser("Ada", groups=("sysop",)), DeclaredUser("Bo")],
        files=[DeclaredFile("A.png")],
    )
    made.db.insert_many(UserProperties, [(1, "gender", "female"), (2, "gender", "male")])
    rows = [(1, 1, "edit", "sysop", 0, None, "infinity"), (2, 1, "move", "sysop", 0, None, "2025")]
    rows.append((3, 2, "edit", "autoconfirmed", 1, None, "20270101000000"))
    rows[1] = (*rows[1][:6], "20250101000000")
    columns = ("pr_id", "pr_page", "pr_type", "pr_level", "pr_cascade", "pr_expiry")
    for row in rows:
        values = (*row[:5], row[6])
        made.db.execute_write(PageRestrictions.insert(dict(zip(columns, values, strict=True))))
    return made


@pytest.fixture
def parse(site):
    def run(text, title="Test"):
        return site.parser.parse(text, site.titles.parse(title), ParserOptions())

    return run


@pytest.mark.parametrize(
    ("text", "title", "expanded"),
    [
        ("{{PROTECTIONLEVEL:edit}} {{PROTECTIONEXPIRY:edit}}", "Page", "sysop infinity"),
        ("{{PROTECTIONLEVEL:move}}|{{PROTECTIONEXPIRY:move}}", "Page", "|infinity"),
        ("{{PROTECTIONLEVEL:EDIT|Second}}", "Page", "autoconfirmed"),
        ("{{PROTECTIONEXPIRY:edit|Second}}", "Page", "20270101000000"),
        ("{{PROTECTIONEXPIRY:upload|Page}}|{{PROTECTIONLEVEL:edit|<}}", "Page", "|"),
        ("{{gender:Ada|he|she|they}} {{gender:User:Bo|he|she|they}}", "Page", "she he"),
        ("{{filepath:A.png}}", "Page", "http://127.0.0.1:8080/images/7/70/A.png"),
        ("{{filepath:A.png|nowiki}}", "Page", "http://127.0.0.1:8080/images/7/70/A.png"),
        ("{{#ifexist:Media:A.png|y|n}} {{#ifexist:Media:B.png|y|n}}", "Page", "y n"),
        ("{{PAGEID}} {{PAGESIZE:{{PAGENAME}}}}", "Second", "2 14"),
    ],
)
def test_facts(site, text, title, expanded):
    assert site.parser.expand(text, site.titles.parse(title)) == expanded


@pytest.mark.parametrize("word", ENGLISH)
def test_a_page_costs_one_look_up(site, parse, word):
    with site.db.recording() as queries:
        output = parse((word % "Page") * 5 + (word % "Second"))
    assert output.usage.expensive_calls == 2
    assert len([query for query in queries if "page_id" in query.sql]) <= 4


@pytest.mark.parametrize("word", ENGLISH)
def test_there_is_a_limit(parse, word):
    output = parse("".join(word % f"P{number}" for number in range(105)))
    assert output.usage.expensive_calls == 105
    assert "Pages_with_too_many_expensive_parser_function_calls" in output.categories
    assert output.warnings


def test_pages_that_are_queried_count_as_used(parse):
    output = parse("{{PAGESIZE:Page}}{{REVISIONID:Nowhere}}{{#ifexist:Second|a}}{{PAGEID:Gone}}")
    assert [title.text for title in output.templates.values()] == ["Page", "Nowhere"]
    assert output.template_ids[0, "Page"] == (1, 1)
    assert [title.text for title in output.existence_links.values()] == ["Second"]
    assert [title.text for title in output.links.values()] == ["Gone"]


@pytest.mark.parametrize(
    ("word", "seconds"),
    [
        ("CURRENTTIME", 3600),
        ("LOCALTIMESTAMP", 3600),
        ("CURRENTHOUR", 669),
        ("CURRENTDAY2", 36_669),
        ("CURRENTDOW", 36_669),
        ("CURRENTWEEK", 123_069),
        ("CURRENTMONTHNAME", 814_269),
        ("CURRENTYEAR", 3_492_669),
        ("NUMBEROFPAGES", 3600),
        ("SITENAME", None),
    ],
)
def test_words_expire_when_their_values_change(make_site, word, seconds):
    site = make_site({}, clock=lambda: datetime(2026, 11, 21, 13, 48, 51, tzinfo=UTC))
    page = site.titles.parse("Page")
    assert site.parser.parse(f"{{{{{word}}}}}", page).cache_expiry == seconds


def test_what_changes_first_counts(parse):
    assert parse("{{CURRENTTIME}}{{CURRENTYEAR}}").cache_expiry <= 3600


def test_counters_are_read_once(site, parse):
    with site.db.recording() as queries:
        parse("{{NUMBEROFPAGES}} {{NUMBEROFFILES}} {{NUMBEROFADMINS}} {{NUMBERINGROUP:sysop}}")
    assert len(queries) == 2


def test_a_message_may_not_be_html(parse):
    html = parse("{{int:<script>alert(1)</script>}}").html
    assert "<script" not in html


def test_messages_that_call_each_other_end(make_site):
    site = make_site({"MediaWiki:Again": "{{int:again}}{{int:again}}x"})
    output = site.parser.parse("{{int:again}}", site.titles.parse("A"))
    assert output.html.count("Template loop detected") == 2
    assert output.usage.nodes < 100


def test_local_time_is_the_wikis(make_site):
    site = make_site({}, config={"site": {"timezone": "Pacific/Auckland", "language": "de"}})
    words = "{{CURRENTDAY}} {{LOCALDAY}} {{LOCALTIME}} {{LOCALMONTHNAME}} {{LOCALDAYNAME}}"
    title = site.titles.parse("A")
    assert site.parser.expand(words, title) == "1 2 01:00 Januar Freitag"


def test_a_language_has_digits_of_its_own(make_site):
    site = make_site({}, config={"site": {"language": "fa"}})
    title = site.titles.parse("A")
    words = "{{CURRENTDAY2}} {{CURRENTTIMESTAMP}} {{formatnum:12}} {{formatnum:\u06f1|R}}"
    assert site.parser.expand(words, title) == "\u06f0\u06f1 20260101120000 \u06f1\u06f2 1"


def test_a_wiki_names_its_tracking_categories_itself(make_site):
    site = make_site(
        {
            "Template:Loop": "{{Loop}}",
            "MediaWiki:Template-loop-category": "Rings\n",
            "MediaWiki:Duplicate-args-category": "-",
        }
    )
    output = site.parser.parse("{{Loop|a=1|a=2}}", site.titles.parse("A"))
    assert output.categories == {"Rings": ""}


def test_tracking_categories_have_the_sort_key_of_the_page(make_site):
    site = make_site({})
    text = "{{formatnum:a}} {{DEFAULTSORT:!}} {{#dir:a&b}} [[Category:C]] [[File:Missing.png]]"
    output = site.parser.parse(text, site.titles.parse("A"))
    assert output.categories == {
        "Pages_with_non-numeric_formatnum_arguments": "",
        "Pages_with_invalid_language_codes": "!",
        "C": "",
        "Pages_with_broken_file_links": "!",
    }
