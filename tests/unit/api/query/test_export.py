from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from wikiapi.api import dispatch
from wikiapi.api.format import Rendered
from wikiapi.api.request import ApiRequest
from wikiapi.site import Site
from wikiapi.testing import DeclaredUser, Edit, ask, make_context

EXPORT_11 = "{http://www.mediawiki.org/xml/export-0.11/}"


pytestmark = pytest.mark.wiki(
    {
        "Main Page": "Welcome",
        "A & B": [
            Edit("old", user="Ada"),
            Edit('<b>"x"</b>', user="Ada", comment="a < b", minor=True),
        ],
        "Gone": Edit("#REDIRECT [[A & B#top]]", user="192.0.2.7"),
        "Empty": Edit("", user="Old name"),
    },
    users=[DeclaredUser("Ada")],
    config={"site": {"name": "Test & Co", "wiki_id": "testwiki"}},
    writable=False,
)


def document(site: Site, titles: str, **params: str) -> str:
    asked = {"action": "query", "titles": titles, "export": "", **params}
    return ask(site, asked).data["query"]["export"]


def pages(site: Site, titles: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(document(site, titles))
    return root.findall(f"{EXPORT_11}page")


def texts(element: ElementTree.Element) -> dict[str, str | None]:
    return {child.tag.removeprefix(EXPORT_11): child.text for child in element}


def test_site_is_described(site: Site) -> None:
    root = ElementTree.fromstring(document(site, ""))
    info = root.find(f"{EXPORT_11}siteinfo")
    assert info is not None
    fields = texts(info)
    assert fields["sitename"] == "Test & Co"
    assert fields["dbname"] == "testwiki"
    assert fields["base"] == "http://127.0.0.1:8080/wiki/Main_Page"
    spaces = info.findall(f"{EXPORT_11}namespaces/{EXPORT_11}namespace")
    assert [s.get("key") for s in spaces] == [str(n.id) for n in site.namespaces]


def test_page_and_current_revision(site: Site) -> None:
    (page,) = pages(site, "A & B")
    assert texts(page).items() >= {"title": "A & B", "ns": "0", "id": "2"}.items()
    revision = page.find(f"{EXPORT_11}revision")
    assert revision is not None
    fields = texts(revision)
    assert fields["id"] == "3"
    assert fields["parentid"] == "2"
    assert fields["comment"] == "a < b"
    assert fields["text"] == '<b>"x"</b>'
    assert fields["format"] == "text/x-wiki"
    assert "minor" in fields


def test_text_is_written_as_mediawiki_writes_it(site: Site) -> None:
    lines = document(site, "A & B").splitlines()
    (text,) = [line for line in lines if "<text" in line]
    assert text.startswith('      <text bytes="10" sha1="')
    assert text.endswith('" xml:space="preserve">&lt;b&gt;"x"&lt;/b&gt;</text>')
    assert "    <title>A &amp; B</title>" in lines


def test_authors(site: Site) -> None:
    markup = document(site, "A & B|Gone|Empty")
    assert "<username>Ada</username>\n        <id>1</id>" in markup
    assert "<ip>192.0.2.7</ip>" in markup
    assert "<username>Old name</username>\n        <id>0</id>" in markup


def test_redirect_is_reported_without_its_fragment(site: Site) -> None:
    assert '    <redirect title="A &amp; B" />' in document(site, "Gone")


def test_empty_texts_are_empty_elements(site: Site) -> None:
    markup = document(site, "Empty")
    assert 'xml:space="preserve" />' in markup
    assert "<comment" not in markup


def test_older_schema(site: Site) -> None:
    markup = document(site, "A & B", exportschema="0.10")
    assert 'version="0.10"' in markup
    assert "<origin>" not in markup
    assert '<text bytes="10" xml:space="preserve">' in markup


def test_missing_pages_are_left_out(site: Site) -> None:
    assert pages(site, "Nope|A & B") != []
    assert pages(site, "Nope") == []


@pytest.mark.parametrize(
    ("params", "raw"),
    [({"exportnowrap": ""}, True), ({}, False)],
)
def test_nowrap_stands_for_the_whole_answer(params: dict[str, Any], raw: bool, site: Site) -> None:
    asked = {"action": "query", "titles": "A & B", "export": "", "format": "json", **params}
    context = make_context(site, ApiRequest(params=asked))
    dispatch.perform(context)
    rendered = dispatch.render(context)
    if raw:
        assert rendered.content_type == "text/xml; charset=utf-8"
        assert rendered.body.decode() == document(site, "A & B")
    else:
        assert rendered.content_type.startswith("application/json")


def test_nowrap_needs_export(site: Site) -> None:
    answer = ask(site, {"action": "query", "titles": "Gone", "exportnowrap": ""})
    assert answer.context.result.raw is None


def test_subelement_in_the_first_version(site: Site) -> None:
    answer = ask(site, {"action": "query", "titles": "Gone", "export": ""}).version1
    assert answer["query"]["export"]["*"].startswith("<mediawiki ")


LONG = {
    **{f"Long {n}": f"<{n}> é {'text ' * 50_000}" for n in range(12)},
    "Redirect": "#REDIRECT [[Long 1]]",
    "Empty": "",
}
ASKED = {"action": "query", "titles": "|".join(LONG), "export": "", "exportnowrap": ""}


@pytest.fixture(scope="module")
def long_site(make_module_site: Callable[..., Site]) -> Site:
    return make_module_site(LONG)


def rendered(site: Site, stream_above: int, **params: str) -> Rendered:
    context = make_context(site, ApiRequest(params={**ASKED, **params}))
    dispatch.perform(context)
    return dispatch.render(context, stream_above)


@pytest.mark.parametrize("schema", ["0.10", "0.11"])
def test_a_large_export_is_the_same_in_pieces(long_site: Site, schema: str) -> None:
    streamed = rendered(long_site, 1, exportschema=schema)
    assert streamed.pieces is not None
    pieces = list(streamed.pieces)
    assert len(pieces) > 12
    asked = {**ASKED, "exportschema": schema}
    del asked["exportnowrap"]
    whole = ask(long_site, asked).data["query"]["export"]
    assert b"".join(pieces).decode() == whole
    assert rendered(long_site, 0, exportschema=schema).body == b"".join(pieces)


def test_texts_of_a_large_export_are_read_when_they_are_written(long_site: Site) -> None:
    with long_site.db.recording() as before:
        pieces = rendered(long_site, 1).pieces
    assert pieces is not None
    text_queries = [query for query in before if "old_text" in query.sql]
    assert len(text_queries) == 1, "the first have been read, so that a lost store is told of"
    with long_site.db.recording() as while_sent:
        assert b"Long 0" in next(pieces)
        assert while_sent == []
        rest = b"".join(pieces)
    assert b"Long 11" in rest
    assert len(while_sent) == 5, "one for each further half a megabyte"


def test_a_small_export_is_whole(site: Site) -> None:
    asked = {"action": "query", "titles": "A & B", "export": "", "exportnowrap": ""}
    context = make_context(site, ApiRequest(params=asked))
    dispatch.perform(context)
    assert dispatch.render(context, 1).pieces is None
