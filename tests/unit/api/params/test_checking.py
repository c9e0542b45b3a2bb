"""Wrong declarations of parameters are reported when their plugin is registered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from wikiapi.api import Action, Param, boolean, enum, integer, limit, string
from wikiapi.api.params.types import EnumType
from wikiapi.api.params.validate import Params
from wikiapi.api.registries import registries
from wikiapi.errors import PluginError
from wikiapi.hookspecs import hookimpl
from wikiapi.site import Site
from wikiapi.testing import ask, make_site

WRONG: dict[str, tuple[Any, str]] = {
    "tuples of texts": (
        (("limit", "How many."),),
        r"has \('limit', 'How many.'\), which is",
    ),
    "texts": (("limit", "continue"), "params has 'limit', which is not a parameter: declare it"),
    "a text": ("limit", "params is 'limit', which is not a tuple of parameters"),
    "no comma": (string("a"), "params is a single parameter: write"),
    "twice": ((string("a"), limit(name="a")), "parameter 'a' is declared twice"),
    "no name": ((string(""),), "params has a parameter with the name '', which is not a text"),
    "a set": (
        (enum("sort", {"up", "down"}),),
        r"the value {.*write enum\(.sort., .down., .u",
    ),
    "a list": (
        (enum("sort", ["up", "down"]),),
        r"has the value \['up', 'down'\], which is not a t",
    ),
    "numbers": ((enum("depth", 1, 2),), "parameter 'depth' has the value 1, which is not a text"),
    "a set of values": (
        (Param(name="sort", type=EnumType({"up"})),),
        r"has the values {'up'}, which are not a tuple: clients are told their order",
    ),
    "no values": ((enum("sort"),), "parameter 'sort' has no values"),
    "default outside": (
        (enum("sort", "up", "down", default="left"),),
        "parameter 'sort' has the default 'left', which is not among its values 'up', 'down'",
    ),
    "one default outside": (
        (enum("prop", "a", "b", default="a|c", multi=True),),
        "parameter 'prop' has the default 'c', which is not among its values 'a', 'b'",
    ),
    "default as a tuple": (
        (enum("prop", "a", "b", default=("a", "b"), multi=True),),
        r"has the default \('a', 'b'\), which is neither .*: write 'a|b', as in a request",
    ),
    "deprecated outside": (
        (enum("prop", "a", deprecated_values=["b"]),),
        "parameter 'prop' deprecates 'b', which is not among its values 'a'",
    ),
    "too small": (
        (integer("depth", minimum=1, default=0),),
        "parameter 'depth' has the default 0, which is below the minimum 1",
    ),
    "too large": (
        (integer("depth", maximum=6, default=7),),
        "parameter 'depth' has the default 7, which is above the maximum 6",
    ),
    "no number": ((integer("depth", default="6"),), "the default '6', which is not a number"),
    "no range": (
        (integer("depth", minimum=6, maximum=1),),
        "parameter 'depth' has the minimum 6, which is above the maximum 1",
    ),
    "limit": ((limit(default=9000),), "the default 9000, which is above the maximum 5000"),
    "flag": (
        (Param(name="all", type=boolean("all").type, default=True),),
        "parameter 'all' is a flag and has the default True: an absent flag is false",
    ),
    "template": (
        (Param(name="text-{slot}", type=string("a").type, template=("slot", "slots")),),
        "parameter 'text-{slot}' is named after 'slots', which is none",
    ),
}
RIGHT: dict[str, tuple[Param, ...] | list[Param]] = {
    "none": (),
    "a list": [string("a")],
    "all defaults": (
        enum("prop", "a", "b", default="a|b", multi=True),
        enum("none", "a", "b", default="", multi=True),
        enum("wiki", choices=lambda site: (site.config.site.name,), default=lambda site: "x"),
        integer("depth", minimum=1, maximum=6, default=6),
        limit(default=5000),
        boolean("all"),
        string("text", default="x"),
        string("words", default="a|b", multi=True),
    ),
}


def action(params: Any) -> type[Action]:
    class Tea(Action):
        """Make tea."""

        name = "tea"

        def execute(self) -> None:
            self.p.text("sugar")

    Tea.params = params
    return Tea


class Plugin:
    def __init__(self, params: Any) -> None:
        self.params = params

    @hookimpl
    def register_actions(self) -> list[type[Action]]:
        return [action(self.params)]


class Adding(Plugin):
    @hookimpl
    def register_actions(self) -> list[type[Action]]:
        return []

    @hookimpl
    def register_params(self, module: type) -> Iterable[Any]:
        return self.params if module.__name__ == "Query" else ()


@pytest.mark.parametrize("name", WRONG)
def test_wrong_parameters_are_reported_with_their_module(name: str) -> None:
    params, message = WRONG[name]
    plugin = Plugin(params)
    with pytest.raises(PluginError, match=message) as caught:
        make_site(plugins=[plugin])
    assert "register_actions returned Tea (" in str(caught.value)
    assert f"{__file__}:" in str(caught.value)


@pytest.mark.parametrize("name", RIGHT)
def test_right_parameters_are_registered(name: str, make_site: Callable[..., Site]) -> None:
    site = make_site(plugins=[Plugin(RIGHT[name])])
    assert list(registries(site).actions["tea"].params) == list(RIGHT[name])


def test_parameters_added_to_other_modules_are_checked(make_site: Callable[..., Site]) -> None:
    site = make_site(plugins=[Adding(["extra"])])
    with pytest.raises(PluginError, match="for the module query: params has 'extra', which is not"):
        registries(site).actions["query"].declared_params(site)


def test_reading_an_undeclared_parameter_says_so(make_site: Callable[..., Site]) -> None:
    params = Params(title="A", limit=10)
    message = "^the module declares no parameter 'sugar'; its params, .*, are: title, limit$"
    for read in (params.text, params.number, params.flag, params.texts, params.is_given):
        with pytest.raises(KeyError, match=message):
            read("sugar")
    site = make_site(plugins=[Plugin((string("milk"),))])
    with pytest.raises(KeyError, match=r"no parameter 'sugar'; its params, .*, are: milk$"):
        ask(site, {"action": "tea"})
