"""What ``action=edit`` saves, as MediaWiki answered to the same requests."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.errors import StoreBusy
from wikiapi.wikitext import Parser
from wikiapi_plugins.editing.edit import Edit

SECTIONS = "lead\n\n== A ==\naaa\n\n== B ==\nbbb\n\n== C ==\nccc"


pytestmark = pytest.mark.wiki({"Page": "x", "Sections": SECTIONS})


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


@pytest.mark.parametrize(
    ("params", "codes"),
    [
        ({"text": "q", "md5": md5("q")}, ""),
        ({"text": "q", "md5": md5("q").upper()}, "badmd5"),
        ({"text": "q", "md5": ""}, "badmd5"),
        ({"text": "q", "md5": "q"}, "badmd5"),
        ({"text": "q", "appendtext": "z", "md5": md5("q")}, "badmd5"),
        ({"text": "q", "appendtext": "z", "md5": md5("qz")}, "badmd5"),
        ({"text": "q", "appendtext": "z", "md5": md5("z")}, ""),
        ({"prependtext": "a", "appendtext": "z", "md5": md5("az")}, ""),
        ({"appendtext": "", "md5": md5("")}, ""),
        ({"text": "a\r\nb", "md5": md5("a\nb")}, "badmd5"),
        ({"text": "a\r\nb", "md5": md5("a\r\nb")}, ""),
        ({"text": "a  \n", "md5": md5("a  \n")}, ""),
    ],
)
def test_the_digest_of_what_is_sent(wiki: Actors, params: dict[str, Any], codes: str) -> None:
    assert wiki.act("Ada", "edit", title="Page", **params).codes == codes


@pytest.mark.parametrize("text", ["text", "appendtext"])
@pytest.mark.parametrize(
    ("section", "codes"),
    [("0", ""), ("new", ""), ("1", "nosuchsection"), ("T-1", "nosuchsection")],
)
def test_sections_of_a_page_that_does_not_exist(
    wiki: Actors, section: str, text: str, codes: str
) -> None:
    answer = wiki.act("Ada", "edit", title="New", section=section, **{text: "hello"})
    assert answer.codes == codes
    assert wiki.text("New") == (None if codes else "hello")


@pytest.mark.parametrize("values", [{"text": ""}, {"appendtext": " \n"}, {"prependtext": ""}])
@pytest.mark.parametrize(("title", "codes"), [("Page", "missingcommenttext"), ("New", "")])
def test_a_new_section_of_a_page_that_exists_needs_a_text(
    wiki: Actors, title: str, codes: str, values: dict[str, str]
) -> None:
    answer = wiki.act("Ada", "edit", title=title, section="new", sectiontitle="Head", **values)
    assert answer.codes == codes


@pytest.mark.parametrize("text", ["text", "appendtext"])
@pytest.mark.parametrize(
    ("section", "codes"),
    [
        ("new", "sectionsnotsupported"),
        ("0", "sectionsnotsupported"),
        ("1", "nosuchsection"),
        ("x", "invalidsection"),
    ],
)
def test_style_sheets_have_no_sections(wiki: Actors, section: str, codes: str, text: str) -> None:
    values = {"title": "User:Ada/a.css", "section": section, text: "hello"}
    if section == "1" and text == "appendtext":
        codes = "sectionsnotsupported"
    assert wiki.act("Ada", "edit", **values).codes == codes
    assert wiki.act("Ada", "edit", title="User:Ada/a.css", text="== H ==").codes == ""
    assert wiki.act("Ada", "edit", **values).codes == codes
    assert wiki.text("User:Ada/a.css") == "== H =="


def test_a_summary_of_blanks_is_none(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="New", text="hello", summary="\t\n ")
    page = wiki.query(titles="New", prop="revisions", rvprop="comment")["pages"][0]
    assert "hello" in page["revisions"][0]["comment"]


@pytest.mark.parametrize(("text", "is_replaced"), [("äöü", False), ("aou", True)])
def test_a_text_of_a_tenth_of_the_bytes_is_replaced(
    wiki: Actors, text: str, is_replaced: bool
) -> None:
    wiki.act("Ada", "edit", title="New", text="x" * 45)
    wiki.act("Ada", "edit", title="New", text=text)
    page = wiki.query(titles="New", prop="revisions", rvprop="comment|tags")["pages"][0]
    assert (text in page["revisions"][0]["comment"]) == is_replaced
    assert ("mw-replace" in page["revisions"][0]["tags"]) == is_replaced


def test_a_summary_is_about_the_text_that_was_typed(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="Template:Box", text="#REDIRECT [[Page]]")
    wiki.act("Ada", "edit", title="New", text="{{safesubst:Template:Box}} x")
    page = wiki.query(titles="New", prop="revisions", rvprop="comment|tags")["pages"][0]
    assert "Template:Box" in page["revisions"][0]["comment"]
    assert page["revisions"][0]["tags"] == []


def test_a_script_is_no_redirect(wiki: Actors) -> None:
    text = "#REDIRECT [[Page]]"
    wiki.act("Admin", "edit", title="New", text=text, contentmodel="javascript")
    wiki.act("Admin", "edit", title="New", text="//")
    page = wiki.query(titles="New", prop="revisions", rvprop="comment|tags")["pages"][0]
    assert "mw-removed-redirect" not in page["revisions"][0]["tags"]
    assert "edirect" not in page["revisions"][0]["comment"]


@pytest.mark.parametrize("section", ["0", "new"])
def test_a_new_page_of_another_model_has_no_heading(wiki: Actors, section: str) -> None:
    values = {"section": section, "sectiontitle": "Head", "contentmodel": "json", "text": "{}"}
    assert wiki.act("Admin", "edit", title="New", **values).codes == ""
    assert wiki.text("New") == "{}"


@pytest.mark.parametrize(
    ("section", "text", "saved"),
    [
        ("0", "", "== A ==\naaa\n\n== B ==\nbbb\n\n== C ==\nccc"),
        ("1", "", "lead\n\n== B ==\nbbb\n\n== C ==\nccc"),
        ("2", " \n", "lead\n\n== A ==\naaa\n\n== C ==\nccc"),
        ("3", "", "lead\n\n== A ==\naaa\n\n== B ==\nbbb"),
        ("1", "== N ==\nn\n\n\n", "lead\n\n== N ==\nn\n\n== B ==\nbbb\n\n== C ==\nccc"),
    ],
)
def test_a_section_is_replaced_or_removed(
    wiki: Actors, section: str, text: str, saved: str
) -> None:
    assert wiki.act("Ada", "edit", title="Sections", section=section, text=text).codes == ""
    assert wiki.text("Sections") == saved


@pytest.mark.parametrize(
    ("undo", "codes"), [("", "badinteger"), ("-1", "outofrange"), ("99999", "nosuchrevid")]
)
def test_numbers_that_no_revision_has(wiki: Actors, undo: str, codes: str) -> None:
    assert wiki.act("Ada", "edit", title="Page", undo=undo).codes == codes
    assert wiki.text("Page") == "x"


def test_an_edit_that_undoes_revision_0_and_has_no_text_blanks_the_page(wiki: Actors) -> None:
    assert wiki.act("Ada", "edit", title="Page", undo="0").codes == ""
    assert wiki.text("Page") == ""


@pytest.mark.parametrize("title", ["Page", "Missing"])
@pytest.mark.parametrize(
    ("params", "codes"),
    [
        ({"text": "y"}, "redirect-appendonly"),
        ({"text": "y", "section": "0"}, "redirect-appendonly"),
        ({"undo": "1"}, "redirect-appendonly"),
        ({"text": "y", "section": "new"}, ""),
        ({"appendtext": "y"}, ""),
        ({"text": "z", "prependtext": ""}, ""),
    ],
)
def test_only_additions_may_follow_redirects(
    wiki: Actors, title: str, params: dict[str, str], codes: str
) -> None:
    """Whether the page is a redirect does not matter."""
    assert wiki.act("Ada", "edit", title=title, redirect="1", **params).codes == codes


def test_a_redirect_to_a_new_page_is_not_substituted_in_it(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="Template:Box", text="#REDIRECT [[New]]")
    wiki.act("Ada", "edit", title="New", text="a {{subst:Box}}")
    assert wiki.text("New") == "a {{subst:Box}}"
    wiki.act("Ada", "edit", title="New", text="now without")
    wiki.act("Ada", "edit", title="New", text="b {{subst:Box}}")
    assert wiki.text("New") == "b now without", "the text before this edit"


@pytest.mark.parametrize("target", ["Special:Log", "Media:X.png"])
def test_redirects_to_what_cannot_be_edited_are_not_followed(wiki: Actors, target: str) -> None:
    wiki.act("Ada", "edit", title="R", text=f"#REDIRECT [[{target}]]")
    answer = wiki.act("Ada", "edit", title="R", redirect="1", appendtext="x")
    assert answer.codes == "edit-invalidredirect"
    assert answer.data["error"]["redirects"] == {"from": "R", "to": target}


@pytest.mark.parametrize(
    ("summary", "saved"),
    [
        ("  a  ", "a"),
        ("a\nb", "a\nb"),
        ("== a ==", "a"),
        (" =a= b = ", "a= b"),
        ("==", ""),
        ("=", "="),
        ("=a\nb=", "=a\nb="),
        ("x" * 600, "x" * 497 + "..."),
        ("x" * 490 + " " * 7 + "y" * 10, "x" * 490 + "..."),
    ],
)
def test_summaries_are_stored_without_space_and_equals_signs_around_them(
    wiki: Actors, summary: str, saved: str
) -> None:
    assert wiki.act("Ada", "edit", title="Page", text="other", summary=summary).codes == ""
    page = wiki.query(titles="Page", prop="revisions", rvprop="comment")["pages"][0]
    assert page["revisions"][0]["comment"] == saved


def test_line_ends_are_spaces_in_an_automatic_summary(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="New", text="a \r\n b\rc")
    page = wiki.query(titles="New", prop="revisions", rvprop="comment")["pages"][0]
    assert page["revisions"][0]["comment"] == 'Created page with "a    b c"'


@pytest.mark.parametrize(
    ("params", "text", "comment"),
    [
        ({"summary": "s"}, "== s ==\n\nx", "/* s */ new section"),
        ({"summary": "s", "sectiontitle": ""}, "x", "s"),
        ({"summary": "s", "sectiontitle": "t"}, "== t ==\n\nx", "s"),
        ({"sectiontitle": "= t ="}, "== t ==\n\nx", "/* t */ new section"),
    ],
)
def test_the_heading_of_a_new_section(
    wiki: Actors, params: dict[str, str], text: str, comment: str
) -> None:
    wiki.act("Ada", "edit", title="New", text="x", section="new", **params)
    page = wiki.query(titles="New", prop="revisions", rvprop="comment")["pages"][0]
    assert (wiki.text("New"), page["revisions"][0]["comment"]) == (text, comment)


@pytest.mark.parametrize(
    ("title", "text", "saved"),
    [
        ("User:Ada/a.css", "{{subst:PAGENAME}} a\r\nb \n", "Ada/a.css a\nb"),
        ("User:Ada/a.js", "<pre>~~~</pre>{{subst:PAGENAME}}\r", "<pre>~~~</pre>Ada/a.js"),
        (
            "User:Ada/a.json",
            '{"a":"<b>&é/\u2028"}',
            '{\n\t"a": "\\u003Cb\\u003E\\u0026é/\\u2028"\n}',
        ),
    ],
)
def test_how_source_code_is_stored(wiki: Actors, title: str, text: str, saved: str) -> None:
    wiki.act("Ada", "edit", title=title, text=text)
    assert wiki.text(title) == saved


def test_plain_text_is_stored_with_usual_line_ends(wiki: Actors) -> None:
    wiki.act("Admin", "edit", title="T", contentmodel="text", text="{{subst:PAGENAME}}\r\na\rb\r")
    assert wiki.text("T") == "{{subst:PAGENAME}}\na\nb"


def test_conditions_and_rights_are_checked_before_the_right_to_change_the_model(
    wiki: Actors,
) -> None:
    model = {"contentmodel": "text", "text": "y"}
    codes = {
        "articleexists": {"title": "Page", "createonly": "1"},
        "missingtitle": {"title": "Missing", "nocreate": "1"},
        "customjsprotected": {"title": "User:Ada/a.js"},
        "badmd5": {"title": "Page", "md5": "0" * 32},
        "cantchangecontentmodel": {"title": "Page"},
    }
    for code, params in codes.items():
        assert wiki.act("Bob", "edit", **model, **params).codes == code


def test_a_text_that_is_too_long_is_not_parsed(
    wiki: Actors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Parser, "saved", lambda *_: pytest.fail("it is parsed"))
    half = "x" * (wiki.site.config.limits.article_size // 2 + 1)
    answer = wiki.act("Ada", "edit", title="Page", prependtext=half, appendtext=half)
    assert answer.codes == "contenttoobig"


def test_no_edit_is_lost_if_another_one_comes_between(
    wiki: Actors, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare, lines = Edit.prepare, ["second", "third"]

    def overtaken(action: Edit) -> None:
        prepare(action)
        if lines:
            line = lines.pop()
            with monkeypatch.context() as context:
                context.setattr(Edit, "_wait_for_others", lambda *_: None)
                assert wiki.act("Bob", "edit", title="Page", appendtext=f"\n{line}").codes == ""

    monkeypatch.setattr(Edit, "prepare", overtaken)
    assert wiki.act("Ada", "edit", title="Page", appendtext="\nfirst").codes == ""
    assert sorted((wiki.text("Page") or "").split("\n")) == ["first", "second", "third", "x"]


def test_a_page_that_is_never_the_same_is_busy(
    wiki: Actors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Edit, "prepare", _prepared_for_nothing(Edit.prepare))
    with pytest.raises(StoreBusy):
        wiki.act("Ada", "edit", title="Page", text="y")
    assert wiki.text("Page") == "x"


def _prepared_for_nothing(prepare: Any) -> Any:
    def outdated(action: Edit) -> None:
        prepare(action)
        row = action._prepared.page.row
        page = action._prepared.page._replace(row=row and row._replace(latest=0))
        action._prepared = action._prepared._replace(page=page)

    return outdated


@pytest.mark.parametrize(
    ("params", "is_minor"),
    [
        ({"title": "Page", "text": "y"}, True),
        ({"title": "Page", "text": "y", "section": "0"}, True),
        ({"title": "Page", "text": "y", "section": "new"}, False),
        ({"title": "New page", "text": "y"}, False),
    ],
)
def test_new_pages_and_sections_are_not_minor(
    wiki: Actors, params: dict[str, str], is_minor: bool
) -> None:
    assert wiki.act("Ada", "edit", **params, minor=1).codes == ""
    [change, *_] = wiki.query(list="recentchanges", rcprop="flags")["recentchanges"]
    assert change["minor"] is is_minor
