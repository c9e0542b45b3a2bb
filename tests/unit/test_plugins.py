from __future__ import annotations

import importlib
import sys
from collections.abc import Generator
from functools import partial
from pathlib import Path

import pytest

from wikiapi import plugins
from wikiapi.errors import PluginError
from wikiapi.hookspecs import HOOK_NAMES, hookimpl
from wikiapi.plugins import make_plugin_manager
from wikiapi.registry import owner_of
from wikiapi_plugins.extensions.headertabs import headertabs


class Good:
    @hookimpl
    def on_import_finished(self) -> None:
        """Do nothing."""


class Helps:
    def help(self) -> None:
        """Do nothing."""


class Misspelt:
    @hookimpl
    def register_acitons(self) -> None:
        """Do nothing; it is never called."""


class WrongArgument:
    @hookimpl
    def register_actions(self, wiki: object) -> None:
        """Do nothing; it is never called."""


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed distribution ``example 1.2`` with the plugin ``ours`` in ``example_plugin``."""
    info = tmp_path / "example-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text("[wikiapi]\nours = example_plugin\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "example_plugin", raising=False)
    return tmp_path / "example_plugin.py"


def test_installed_plugin_is_loaded(distribution: Path) -> None:
    distribution.write_text("")
    manager = make_plugin_manager()
    assert manager.has_plugin("ours")
    assert manager.has_plugin("builtin")


def test_order_puts_plugins_before_the_others(distribution: Path) -> None:
    distribution.write_text("")

    def names(*order: str) -> list[str]:
        return [name for name, _ in make_plugin_manager(order=order).list_name_plugin()]

    assert names() == sorted(names())
    first = ["ours", "builtin"]
    assert names(*first, "unknown") == [*first, *(n for n in names() if n not in first)]


def test_disabled_plugin_is_not_even_imported(distribution: Path) -> None:
    distribution.write_text("raise RuntimeError")
    manager = make_plugin_manager(disabled=["ours"])
    assert not manager.has_plugin("ours")
    assert "example_plugin" not in sys.modules


@pytest.mark.parametrize(
    ("code", "reason"),
    [("import no_such_module_at_all", "No module named"), ("1 / 0", "division by zero")],
)
def test_plugin_that_fails_to_load_is_named_with_its_version(
    distribution: Path, code: str, reason: str
) -> None:
    distribution.write_text(code)
    with pytest.raises(PluginError) as caught:
        make_plugin_manager()
    assert str(caught.value).startswith("plugin ours (example 1.2) cannot be loaded: ")
    assert reason in str(caught.value)


def test_extra_plugin() -> None:
    plugin = Good()
    assert make_plugin_manager(extra=[plugin]).is_registered(plugin)


def test_installed_plugin_that_is_given_is_loaded_once(distribution: Path) -> None:
    distribution.write_text("")
    module = importlib.import_module("example_plugin")
    manager = make_plugin_manager(extra=[module])
    assert manager.get_name(module) == "example_plugin"
    assert not manager.has_plugin("ours")


def test_unknown_hook_is_refused() -> None:
    with pytest.raises(PluginError, match="unknown hook 'register_acitons'"):
        make_plugin_manager(extra=[Misspelt()])


def test_unknown_argument_of_a_hook_is_refused() -> None:
    with pytest.raises(PluginError, match="wiki"):
        make_plugin_manager(extra=[WrongArgument()])


def test_wrapper_is_refused() -> None:
    class Wraps:
        @hookimpl(wrapper=True)
        def on_import_finished(self) -> Generator[None]:
            yield

    with pytest.raises(PluginError, match=r"Wraps: on_import_finished \(.*\) must not be"):
        make_plugin_manager(extra=[Wraps()])


def test_owner_of_a_function() -> None:
    helps = Helps()
    manager = make_plugin_manager(extra=[helps])
    assert owner_of(helps.help, manager) == owner_of(partial(helps.help), manager) == "Helps"
    assert owner_of(headertabs, manager) == "headertabs"
    assert owner_of(test_managers_share_nothing, make_plugin_manager()) == "?"


def test_managers_share_nothing() -> None:
    one, other = make_plugin_manager(extra=[Good()]), make_plugin_manager()
    assert len(one.get_plugins()) == len(other.get_plugins()) + 1


def test_no_manager_stays_in_the_module() -> None:
    import pluggy

    assert not any(isinstance(value, pluggy.PluginManager) for value in vars(plugins).values())


def test_every_hook_is_listed() -> None:
    manager = make_plugin_manager(disabled=["builtin"])
    assert set(HOOK_NAMES) == {name for name in vars(manager.hook) if not name.startswith("_")}
