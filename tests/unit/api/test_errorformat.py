from __future__ import annotations

from typing import Any

import pytest

from tests.unit.api.probe import ProbePlugin
from wikiapi.api.errorformat import code_of, raw_params
from wikiapi.languages.message import ListOf, Message, Num, Plain, Raw, plain_list
from wikiapi.site import Site
from wikiapi.testing import Wiki, ask

SHOW = "SHOW"
DOC = "DOC http://127.0.0.1:8080/w/api.php LIST"
PROBE = {"action": "probe", "pfail": ""}
FORMS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "plaintext": ({"text": SHOW}, {"*": SHOW}),
    "wikitext": ({"text": SHOW}, {"*": SHOW}),
    "html": ({"html": SHOW}, {"*": SHOW}),
    "raw": ({"key": "apierror-show", "params": [{"plaintext": "<b>"}]},) * 2,
    "none": ({}, {}),
}


pytestmark = pytest.mark.wiki(
    {
        "MediaWiki:Apierror-show": "Our $1 text",
        "MediaWiki:Apierror-show/de": "Unser Text",
        "MediaWiki:Apierror-unrecognizedparams": "Who is $1?",
    },
    plugins=[ProbePlugin()],
)


def test_bc_error(site: Site) -> None:
    answer = ask(site, PROBE)
    error = answer.data["error"]
    assert error.pop("docref") == DOC
    assert error == {"code": "show", "info": SHOW, "hint": "x"}
    assert answer.version1["error"]["*"] == DOC


@pytest.mark.parametrize("form", FORMS)
def test_error_in_other_forms(site: Site, form: str) -> None:
    answer = ask(site, PROBE | {"errorformat": form})
    version2, version1 = FORMS[form]
    common = {"code": "show", "data": {"hint": "x"}, "module": "probe"}
    assert answer.data["errors"] == [common | version2]
    assert answer.version1["errors"] == [common | version1]
    assert answer.data["docref"] == DOC
    assert answer.version1["*"] == DOC
    assert "error" not in answer.data


def test_unknown_form_is_refused_in_bc(site: Site) -> None:
    assert ask(site, PROBE | {"errorformat": "xml"}).data["error"]["code"] == "badvalue"


def test_error_of_the_main_module(site: Site) -> None:
    data = ask(site, {"action": "nope", "errorformat": "none"}).data
    assert data["errors"] == [{"code": "badvalue", "module": "main"}]


def test_error_of_a_parameter_belongs_to_its_module(site: Site) -> None:
    data = ask(site, {"action": "probe", "pnumber": "x", "errorformat": "none"}).data
    assert data["errors"] == [{"code": "badinteger", "module": "probe"}]


def test_several_errors(site: Site) -> None:
    params = {"action": "probe", "pfailtwice": ""}
    answer = ask(site, params | {"errorformat": "none"})
    assert [error["code"] for error in answer.data["errors"]] == ["one", "two"]
    assert answer.codes == "one, two"
    assert ask(site, params).data["error"]["code"] == "one"


def test_html_is_escaped(site: Site) -> None:
    data = ask(site, {"action": "<script>", "errorformat": "html"}).data
    (error,) = data["errors"]
    assert "&lt;script&gt;" in error["html"]
    assert "<" not in error["html"]


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("plaintext", {"text": "UNRECOGNIZED parameter: foo"}),
        ("html", {"html": "UNRECOGNIZED parameter: foo"}),
        (
            "raw",
            {
                "key": "apierror-unrecognizedparams",
                "params": [{"list": [{"plaintext": "foo"}], "type": "comma"}, {"num": 1}],
            },
        ),
        ("none", {}),
    ],
)
def test_warning_in_other_forms(site: Site, form: str, fields: dict[str, Any]) -> None:
    data = ask(site, {"action": "probe", "foo": "", "errorformat": form}).data
    assert data["warnings"] == [{"code": "unrecognizedparams", "module": "main"} | fields]


