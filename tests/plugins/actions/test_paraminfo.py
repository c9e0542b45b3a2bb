from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from wikiapi.accounts.user import User
from wikiapi.api.module import Action
from wikiapi.api.params.declaration import enum, integer, string
from wikiapi.api.registries import registries
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import ask


class Sample(Action):
    """Show ``everything`` that can be declared.

    At some length.
    """

    name = "sample"
    prefix = "sa"
    is_deprecated = True
    is_internal = True
    params = (
        enum("kind", "b10", "b9", "a", "old", deprecated_values=["old"], multi=True,
             default="a|b9", help="What <kind>.", value_help=(("a", "The first."),)),
        integer("number", "How many.", minimum=1, maximum=9, enforce=True, default=3),
        string("text-{kind}", "One for each.", template=("kind", "kind")),
    )  # fmt: skip
    examples = (("action=sample", "An ``example``"),)

    def execute(self) -> None:
        self.result.set((), self.name, dict(self.p))


class SamplePlugin:
    @hookimpl
    def register_actions(self) -> Iterable[type[Action]]:
        return [Sample]


pytestmark = pytest.mark.wiki({"Main Page": "x"}, plugins=[SamplePlugin()])


def info(site: Site, modules: str, **params: str) -> Any:
    answer = ask(site, {"action": "paraminfo", "modules": modules, **params})
    assert answer.codes == ""
    return answer


def module(site: Site, path: str, **params: str) -> Any:
    return info(site, path, **params).data["paraminfo"]["modules"][0]


def test_a_module_of_our_own(site: Site) -> None:
    entry = module(site, "query+info")
    assert entry["classname"] == "MediaWiki\\Api\\ApiQueryInfo"
    assert entry["group"] == "prop"
    assert entry["prefix"] == "in"
    assert entry["readrights"] is True
    assert "writerights" not in entry
    assert entry["licenselink"].endswith("/wiki/Special:Version/License/MediaWiki")


def test_a_module_of_another_plugin_says_so(site: Site) -> None:
    entry = module(site, "sample")
    assert entry["classname"] == f"{__name__}.Sample".replace(".", "\\")
    assert entry["source"] != "MediaWiki"
    assert "licensetag" not in entry
    assert entry["deprecated"] is True
    assert entry["internal"] is True


def test_parameters(site: Site) -> None:
    kind, number = module(site, "sample")["parameters"]
    assert kind == {
        "index": 1,
        "name": "kind",
        "type": ["a", "b9", "b10", "old"],
        "required": False,
        "default": "a|b9",
        "multi": True,
        "lowlimit": 50,
        "highlimit": 500,
        "limit": 50,
        "deprecatedvalues": ["old"],
    }
    assert number == {
        "index": 2,
        "name": "number",
        "type": "integer",
        "required": False,
        "multi": False,
        "default": 3,
        "min": 1,
        "max": 9,
        "enforcerange": True,
    }


def test_templated_parameters(site: Site) -> None:
    (parameter,) = module(site, "sample")["templatedparameters"]
    assert parameter["name"] == "text-{kind}"
    assert parameter["templatevars"] == {"kind": "kind"}
    params = {"sakind": "a|b9", "satext-a": "x", "satext-old": "y"}
    answer = ask(site, {"action": "sample", **params})
    assert answer.data["sample"]["text-a"] == "x"
    assert answer.data["sample"]["text-b9"] is None
    assert "text-old" not in answer.data["sample"]
    assert "apierror-unrecognizedparams" in answer.warned


def test_version_1_leaves_out_what_is_false(site: Site) -> None:
    parameter = info(site, "sample").version1["paraminfo"]["modules"][0]["parameters"][1]
    assert parameter["enforcerange"] == ""
    assert {"required", "multi"}.isdisjoint(parameter)


def test_high_limits_are_the_users(site: Site) -> None:
    user = User("Ada", frozenset({"read", "apihighlimits"}), 1)
    params = {"action": "paraminfo", "modules": "sample"}
    parameter = ask(site, params, user=user).data["paraminfo"]["modules"][0]["parameters"][0]
    assert parameter["limit"] == 500
    assert module(site, "sample")["parameters"][0]["limit"] == 50


def test_submodules(site: Site) -> None:
    action, form = module(site, "main")["parameters"][:2]
    assert set(action["type"]) == set(action["submodules"]) == set(registries(site).actions)
    assert action["internalvalues"][-1:] == ["stashedit"]
    assert action["type"][-len(action["internalvalues"]) :] == action["internalvalues"]
    assert form["submodules"]["json"] == "json"
    query = {param["name"]: param for param in module(site, "query")["parameters"]}
    assert query["meta"]["submodules"]["siteinfo"] == "query+siteinfo"
    assert query["generator"]["submoduleparamprefix"] == "g"
    names = {name for kind in ("prop", "list", "meta") for name in query[kind]["submodules"]}
    assert names == set(registries(site).query_modules)
    assert set(query["generator"]["type"]) < names


