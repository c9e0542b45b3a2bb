from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.store.models import PageProps
from wikiapi.testing import Wiki, ask
from wikiapi.wikitext.options import ParserOptions
from wikiapi_plugins.extensions.templatedata.checks import Mistake
from wikiapi_plugins.extensions.templatedata.normal import in_one, parse

DATA = {
    "description": {"en": "Says hello", "de": "Grüßt"},
    "params": {"1": {"label": "Name", "required": True, "aliases": ["name"]}},
}
PARAM = {
    "label": {"en": "Name"},
    "description": None,
    "example": None,
    "default": None,
    "required": True,
    "suggested": False,
    "deprecated": False,
    "aliases": ["name"],
    "autovalue": None,
    "type": "unknown",
    "suggestedvalues": [],
}
DESCRIPTION = {
    "title": "Template:Hello",
    "description": DATA["description"],
    "params": {"1": PARAM},
    "sets": [],
    "maps": {},
    "format": None,
}
COMPRESSED = gzip.compress(b"{}", mtime=0)


pytestmark = pytest.mark.wiki(
    {
        "Template:Hello": f"hello<noinclude><templatedata>{json.dumps(DATA)}</templatedata>",
        "Template:Plain": "nothing",
        "Template:Old": "#REDIRECT [[Template:Hello]]",
    },
    writable=False,
)


def template_data(site: Site, **params: str) -> Any:
    return ask(site, {"action": "templatedata", **params})


def test_data_of_a_template(site: Site) -> None:
    data = template_data(site, titles="Template:Hello|Template:Plain|Template:Nowhere").data
    assert data == {"pages": {"1": DESCRIPTION}, "batchcomplete": True}


def test_texts_in_one_language(site: Site) -> None:
    page = template_data(site, titles="Template:Hello", lang="de-ch").data["pages"]["1"]
    assert (page["description"], page["params"]["1"]["label"]) == ("Grüßt", "Name")


@pytest.mark.parametrize("param", ["includeMissingTitles", "doNotIgnoreMissingTitles"])
def test_titles_without_data_are_reported_when_requested(site: Site, param: str) -> None:
    titles = "Template:Hello|Template:Plain|Template:Nowhere"
    pages = template_data(site, titles=titles, **{param: "1"}).data["pages"]
    assert pages["-1"] == {"title": "Template:Nowhere", "missing": True}
    assert pages["2"] == {"title": "Template:Plain", "notemplatedata": True}
    assert pages["1"] == DESCRIPTION


def test_spellings_and_redirects_are_reported(site: Site) -> None:
    data = template_data(site, titles="template:old", redirects="1").data
    assert data["normalized"][0]["to"] == "Template:Old"
    assert data["redirects"] == [{"from": "Template:Old", "to": "Template:Hello"}]
    assert list(data["pages"]) == ["1"]


def test_pages_of_a_generator(site: Site) -> None:
    asked_for = {"generator": "allpages", "gapnamespace": "10", "gaplimit": "1"}
    data = template_data(site, **asked_for).data
    assert data["pages"] == {"1": DESCRIPTION}
    assert data["continue"]["gapcontinue"] == "Old"


def test_flags_stay_flags_in_version_1(site: Site) -> None:
    param = template_data(site, pageids="1").version1["pages"]["1"]["params"]["1"]
    assert (param["required"], param["suggested"]) == (True, False)


@pytest.mark.parametrize(
    "value",
    [b"{", b"[]", b'{"params":[]}', b"\x1f\x8bxx", COMPRESSED, COMPRESSED[:-9]],
)
def test_corrupt_data_is_refused(site: Site, value: bytes) -> None:
    store(site, value)
    assert template_data(site, titles="Template:Hello").codes == "templatedata-corrupt"


def test_compressed_data_is_read(site: Site) -> None:
    value = json.dumps({key: item for key, item in DESCRIPTION.items() if key != "title"})
    store(site, gzip.compress(value.encode()))
    assert template_data(site, titles="Template:Hello").data["pages"] == {"1": DESCRIPTION}


def test_a_bomb_does_not_grow(wiki: Wiki) -> None:
    site = wiki.site
    store(site, gzip.compress(b" " * 20_000_000 + b"{}"))
    assert template_data(site, titles="Template:Hello").codes == "templatedata-corrupt"


