"""An extension is one declaration, from which every registry takes its part."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wikiapi.api import Action, MetaModule, QueryPage
from wikiapi.api.registries import registries
from wikiapi.cli.plugins import describe
from wikiapi.errors import PluginError
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import Message
from wikiapi.plugins import Extension
from wikiapi.registry import collect, declarations, own_name
from wikiapi.resources import ResourceModule
from wikiapi.site import Site
from wikiapi.store import MediaWikiModel
from wikiapi.store.fields import Serial
from wikiapi.testing import ask
from wikiapi.title import Title
from wikiapi.wikitext import (
    BehaviorSwitch,
    ContentModel,
    ExtensionTag,
    Parser,
    ParserFunction,
    ParserOptions,
    ParserOutput,
    SpecialPage,
    Variable,
)


class Brew(Action):
    """Brew tea."""

    name = "brew"

    def execute(self) -> None:
        """Add what was brewed."""
        self.result.set((), self.name, self.site.messages.text(Message("tea-brewed"), "en"))


class Kettle(MetaModule):
    """Return what the kettle does."""

    name, prefix = "kettle", "ke"

    def execute(self) -> None:
        """Add what it does."""
        self.result.set(("query",), self.name, "whistles")


class Leaf(MediaWikiModel):
    """A table of the extension."""

    leaf_id = Serial()

    class Meta:
        """The name of the table."""

        table_name = "tea_leaf"


def render_leaves(parser: Parser, text: str, title: Title, options: ParserOptions) -> ParserOutput:
    return parser.parse(text, title, options)


def tea_house(messages: Path) -> Extension:
    return Extension(
        "TeaHouse",
        kind="parserhook",
        url="https://x.example/tea",
        version="7",
        author="Tea drinkers",
        tags=[ExtensionTag("tea", lambda call: "<b>tea</b>")],
        functions=[ParserFunction("#cups", lambda call: f"{call.first} cups")],
        variables=[Variable("TEATIME", lambda state: "five")],
        switches=[BehaviorSwitch("teapot", ("__TEAPOT__",))],
        special_pages=[SpecialPage("Teas", lambda call: "teas")],
        content_models=[ContentModel("tea-leaves", ("text/plain",), render_leaves)],
        actions=[Brew],
        query_modules=[Kettle],
        query_pages=[QueryPage("ColdTea", lambda namespaces: None)],
        models=[Leaf],
        messages=messages,
        resources=lambda: [ResourceModule("ext.tea", "b {}")],
    )


class Plugin:
    """A plugin with one extension, which counts how often it is asked for it."""

    def __init__(self, extension: Any) -> None:
        self.extension = extension
        self.calls = 0

    @hookimpl
    def register_extensions(self) -> list[Any]:
        self.calls += 1
        return [self.extension]


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    (tmp_path / "en.json").write_text(json.dumps({"tea-brewed": "It is strong."}))
    return Plugin(tea_house(tmp_path))


def test_everything_is_registered(make_site: Callable[..., Site], plugin: Plugin) -> None:
    site = make_site(plugins=[plugin])
    owner = site.plugins.get_name(plugin)
    words, modules = site.parser.registries, registries(site)
    for registry, label in (
        (words.tags, "tea"),
        (words.functions, "#cups"),
        (words.variables, "=TEATIME"),
        (words.switches, "teapot"),
        (words.special_pages, "Teas"),
        (site.content_models, "tea-leaves"),
        (modules.actions, "brew"),
        (modules.query_modules, "kettle"),
        (collect(site.plugins, "register_query_pages", own_name, site=site), "ColdTea"),
        (collect(site.plugins, "register_resource_modules", own_name, site=site), "ext.tea"),
        (collect(site.plugins, "register_extension_credits", own_name, site=site), "TeaHouse"),
    ):
        assert registry.owner(label) == owner
    assert Leaf in declarations(site.plugins, "register_models", site=site)
    assert plugin.calls == 1


def test_answers(make_site: Callable[..., Site], plugin: Plugin) -> None:
    site = make_site(plugins=[plugin])
    assert ask(site, {"action": "brew"}).data["brew"] == "It is strong."
    query = {"action": "query", "meta": "kettle|siteinfo", "siprop": "extensions"}
    answer = ask(site, query).data["query"]
    assert answer["kettle"] == "whistles"
    assert next(each for each in answer["extensions"] if each["name"] == "TeaHouse") == {
        "type": "parserhook",
        "name": "TeaHouse",
        "author": "Tea drinkers",
        "url": "https://x.example/tea",
        "version": "7",
    }
    info = ask(site, {"action": "paraminfo", "modules": "brew"}).data["paraminfo"]["modules"][0]
    assert info["source"] == site.plugins.get_name(plugin)
    text = "<tea/> {{#cups:3}} {{TEATIME}} __TEAPOT__"
    html = ask(site, {"action": "parse", "text": text, "contentmodel": "wikitext"}).data
    assert "<b>tea</b> 3 cups five" in html["parse"]["text"]


def test_list_of_plugins(make_site: Callable[..., Site], plugin: Plugin) -> None:
    lines = list(describe(make_site(plugins=[plugin])))
    own = lines[lines.index("  shown as extensions: TeaHouse") - 11 :][:12]
    assert "  extension tags: tea" in own
    assert "  query modules: meta=kettle" in own
    assert "  other hooks: register_extensions" not in lines


class AlsoHooks(Plugin):
    """A plugin with an extension and a hook of its own."""

    @hookimpl
    def register_parser_functions(self) -> list[ParserFunction]:
        return [ParserFunction("#milk", lambda call: "milk")]


def test_declarations_are_in_the_order_of_the_plugins(make_site: Callable[..., Site]) -> None:
    first = AlsoHooks(Extension("First", functions=[ParserFunction("#tea", lambda call: "")]))
    last = Plugin(Extension("Last", functions=[ParserFunction("#sugar", lambda call: "")]))
    functions = list(make_site(plugins=[first, last]).parser.registries.functions)
    assert functions[-3:] == ["#milk", "#tea", "#sugar"]


@pytest.mark.parametrize(
    ("extension", "message"),
    [
        (5, "register_extensions returned 5 (int), which is not of type ExtensionCredits"),
        (
            Extension("Tea", tags=[ParserFunction("#a", print)]),  # type: ignore[list-item]
            "tags of the extension Tea: ParserFunction(",
        ),
        (
            Extension("Tea", functions=print),  # type: ignore[arg-type]
            "functions of the extension Tea: print is not a list of declarations",
        ),
        (
            Extension("Tea", tags=[ExtensionTag("ref", lambda call: "")]),
            "register_extension_tags: 'ref' is registered by cite and by ",
        ),
    ],
)
def test_mistakes_are_named(make_site: Callable[..., Site], extension: Any, message: str) -> None:
    with pytest.raises(PluginError) as raised:
        make_site(plugins=[Plugin(extension)])
    assert message in str(raised.value)


def test_failing_resources_are_named(make_site: Callable[..., Site]) -> None:
    def resources() -> list[ResourceModule]:
        raise OSError("no tea")

    site = make_site(plugins=[Plugin(Extension("Tea", resources=resources))])
    with pytest.raises(PluginError, match="resources of the extension Tea failed: no tea"):
        collect(site.plugins, "register_resource_modules", own_name, site=site)
