"""The OpenAPI description: valid, complete, and what the modules declare."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from wikiapi.api.module import Action
from wikiapi.api.params.declaration import enum, integer, limit, namespace, string, timestamp
from wikiapi.api.registries import registries
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi_plugins.web.openapi.document import OpenApi

QUERY_INFO = "/api.php#action=query&prop=info"


class Thing(Action):
    """Tell a thing.

    More about ``things``.
    """

    name = "thing"
    prefix = "th"
    params = (
        string("name", "Its name.", required=True),
        enum("colours", "red", "blue", multi=True, all_value="*", default="red|blue",
             deprecated_values=["blue"], value_help=(("red", "like blood"),), help="Which."),
        integer("size", "How large.", minimum=1, maximum=9, default=3),
        limit(largest=7, highest=70),
        namespace(multi=True, default="0|1"),
        timestamp("when", deprecated=True),
        string("note-{colour}", template=("colour", "colours")),
    )  # fmt: skip
    examples = (("action=thing&thcolours=red|blue&thname=x", "A coloured thing"),)

    def execute(self) -> None:
        self.result.set((), self.name, {"name": self.p["name"]})


class Things:
    @hookimpl
    def register_actions(self) -> list[type[Action]]:
        return [Thing]


pytestmark = pytest.mark.wiki({"Main Page": "x"}, plugins=[Things()])


@pytest.fixture(scope="module")
def whole(site: Site) -> dict[str, Any]:
    return dict(json.loads(site.derived(OpenApi).whole()))


@pytest.fixture(scope="module")
def thing(site: Site) -> dict[str, Any]:
    document = json.loads(site.derived(OpenApi).part("thing") or "")
    parameters = document["paths"]["/api.php"]["get"]["parameters"]
    return {parameter["name"]: parameter for parameter in parameters if "name" in parameter}


def test_the_description_is_valid(whole: dict[str, Any]) -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(whole).iter_errors()] == []


def test_a_single_module_is_described_validly(site: Site) -> None:
    for path in ("parse", "query", "query+info", "upload", "opensearch"):
        document = json.loads(site.derived(OpenApi).part(path) or "")
        assert list(document["paths"]) == ["/api.php"]
        assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_every_module_and_generator_has_an_operation(site: Site, whole: dict[str, Any]) -> None:
    expected = {f"action={name}" for name in registries(site).actions}
    expected |= {
        f"action=query&{module.group}={name}"
        for name, module in registries(site).query_modules.items()
    }
    expected |= {f"action=query&generator={name}" for name in registries(site).generators}
    assert {path.removeprefix("/api.php#") for path in whole["paths"]} == expected


def test_operations_have_names_of_their_own(whole: dict[str, Any]) -> None:
    names = [
        operation["operationId"] for item in whole["paths"].values() for operation in item.values()
    ]
    assert len(names) == len(set(names))


def test_what_is_posted_is_a_form(whole: dict[str, Any]) -> None:
    edit = whole["paths"]["/api.php#action=edit"]
    assert list(edit) == ["post"]
    form = edit["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"]
    assert "token" in form["required"]
    assert set(whole["paths"]["/api.php#action=parse"]) == {"get", "post"}
    upload = whole["paths"]["/api.php#action=upload"]["post"]["requestBody"]["content"]
    assert list(upload) == ["multipart/form-data"]


def test_generators_have_their_prefix(whole: dict[str, Any]) -> None:
    parameters = whole["paths"]["/api.php#action=query&generator=allpages"]["get"]["parameters"]
    names = {parameter.get("name") for parameter in parameters}
    assert {"generator", "gapfrom", "gaplimit"} <= names
    assert "apfrom" not in names


def test_parameters_of_query_are_shared_but_for_those_fixed(whole: dict[str, Any]) -> None:
    parameters = whole["paths"][QUERY_INFO]["get"]["parameters"]
    references = {
        parameter["$ref"].rpartition("/")[2] for parameter in parameters if "$ref" in parameter
    }
    assert {"query.titles", "query.list", "main.uselang", "main.format", "json.ascii"} <= references
    assert "query.prop" not in references
    fixed = [parameter for parameter in parameters if parameter.get("name") == "prop"]
    assert fixed[0]["schema"] == {"type": "string", "const": "info"}


def test_a_declaration_says_it_all(thing: dict[str, Any]) -> None:
    assert thing["thname"]["required"] is True
    assert thing["thname"]["schema"] == {"type": "string", "minLength": 1}
    assert thing["thsize"]["schema"] == {
        "type": "integer", "minimum": 1, "maximum": 9, "default": 3
    }  # fmt: skip
    most = {"type": "integer", "minimum": 1, "maximum": 70}
    assert thing["thlimit"]["schema"] == {"anyOf": [most, {"const": "max"}], "default": 10}
    assert thing["thwhen"]["deprecated"] is True
    assert "thnote-red" in thing
    assert "thnote-{colour}" not in thing


def test_lists_are_separated_by_pipes(thing: dict[str, Any]) -> None:
    colours = thing["thcolours"]
    assert (colours["style"], colours["explode"]) == ("pipeDelimited", False)
    assert colours["schema"]["items"]["enum"] == ["red", "blue", "*"]
    assert colours["schema"]["default"] == ["red", "blue"]
    assert "- `red`: like blood" in colours["description"]
    assert "Deprecated: `blue`." in colours["description"]
    assert colours["examples"]["example1"]["value"] == ["red", "blue"]
    assert thing["thnamespace"]["schema"]["default"] == [0, 1]


def test_examples_and_defaults_conform_to_their_schemas(whole: dict[str, Any]) -> None:
    parameters = [
        parameter
        for item in whole["paths"].values()
        for operation in item.values()
        for parameter in operation["parameters"]
        if "schema" in parameter
    ]
    checked = 0
    for parameter in [*parameters, *whole["components"]["parameters"].values()]:
        values = [example["value"] for example in parameter.get("examples", {}).values()]
        schema = parameter["schema"]
        values += [schema["default"]] if "default" in schema else []
        for value in values:
            Draft202012Validator(schema).validate(value)
            checked += 1
    assert checked > 300


def test_it_is_served(client: ApiClient, whole: dict[str, Any]) -> None:
    reply = client.raw("GET", path="/openapi.json")
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["access-control-allow-origin"] == "*"
    assert json.loads(reply.body) == whole
    asked_again = {"If-None-Match": reply.headers["etag"]}
    assert client.raw("GET", path="/openapi.json", headers=asked_again).status == 304


@pytest.mark.parametrize("name", ["nosuch.json", "json.json", "main.json", "parse", "", "a/b.json"])
def test_unknown_modules_are_not_found(client: ApiClient, name: str) -> None:
    assert client.raw("GET", path=f"/openapi/{name}").status == 404


def test_one_module_is_served(client: ApiClient) -> None:
    document = json.loads(client.raw("GET", path="/openapi/query+info.json").body)
    assert document["paths"]["/api.php"]["get"]["operationId"] == "prop_info"


def test_it_names_the_server_of_the_settings(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"site": {"server": "https://w.example", "script_path": "/x"}})
    document = json.loads(site.derived(OpenApi).whole())
    assert document["servers"] == [{"url": "https://w.example/x"}]
