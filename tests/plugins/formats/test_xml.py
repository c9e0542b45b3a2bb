from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.unit.http.sites import app_of
from wikiapi.api.result import Arr, IdMap, Indexed, KeyValues, Obj
from wikiapi.testing.client import ApiClient
from wikiapi_plugins.formats.php import serialized
from wikiapi_plugins.formats.rawfm import with_metadata
from wikiapi_plugins.formats.xmltree import document, element_of, xml_name


@pytest.fixture(scope="module")
def client() -> ApiClient:
    return ApiClient(app_of(), defaults={"action": "query", "format": "xml"})


def xml_of(node: Any) -> str:
    return document(element_of("api", node), pretty=False).removeprefix('<?xml version="1.0"?>')


def id_map(items: dict[int, Any]) -> IdMap:
    made = IdMap("page")
    made.update(items)
    return made


KEEP = 'xml:space="preserve"'


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (Obj(), "<api />"),
        (Obj({"a": 1, "b": "x", "c": 1.5}), '<api a="1" b="x" c="1.5" />'),
        (Obj({"yes": True, "no": False, "none": None}), '<api yes="" />'),
        (Obj({"a": [], "b": Obj()}), "<api><a /><b /></api>"),
        (Arr([1, None, "", "<"], "v"), "<api><v>1</v><v /><v /><v>&lt;</v></api>"),
        ([Obj({"a": 1})], '<api><_v a="1" /></api>'),
        (Obj({"t": "x", "a": 1}, content="t"), f'<api a="1" {KEEP}>x</api>'),
        (
            Obj({"t": "x", "l": Arr(["y"], "e")}, content="t"),
            f"<api><l><e>y</e></l><t {KEEP}>x</t></api>",
        ),
        (Obj({"t": None}, content="t"), "<api />"),
        (Obj({"t": ""}, content="t"), f"<api {KEEP} />"),
        (Obj({"s": "x", "a": 1}, subelements=["s"]), f'<api a="1"><s {KEEP}>x</s></api>'),
        (id_map({-1: Obj({"ns": 0})}), '<api><page _idx="-1" ns="0" /></api>'),
        (Indexed.of([120], "limit"), '<api><limit _idx="0">120</limit></api>'),
        (Obj({"3": "a"}), '<api><_v _idx="3">a</_v></api>'),
        (KeyValues({"a": "x"}, element="pp"), f'<api><pp name="a" {KEEP}>x</pp></api>'),
        (
            Obj({"main": Obj({"m": 1})}, element="slot", key="role"),
            '<api><slot m="1" role="main" /></api>',
        ),
        (Obj({"r": "a\nb\t'\"&<>\r"}), '<api r="a&#10;b&#9;&#039;&quot;&amp;&lt;&gt;&#13;" />'),
        (Obj({"a b": 1}), '<api _a.20.b="1" />'),
    ],
)
def test_elements(node: Any, expected: str) -> None:
    assert xml_of(node) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a", "a"),
        ("x.y-z_1", "x.y-z_1"),
        ("é", "é"),
        ("", "_"),
        ("1x", "_1x"),
        ("_a", "__a"),
        ("-a", "_-a"),
        ("a:b", "_a.3A.b"),
        ("<", "_.3C."),
    ],
)
def test_names(name: str, expected: str) -> None:
    assert xml_name(name) == expected


def test_pretty() -> None:
    element = element_of("api", Obj({"a": Arr(["x"], "b")}))
    expected = '<?xml version="1.0"?>\n<api>\n  <a>\n    <b>x</b>\n  </a>\n</api>'
    assert document(element, pretty=True) == expected


BAD = "\x00\x0b\x1f\uffff\ud800"


def test_characters_that_xml_does_not_know_are_replaced() -> None:
    for node in (Obj({"a": BAD}), Obj({"t": BAD}, content="t"), [BAD]):
        text = xml_of(node)
        ET.fromstring(text)
        assert text.count("\ufffd") == len(BAD)


def test_style_sheets_are_refused(client: ApiClient) -> None:
    reply = client.reply("GET", xslt="MediaWiki:Evil.xsl")
    assert "xml-stylesheet" not in reply.text
    assert "Evil" not in reply.text
    warning = ET.fromstring(reply.text).find("./warnings/xml")
    assert warning is not None
    raw = client.reply("GET", xslt="x", errorformat="raw").text
    assert 'code="xslt-disabled" key="apiwarn-xslt-disabled"' in raw


def test_nothing_joins_with_the_end_of_a_tag() -> None:
    assert xml_of(["\u0338"]) == "<api><_v>&#x338;</_v></api>"
    assert xml_of(Obj({"a": "\u0338"})) == '<api a="&#x338;" />'


def test_headers(client: ApiClient) -> None:
    reply = client.reply("GET")
    assert reply.headers["content-type"] == "text/xml; charset=utf-8"
    assert reply.headers["content-disposition"] == "inline; filename=api-result.xml"
    assert reply.text == '<?xml version="1.0"?><api batchcomplete="" />'


def test_namespace(client: ApiClient) -> None:
    text = client.reply("GET", includexmlnamespace="1").text
    assert ET.fromstring(text).tag == "{http://www.mediawiki.org/xml/api/}api"


def test_errors(client: ApiClient) -> None:
    root = ET.fromstring(client.reply("GET", action="nope").text)
    error = root.find("error")
    assert error is not None
    assert error.get("code") == "badvalue"
    assert (error.text or "").startswith("See ")


@pytest.mark.parametrize("form", ["xmlfm", "phpfm", "rawfm"])
def test_html_forms_escape(client: ApiClient, form: str) -> None:
    reply = client.reply("GET", titles="<script>", format=form)
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert "<script" not in reply.text
    assert "lt;script" in reply.text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "N;"),
        (True, "b:1;"),
        (12, "i:12;"),
        (0.1, "d:0.1;"),
        (1.0, "d:1;"),
        (1e30, "d:1E+30;"),
        (float("inf"), "d:INF;"),
        ("é", 's:2:"é";'),
        ("\ud800", 's:3:"\ufffd";'),
        (["a"], 'a:1:{i:0;s:1:"a";}'),
        ({"-1": 0, "01": 1}, 'a:2:{i:-1;i:0;s:2:"01";i:1;}'),
    ],
)
def test_php(value: Any, expected: str) -> None:
    assert "".join(serialized(value)) == expected


def test_php_answers(client: ApiClient) -> None:
    reply = client.reply("GET", titles="Aé", format="php")
    assert reply.headers["content-type"] == "application/vnd.php.serialized; charset=utf-8"
    assert reply.headers["content-disposition"] == "inline; filename=api-result.php"
    assert 's:5:"pages";a:1:{i:-1;a:3:{s:2:"ns";i:0;s:5:"title";s:3:"Aé";' in reply.text
    newer = client.reply("GET", titles="A", format="php", formatversion="2").text
    assert 's:7:"missing";b:1;' in newer


def test_raw_form_shows_what_nodes_note() -> None:
    raw = with_metadata(Obj({"a": True, "p": id_map({1: []})}, content="a", bools=["b"]))
    assert raw["_content"] == "a"
    assert raw["_BC_bools"] == ["b"]
    assert raw["p"] == {"1": [], "_type": "BCarray", "_element": "page"}


def test_raw_form_is_html_alone(client: ApiClient) -> None:
    assert client.reply("GET", format="raw").headers["mediawiki-api-error"] == "badvalue"
    wrapped = json.loads(client.reply("GET", format="rawfm", wrappedhtml="1").body)
    assert re.search("format=json", wrapped["html"])
