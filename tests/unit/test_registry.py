from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import pluggy
import pytest

from wikiapi.errors import PluginError
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import ENTRY_POINT_GROUP, make_plugin_manager
from wikiapi.registry import Registry, collect, own_name


@dataclass
class Declared:
    name: str


class Plugin:
    """Registers actions of the names given."""

    def __init__(self, *names: str) -> None:
        self.names = names

    @hookimpl
    def register_actions(self) -> Any:
        return [Declared(name) for name in self.names]


class Failing:
    @hookimpl
    def register_actions(self, site: object) -> Any:
        raise ZeroDivisionError(f"cannot serve {site}")


class Nothing:
    @hookimpl
    def register_actions(self) -> Any:
        return None


class Lazy:
    @hookimpl
    def register_actions(self, site: str) -> Any:
        yield Declared(site)
        raise ZeroDivisionError("half way")


def manager(**plugins: object) -> pluggy.PluginManager:
    installed = [point.name for point in entry_points(group=ENTRY_POINT_GROUP)]
    made = make_plugin_manager(disabled=installed)
    for name, plugin in plugins.items():
        made.register(plugin, name=name)
    return made


def actions(**plugins: object) -> Registry[Declared]:
    return collect(manager(**plugins), "register_actions", own_name, site="wiki")


def test_entries_in_order_of_registration() -> None:
    registry = actions(one=Plugin("b", "a"), two=Plugin("c"))
    assert list(registry) == ["b", "a", "c"]
    assert len(registry) == 3
    assert registry["a"] == Declared("a")
    assert "d" not in registry
    with pytest.raises(KeyError):
        registry["d"]


def test_owner_of_a_name() -> None:
    registry = actions(one=Plugin("a"), two=Plugin("b"))
    assert (registry.owner("a"), registry.owner("b")) == ("one", "two")


def test_duplicate_name_names_both_plugins() -> None:
    with pytest.raises(PluginError) as caught:
        actions(one=Plugin("a"), two=Plugin("b", "a"))
    assert str(caught.value) == "register_actions: 'a' is registered by one and by two"


def test_duplicate_name_within_a_plugin() -> None:
    with pytest.raises(PluginError, match="'a' is registered by one and by one"):
        actions(one=Plugin("a", "a"))


def test_declaration_of_several_names() -> None:
    registry: Registry[Declared] = collect(
        manager(one=Plugin("a")), "register_actions", lambda d: (d.name, d.name.upper()), site=None
    )
    assert registry["a"] is registry["A"]


def test_plugin_may_have_nothing() -> None:
    assert list(actions(one=Nothing(), two=Plugin("a"))) == ["a"]


@pytest.mark.parametrize(
    ("plugin", "reason"), [(Failing(), "cannot serve wiki"), (Lazy(), "half way")]
)
def test_failing_hook_names_its_plugin(plugin: object, reason: str) -> None:
    with pytest.raises(PluginError) as caught:
        actions(good=Plugin("a"), broken=plugin)
    text = f"plugin broken: register_actions failed: {reason} ({__file__}:"
    assert str(caught.value).startswith(text)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_registry_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        actions(one=Plugin("a"))["b"] = Declared("b")  # type: ignore[index]