def test_every_module_listed_can_be_requested(site: Site) -> None:
    modules = info(site, "**").data["paraminfo"]["modules"]
    paths = [entry["path"] for entry in modules]
    assert paths == sorted(paths)
    expected = (
        len(registries(site).actions)
        + len(registries(site).formats)
        + len(registries(site).query_modules)
    )
    assert len(paths) == expected
    assert [module(site, path)["path"] for path in paths] == paths
    assert all(entry["helpurls"] is not None for entry in modules)


@pytest.mark.parametrize(
    ("modules", "paths"),
    [
        ("parse|query+info|parse", ["parse", "query+info"]),
        ("query+siteinfo|main", ["query+siteinfo", "main"]),
        ("bogus|query+bogus|json+*|parse+x|json", ["json"]),
    ],
)
def test_choice(site: Site, modules: str, paths: list[str]) -> None:
    answer = info(site, modules)
    assert [entry["path"] for entry in answer.data["paraminfo"]["modules"]] == paths
    assert len(answer.warned) == (4 if "bogus" in modules else 0)


def test_wildcards(site: Site) -> None:
    under = [entry["path"] for entry in info(site, "query+*").data["paraminfo"]["modules"]]
    assert under == sorted(f"query+{name}" for name in registries(site).query_modules)


def test_no_modules(site: Site) -> None:
    assert ask(site, {"action": "paraminfo"}).data == {"paraminfo": {"helpformat": "none"}}


def test_old_parameters(site: Site) -> None:
    answer = ask(
        site,
        {
            "action": "paraminfo",
            "querymodules": "info",
            "formatmodules": "json",
            "mainmodule": "1",
            "pagesetmodule": "1",
        },
    )
    paraminfo = answer.data["paraminfo"]
    assert [entry["path"] for entry in paraminfo["querymodules"]] == ["query+info"]
    assert [entry["path"] for entry in paraminfo["formatmodules"]] == ["json"]
    assert paraminfo["mainmodule"]["path"] == "main"
    names = [param["name"] for param in paraminfo["pagesetmodule"]["parameters"]]
    assert names[:4] == ["titles", "pageids", "revids", "generator"]
    assert "paramvalidator-param-deprecated" in answer.warned


@pytest.mark.parametrize(
    ("form", "module_text", "param_text"),
    [
        (
            "wikitext",
            "Show <kbd>everything</kbd> that can be declared.\n\nAt some length.",
            "What &lt;kind&gt;.\n\n;a:The first.",
        ),
        (
            "html",
            "<p>Show <kbd>everything</kbd> that can be declared.\n</p><p>At some length.\n</p>",
            "What &lt;kind&gt;.<dl><dt>a</dt><dd>The first.</dd></dl>",
        ),
    ],
)
def test_help_texts(site: Site, form: str, module_text: str, param_text: str) -> None:
    entry = module(site, "sample", helpformat=form)
    assert entry["description"] == module_text
    assert entry["parameters"][0]["description"] == param_text
    assert entry["examples"] == [{"query": "action=sample", "description": "An <kbd>example</kbd>"}]


def test_raw_help_texts(site: Site) -> None:
    entry = module(site, "sample", helpformat="raw")
    assert entry["description"][0]["key"] == "apihelp-sample-summary"
    first, value = entry["parameters"][0]["description"]
    assert first["params"] == ["sa", "kind", "sample", "sample"]
    assert value["forvalue"] == "a"
    assert entry["examples"][0]["description"]["key"] == "apihelp-sample-example-1"


def test_tokens_come_with_their_type(site: Site) -> None:
    entry = module(site, "clientlogin")
    (token,) = [param for param in entry["parameters"] if param["name"] == "token"]
    assert token["tokentype"] == "login"
    assert token["required"] is token["sensitive"] is True
    assert entry["dynamicparameters"] is True


def test_descriptions_are_made_once(site: Site) -> None:
    one, two = (info(site, "parse").context.result.root["paraminfo"]["modules"] for _ in "ab")
    assert one[0] is two[0]


@pytest.mark.parametrize(
    ("path", "extra"),
    [
        ("query+links", [-2, -1]),
        ("query+templates", [-2, -1]),
        ("query+alllinks", [-2, -1]),
        ("query+alltransclusions", [-2, -1]),
        ("query+allredirects", [-2, -1]),
        ("query+logevents", [-2, -1]),
        ("query+recentchanges", [-2, -1]),
        ("query+prefixsearch", None),
        ("query+allpages", None),
    ],
)
def test_namespaces_without_pages_where_links_and_logs_know_them(
    site: Site, path: str, extra: list[int] | None
) -> None:
    params = {param["name"]: param for param in module(site, path)["parameters"]}
    assert params["namespace"].get("extranamespaces") == extra
