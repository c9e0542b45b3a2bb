"""What ``paraminfo`` says of each module, compared with what MediaWiki 1.45 says.

``paraminfo_facts.json`` has the flags of each module and its parameters in their order, each with
its type unless that is ``string``, ``*`` for several values, ``!`` for required and ``-`` for
deprecated.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi_plugins.shared.documentation.tree import OWN, ModuleTree

FACTS: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("paraminfo_facts.json").read_text(encoding="utf-8")
)
FLAGS = (
    *("deprecated", "internal", "readrights", "writerights", "mustbeposted", "generator"),
    "dynamicparameters",
)
MARKS = {"multi": "*", "required": "!", "deprecated": "-"}
PAGE = {"name": "singlepageonly"}


# What this project adds to MediaWiki is left out.
pytestmark = pytest.mark.wiki({"Main Page": "x"}, config={"plugins": {"disabled": ["markdown"]}})


@pytest.fixture(scope="module")
def modules(site: Site) -> dict[str, Any]:
    answer = ask(site, {"action": "paraminfo", "modules": "main|**"})
    return {entry["path"]: entry for entry in answer.data["paraminfo"]["modules"]}


def parameters(module: Any) -> list[Any]:
    params = [*module["parameters"], *module["templatedparameters"]]
    return sorted(params, key=lambda param: param["index"])


def signature(param: Any) -> str:
    kind = param["type"] if isinstance(param["type"], str) else "enum"
    marks = "".join(mark for flag, mark in MARKS.items() if param.get(flag))
    return param["name"] + ("" if kind == "string" else f":{kind}") + marks


@pytest.mark.parametrize("path", FACTS)
def test_flags_and_parameters(modules: dict[str, Any], path: str) -> None:
    module, facts = modules[path], FACTS[path]
    assert " ".join(flag for flag in FLAGS if module.get(flag)) == facts["flags"]
    assert " ".join(map(signature, parameters(module))) == facts["params"]


@pytest.mark.parametrize(
    ("path", "name", "facts"),
    [
        ("query+extracts", "limit", {"min": 1, "max": 20, "highmax": None, "default": 20}),
        ("query+links", "limit", {"min": 1, "max": 500, "highmax": 5000, "default": 10}),
        ("query+revisions", "limit", {"default": None, "info": [PAGE]}),
        ("query+revisions", "dir", {"default": "older", "info": [PAGE]}),
        ("query+revisions", "tag", {"info": None}),
        ("query+revisions", "contentformat-{slot}", {"templatevars": {"slot": "slots"}}),
        ("query+allrevisions", "limit", {"default": None, "info": None}),
        ("query+alldeletedrevisions", "start", {"info": [{"name": "useronly"}]}),
        ("query+alldeletedrevisions", "prefix", {"info": [{"name": "nonuseronly"}]}),
        ("query+deletedrevs", "dir", {"info": [{"name": "modes", "values": [1, 3]}]}),
        ("query+info", "preloadcustom", {"info": [{"name": "preloadcontentonly"}]}),
        ("query+search", "offset", {"default": 0, "min": 0}),
        ("query+querypage", "offset", {"default": 0, "min": None}),
        ("query+categories", "prop", {"default": None}),
        ("query+tags", "prop", {"default": ""}),
        ("query+allimages", "user", {"subtypes": ["name", "ip", "temp", "interwiki", "id"]}),
        ("query+filerepoinfo", "prop", {
            "default": "canUpload|displayname|favicon|initialCapital|local|name|rootUrl"
                       "|scriptDirUrl|thumbUrl|url"}),
        ("query+watchlist", "show", {
            "type": ["!anon", "!autopatrolled", "!bot", "!minor", "!patrolled", "!unread", "anon",
                     "autopatrolled", "bot", "minor", "patrolled", "unread"]}),
        ("block", "user", {"subtypes": ["name", "ip", "temp", "cidr", "id"]}),
        ("block", "expiry", {"default": "never"}),
        ("block", "pagerestrictions", {"mustExist": True, "limit": 10, "highlimit": 10}),
        ("edit", "token", {"tokentype": "csrf", "sensitive": True}),
        ("edit", "returnto", {"mustExist": False}),
        ("edit", "undo", {"min": 0}),
        ("edit", "contentmodel", {
            "type": ["css", "javascript", "json", "sanitized-css", "Scribunto", "text", "unknown",
                     "vue", "wikitext"]}),
        ("edit", "contentformat", {
            "type": ["application/json", "application/octet-stream", "application/unknown",
                     "application/vue+xml", "application/x-binary", "text/css",
                     "text/javascript", "text/plain", "text/unknown", "text/x-wiki",
                     "unknown/unknown"]}),
        ("changecontentmodel", "model", {
            "type": ["css", "javascript", "json", "sanitized-css", "Scribunto", "text", "vue",
                     "wikitext"]}),
        ("upload", "filesize", {"min": 0, "max": 104857600}),
        ("rollback", "token", {"tokentype": "rollback"}),
        ("userrights", "token", {"tokentype": "userrights"}),
        ("userrights", "expiry", {"default": "infinite", "allowsduplicates": True}),
    ],
)  # fmt: skip
def test_details(modules: dict[str, Any], path: str, name: str, facts: dict[str, Any]) -> None:
    (param,) = (param for param in parameters(modules[path]) if param["name"] == name)
    param_facts = {fact: param.get(fact) for fact in facts}
    if isinstance(param_facts.get("type"), list):
        param_facts["type"] = sorted(param_facts["type"], key=str.lower)
    assert param_facts == facts


@pytest.mark.parametrize(
    ("path", "source", "licence"),
    [
        ("query+info", "MediaWiki", "GPL-2.0-or-later"),
        ("json", "MediaWiki", "GPL-2.0-or-later"),
        ("main", "MediaWiki", "GPL-2.0-or-later"),
        ("templatedata", "TemplateData", "GPL-2.0-or-later"),
        ("query+pageimages", "PageImages", "WTFPL"),
        ("query+extracts", "TextExtracts", "GPL-2.0-or-later"),
        ("query+coordinates", "GeoData", "WTFPL"),
    ],
)
def test_modules_of_extensions_name_the_extension(
    modules: dict[str, Any], path: str, source: str, licence: str
) -> None:
    module = modules[path]
    assert (module["source"], module["licensetag"]) == (source, licence)
    assert module["licenselink"].endswith(f"/wiki/Special:Version/License/{source}")


def test_every_module_of_an_extension_is_listed_with_it(
    site: Site, modules: dict[str, Any]
) -> None:
    described = ModuleTree(site).by_path.values()
    extensions = [module.path for module in described if module.plugin not in (OWN, "editing")]
    wrong = [path for path in extensions if modules[path]["source"] == "MediaWiki"]
    assert wrong == [], "documentation/classnames.json lacks them"


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("html", "Only for the history of one page."),
        ("raw", {"key": "apihelp-query+revisions-paraminfo-singlepageonly", "params": ["rv"]}),
    ],
)
def test_conditions_have_texts(site: Site, form: str, text: Any) -> None:
    request = {"action": "paraminfo", "modules": "query+revisions", "helpformat": form}
    params = ask(site, request).data["paraminfo"]["modules"][0]["parameters"]
    (limit,) = (param for param in params if param["name"] == "limit")
    assert limit["info"] == [{"name": "singlepageonly", "text": text}]


def test_page_languages_have_an_interface(modules: dict[str, Any]) -> None:
    (param,) = (p for p in parameters(modules["setpagelanguage"]) if p["name"] == "lang")
    assert {"default", "de", "lzh", "be-tarask"} < set(param["type"])
    assert {"simple", "zh-classical", "be-x-old"}.isdisjoint(param["type"])