def test_warnings_have_codes_and_data(site: Site) -> None:
    params = {"action": "probe", "errorformat": "none", "pnumber": "11", "pprop": "b|x"}
    assert ask(site, params).data["warnings"] == [
        {"code": "unrecognizedvalues", "module": "probe", "data": {"values": ["x"]}},
        {"code": "deprecation", "module": "probe", "data": {"feature": "action=probe&pprop=b"}},
        {"code": "deprecation-help", "module": "main"},
        {
            "code": "outofrange",
            "module": "probe",
            "data": {"min": None, "curmax": 10, "max": 10, "highmax": 10},
        },
    ]


def test_module_of_a_query_module_is_its_path(site: Site) -> None:
    params = {"action": "query", "list": "alltransclusions", "atprop": "x"}
    assert ask(site, params).data["warnings"].keys() == {"alltransclusions"}
    data = ask(site, params | {"errorformat": "none"}).data
    assert data["warnings"][0]["module"] == "query+alltransclusions"
    data = ask(site, params | {"errorformat": "none", "atcontinue": "x"}).data
    assert data["errors"] == [{"code": "badcontinue", "module": "query+alltransclusions"}]


def test_error_of_a_generator_is_its_own(site: Site) -> None:
    params = {"action": "query", "generator": "alltransclusions", "gatcontinue": "x"}
    data = ask(site, params | {"errorformat": "none"}).data
    assert data["errors"] == [{"code": "badcontinue", "module": "query+alltransclusions"}]


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({}, SHOW),
        ({"errorsuselocal": ""}, "Our <b> text"),
        ({"errorsuselocal": "", "uselang": "de"}, "Unser Text"),
        ({"errorsuselocal": "", "uselang": "fr"}, SHOW),
    ],
)
def test_texts_customised_on_the_wiki(site: Site, params: dict[str, str], text: str) -> None:
    data = ask(site, PROBE | {"errorformat": "plaintext"} | params).data
    assert data["errors"][0]["text"] == text


def test_customised_html_is_escaped(site: Site) -> None:
    params = {"errorformat": "html", "errorsuselocal": ""}
    (error,) = ask(site, PROBE | params).data["errors"]
    assert error["html"] == "Our &lt;b&gt; text"


def test_customised_warning(site: Site) -> None:
    params = {"action": "probe", "foo": "", "errorformat": "plaintext", "errorsuselocal": ""}
    assert ask(site, params).data["warnings"][0]["text"] == "Who is foo?"


def test_bc_never_uses_customised_texts(site: Site) -> None:
    assert ask(site, PROBE | {"errorsuselocal": ""}).data["error"]["info"] == SHOW


def test_customised_texts_take_one_query(wiki: Wiki) -> None:
    site = wiki.site
    params = {"action": "probe", "foo": "", "pnumber": "11", "errorformat": "plaintext"}
    with site.db.recording() as queries:
        ask(site, params)
    assert queries == []
    with site.db.recording() as queries:
        ask(site, params | {"errorsuselocal": ""})
    assert len(queries) == 1


def test_raw_params() -> None:
    params = ("a", 1, Plain("b"), Num(2), Raw("c"), plain_list(["d"]), ListOf((Num(1),), "comma"))
    assert raw_params(params) == [
        "a",
        1,
        {"plaintext": "b"},
        {"num": 2},
        {"raw": "c"},
        {"list": [{"plaintext": "d"}], "type": "text"},
        {"list": [{"num": 1}], "type": "comma"},
    ]


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("apiwarn-truncatedresult", "truncatedresult"),
        ("apierror-x", "x"),
        ("paramvalidator-badinteger", "badinteger"),
        ("title-invalid-empty", "title-invalid-empty"),
    ],
)
def test_code_of_a_message(key: str, code: str) -> None:
    assert code_of(Message(key)) == code