def store(site: Site, value: bytes) -> None:
    site.db.execute_write(PageProps.delete().where(PageProps.pp_propname == "templatedata"))
    site.db.insert_many(PageProps, [(1, "templatedata", value, None)])


@pytest.mark.parametrize(
    ("text", "key", "params"),
    [
        ("", "parse", []),
        ("[1]", "parse", []),
        ('{"params":{"a":NaN}}', "parse", []),
        ('{"description":"\\ud800","params":{}}', "parse", []),
        ("[" * 100_000, "parse", []),
        ("{}", "missing", ["params", "object"]),
        ('{"params":[]}', "type", ["params", "object"]),
        ('{"params":{},"x":1}', "unknown", ["x"]),
        ('{"params":{},"format":"fancy"}', "format", ["format"]),
        ('{"params":{"a":1}}', "type", ["params.a", "object"]),
        ('{"params":{"a":{"x":1}}}', "unknown", ["params.a.x"]),
        ('{"params":{"a":{"required":1}}}', "type", ["params.a.required", "boolean"]),
        ('{"params":{"a":{"label":{"en":1}}}}', "type", ["params.a.label", "string|object"]),
        ('{"params":{"a":{"type":"odd"}}}', "value", ["params.a.type"]),
        ('{"params":{"a":{"aliases":[true]}}}', "type", ["params.a.aliases[0]", "string"]),
        ('{"params":{"a":{"inherits":"b"}}}', "missing", ["params.b"]),
        ('{"params":{"a":{}},"paramOrder":[]}', "missing", ['paramOrder[ "a" ]']),
        ('{"params":{"a":{}},"paramOrder":["b"]}', "param", ["b", "paramOrder[0]"]),
        (
            '{"params":{"a":{}},"paramOrder":["a","a"]}',
            "duplicate-value",
            ["paramOrder[1]", "paramOrder[0]", "a"],
        ),
        ('{"params":{},"sets":[{"label":"x"}]}', "missing", ["sets.0.params", "array"]),
        (
            '{"params":{},"sets":[{"label":"x","params":[]}]}',
            "empty-array",
            ["sets.0.params"],
        ),
        ('{"params":{},"maps":{"m":{"k":"a"}}}', "param", ["a", "maps.m.k"]),
        (
            '{"params":{"a":{}},"maps":{"m":{"k":[[["a"]]]}}}',
            "type",
            ["maps.m.k[0][0]", "string|array"],
        ),
    ],
)
def test_mistakes(text: str, key: str, params: list[str]) -> None:
    with pytest.raises(Mistake) as caught:
        parse(text, "en")
    assert caught.value.message.key == f"templatedata-invalid-{key}"
    assert [param.value for param in caught.value.message.params] == params


def test_inheritance_and_old_types() -> None:
    text = (
        '{"params":{"a":{"type":"string/line","label":"L"},"b":{"inherits":"a","required":true},'
        '"c":{"inherits":"d"},"d":{"inherits":"c","label":"D"}}}'
    )
    params = parse(text, "de")["params"]
    assert params["b"]["type"] == "line"
    assert params["b"]["label"] == {"de": "L"}
    assert (params["a"]["required"], params["b"]["required"]) == (False, True)
    assert params["c"]["label"] == {"de": "D"}
    assert all("inherits" not in param for param in params.values())


def test_text_in_the_nearest_language() -> None:
    texts = {"fr": "f", "en": "e"}
    assert in_one(texts, "fr-ca") == "f"
    assert in_one(texts, "de") == "e"
    assert in_one({"fr": "f"}, "de") == "f"
    assert in_one(None, "de") is None


def test_mistaken_description_is_not_cached(make_site: Callable[..., Site]) -> None:
    site = make_site({"Template:A": "<templatedata>{</templatedata>"})
    assert template_data(site, titles="Template:A").data["pages"] == {}


@pytest.mark.parametrize(("preview", "page"), [(False, 'page="Template:Hello/doc"'), (True, None)])
def test_the_page_to_edit_is_the_one_with_the_description(
    make_site: Callable[..., Site], preview: bool, page: str | None
) -> None:
    site = make_site({"Template:Hello/doc": f"<templatedata>{json.dumps(DATA)}</templatedata>"})
    title = site.titles.parse("Template:Hello")
    html = site.parser.parse("{{/doc}}", title, ParserOptions(preview=preview)).html
    assert "Says hello" in html
    assert (page in html) if page else ("edittemplatedata" not in html)
