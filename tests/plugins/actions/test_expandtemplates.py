"""``action=expandtemplates``: each property, both formats, and what is refused."""

from __future__ import annotations

import pytest

from wikiapi.testing import Edit, ask

PAGES = {
    "Template:Echo": "{{{1}}}",
    "Template:Loop": "{{Loop}}",
    "Page": [Edit("one", user="Ada"), Edit("three", user="Bo")],
    "Other": "x",
}


pytestmark = pytest.mark.wiki(PAGES, users=["Ada", "Bo"])


@pytest.fixture
def expand(site):
    def run(text, version=2, **params):
        answer = ask(site, {"action": "expandtemplates", "text": text, **params})
        return answer.version1 if version == 1 else answer.data

    return run


def test_wikitext(expand):
    answer = expand("{{Echo|{{PAGENAME}}}}", prop="wikitext", title="Help:A b")
    assert answer["expandtemplates"] == {"wikitext": "A b"}


def test_without_a_title_the_page_is_named_api(expand):
    assert expand("{{PAGENAME}}", prop="wikitext")["expandtemplates"] == {"wikitext": "API"}


def test_tree_alone_expands_nothing(site, expand):
    with site.db.recording() as queries:
        answer = expand("{{Echo|a=1|b}}", prop="parsetree")
    tree = (
        "<root><template><title>Echo</title><part><name>a</name><equals>=</equals>"
        '<value>1</value></part><part><name index="1"/><value>b</value></part></template></root>'
    )
    assert answer["expandtemplates"] == {"parsetree": tree}
    assert not queries


def test_what_was_found(expand):
    answer = expand("{{Loop}}{{DEFAULTSORT:k}}", 1, prop="categories|properties|volatile|ttl")
    assert answer["expandtemplates"] == {
        "categories": [{"sortkey": "", "*": "Pages_with_template_loops"}],
        "properties": [{"name": "defaultsort", "*": "k"}],
    }


def test_nothing_found_is_left_out(expand):
    answer = expand("x", prop="wikitext|categories|properties|volatile")
    assert answer["expandtemplates"] == {"wikitext": "x", "volatile": False}


def test_the_time_limits_how_long_it_is_valid(expand):
    answer = expand("{{CURRENTMONTH}}{{CURRENTTIME}}", prop="wikitext|ttl")
    assert answer["expandtemplates"] == {"wikitext": "0112:00", "ttl": 3600}


def test_modules_and_variables(expand):
    answer = expand("x", prop="modules|jsconfigvars|encodedjsconfigvars")
    assert answer["expandtemplates"] == {
        "modules": [],
        "modulescripts": [],
        "modulestyles": [],
        "jsconfigvars": {},
        "encodedjsconfigvars": "[]",
    }
    assert "warnings" not in answer
    assert "warnings" in expand("x", prop="modules")


def test_comments(expand):
    text = "a<!-- b -->{{Echo|c<!-- d -->e}}"
    assert expand(text, prop="wikitext")["expandtemplates"]["wikitext"] == "ace"
    kept = expand(text, prop="wikitext", includecomments="1")
    assert kept["expandtemplates"]["wikitext"] == "a<!-- b -->ce"


def test_revision(expand):
    words = "{{REVISIONID}} {{REVISIONUSER}} {{REVISIONSIZE}} {{PAGENAME}}"
    answer = expand(words, prop="wikitext", revid="3")
    assert answer["expandtemplates"]["wikitext"] == "3 Ada 3 Page"
    answer = expand(words, prop="wikitext", revid="4", title="Other")
    assert answer["expandtemplates"]["wikitext"] == "4 Bo 5 Page"
    assert "expandtemplates" in answer["warnings"]
    assert expand("x", prop="wikitext", revid="99")["error"]["code"] == "nosuchrevid"


def test_the_old_shape(expand):
    answer = expand("{{Echo|x}}", 1, generatexml="1")
    assert answer["expandtemplates"] == {"*": "x"}
    assert answer["parsetree"]["*"].startswith("<root><template>")
    assert 'Without "prop"' in answer["warnings"]["expandtemplates"]["*"]
    assert expand("{{Echo|x}}")["expandtemplates"] == {"wikitext": "x"}


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"title": "<"}, "invalidtitle"),
        ({"prop": "wikitext", "generatexml": "1"}, "invalidparammix"),
        ({"prop": "wikitext", "revid": "x"}, "badinteger"),
    ],
)
def test_refused(expand, params, code):
    assert expand("x", **params)["error"]["code"] == code


def test_text_is_needed(site):
    answer = ask(site, {"action": "expandtemplates", "prop": "wikitext"}).data
    assert answer["error"]["code"] == "missingparam"


def test_saving(site):
    fields = {"action": "parse", "title": "A", "contentmodel": "wikitext"}
    text = "{{subst:Echo|'''x'''}} [[B (c)|]] "
    asked = fields | {"text": text, "onlypst": "1", "summary": "s", "prop": "wikitext"}
    answer = ask(site, asked).data
    assert answer["parse"] == {
        "text": "'''x''' [[B (c)|B]]",
        "wikitext": text,
        "parsedsummary": "s",
    }
    answer = ask(site, fields | {"text": text, "pst": "1", "prop": "text|wikitext"}).data
    assert "<b>x</b>" in answer["parse"]["text"]
    assert answer["parse"]["psttext"] == "'''x''' [[B (c)|B]]"


def test_saving_what_is_not_wikitext(site):
    fields = {"action": "parse", "title": "A", "contentmodel": "text"}
    answer = ask(site, fields | {"text": "{{subst:Echo|x}}\r\n\n", "onlypst": "1"}).data
    assert answer["parse"]["text"] == "{{subst:Echo|x}}"
