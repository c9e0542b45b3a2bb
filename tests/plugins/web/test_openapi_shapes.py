"""Answers that hold much, against the schemas that the description has for them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi_plugins.web.openapi.document import OpenApi

EVERY_KIND = "Alpha|Nowhere|a[b|Special:Version|de:Alpha|File:Photo.png|alpha|Gamma double"
REQUESTS = {
    "pages": {"titles": EVERY_KIND, "prop": "info|imageinfo|revisions", "redirects": "1"},
    "ids": {"titles": "Alpha", "indexpageids": "1"},
    "batch": {"generator": "allpages", "gaplimit": "2", "prop": "info"},
    "most": {"list": "allpages", "aplimit": "max", "curtimestamp": "1", "requestid": "x"},
    "warning": {"titles": "Alpha", "nosuch": "1"},
    "warnings": {"titles": "Alpha", "nosuch": "1", "errorformat": "raw"},
    "error": {"titles": "Alpha", "pageids": "1"},
    "errors": {"titles": "Alpha", "pageids": "1", "errorformat": "html"},
    "rendered": {"action": "parse", "page": "Alpha", "prop": "text|links|sections|tocdata|images"},
    "all parts": {"action": "parse", "text": "{{Infobox}} [[Alpha]]", "title": "X"},
    "text alone": {"action": "parse", "text": "x", "summary": "[[y]]", "onlypst": "1"},
    "token": {"action": "checktoken", "type": "csrf", "token": "x"},
    "suggestions": {"action": "opensearch", "search": "a"},
    "other": {"action": "paraminfo", "modules": "query"},
}


def schema_for(site: Site, action: str) -> dict[str, Any]:
    document = json.loads(site.derived(OpenApi).part(action) or "")
    content = document["paths"]["/api.php"]["get"]["responses"]["200"]["content"]
    return {**content["application/json"]["schema"], "components": document["components"]}


@pytest.mark.parametrize("name", REQUESTS)
def test_answers_have_their_shape(query_site: Site, name: str) -> None:
    asked = {"action": "query", **REQUESTS[name]}
    answer = ApiClient(make_app(query_site)).get(asked)
    Draft202012Validator(schema_for(query_site, asked["action"])).validate(answer)


@pytest.mark.parametrize(
    "wrong",
    [
        {"batchcomplete": ""},
        {"continue": {}},
        {"error": {"code": "x"}},
        {"errors": [{"code": "x"}]},
        {"warnings": {"main": {"*": "x"}}},
        {"query": {"pages": {"-1": {}}}},
        {"query": {"pages": [{"title": "A", "missing": ""}]}},
        {"query": {"normalized": [{"from": "a"}]}},
        {"debuginfo": {"queries": [{"sql": "x"}]}},
    ],
    ids=json.dumps,
)
def test_other_shapes_do_not_pass(query_site: Site, wrong: dict[str, Any]) -> None:
    assert not Draft202012Validator(schema_for(query_site, "query")).is_valid(wrong)
