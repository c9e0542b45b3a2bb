"""The OpenAPI description of the REST API."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.plugins.web.readers import Browser
from wikiapi.hookspecs import hookimpl
from wikiapi.rest import RestCall, RestField, RestParam, RestReply, Route
from wikiapi.site import Site


class Cup(Route):
    """A cup of tea."""

    path = "/tea/v0/cup/{size}"
    params = (
        RestParam("size", is_integer=True, bounds=(1, 9), help="The size."),
        RestParam("kind", values=("green", "black"), default="green", help="The kind."),
    )
    fields = (RestField("note", is_required=True, help="What to note."),)

    def get(self, call: RestCall) -> RestReply:
        """Return the cup.

        It may be empty.
        """
        return RestReply({})

    def post(self, call: RestCall) -> RestReply:
        """Note something."""
        return RestReply(call.body())


class Cups:
    @hookimpl
    def register_rest_routes(self) -> list[type[Route]]:
        return [Cup]


pytestmark = pytest.mark.wiki({"Main Page": "x"}, plugins=[Cups()])


@pytest.fixture(scope="module")
def document(site: Site) -> Any:
    return json.loads(Browser(site).get("/openapi/rest.json").text)


def test_it_is_valid(document: Any) -> None:
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
    operations = [each for item in document["paths"].values() for each in item.values()]
    assert len({each["operationId"] for each in operations}) == len(operations) > 20


def test_a_route_of_a_plugin_is_described(document: Any) -> None:
    read, write = (document["paths"]["/tea/v0/cup/{size}"][name] for name in ("get", "post"))
    assert read["operationId"] == "get_tea_v0_cup_size"
    assert read["summary"] == "Return the cup."
    assert read["description"] == "A cup of tea.\n\nReturn the cup.\n\nIt may be empty."
    size, kind = read["parameters"]
    assert size == {
        "name": "size",
        "in": "path",
        "required": True,
        "description": "The size.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 9},
    }
    assert kind["in"] == "query"
    assert kind["schema"] == {"type": "string", "enum": ["green", "black"], "default": "green"}
    assert "requestBody" not in read
    assert write["requestBody"]["content"]["application/json"]["schema"] == {
        "type": "object",
        "properties": {"note": {"type": "string", "description": "What to note."}},
        "required": ["note"],
    }


def test_without_the_rest_api_there_is_none(make_site: Callable[..., Site]) -> None:
    site = make_site({}, config={"plugins": {"disabled": ["rest"]}})
    assert Browser(site).get("/openapi/rest.json").status == 404
