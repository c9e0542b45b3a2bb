"""Every hook is fired, with every argument that its documentation names, where that says it is."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import pytest
from click.testing import CliRunner

from wikiapi import hookspecs
from wikiapi.cli import main
from wikiapi.cli.support import group
from wikiapi.errors import ApiError
from wikiapi.hookspecs import HOOK_NAMES, hookimpl
from wikiapi.http.app import make_app
from wikiapi.plugins import make_plugin_manager
from wikiapi.testing import ApiClient, make_site

PAGES = {
    "Tea": "A [[drink]] with {{Milk}}. [[Category:Drinks]]",
    "Template:Milk": "milk",
    "Drink": "",
}

WHEN_NEEDED = {"register_params", "register_extension_credits"}
ELSEWHERE = {
    "register_mounts",
    "register_resource_modules",
    "register_rest_routes",
    "register_commands",
}
AT_THE_START = {n for n in HOOK_NAMES if n.startswith("register_")} - WHEN_NEEDED - ELSEWHERE
IMPORT = {"on_import_page", "on_links_updated", "on_import_finished"}
RENDERING = {"resolve_template", "on_page_parsed", "on_rendering_ended", "transform_html"}
FIRED: dict[str, set[str]] = {
    "site": AT_THE_START | IMPORT | RENDERING - {"transform_html"},
    "app": {"register_mounts", "register_resource_modules", "register_rest_routes", "wrap_wsgi"},
    "query": {"transform_query", "on_module_executed", *WHEN_NEEDED},
    "parse": {*RENDERING, "on_links_found", "on_module_executed"},
    "session": {"resolve_user"},
    "failure": {"on_module_executed", "resolve_exception"},
    "program": {"register_commands"},
}
"""What fires which hooks."""


@dataclass(eq=False)
class Recorder:
    """A plugin that implements every hook, takes all arguments and notes the calls."""

    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    fails: bool = False

    def __post_init__(self) -> None:
        for name in HOOK_NAMES:
            setattr(self, name, self._implementation(name))

    def _implementation(self, name: str) -> Callable[..., Any]:
        specification = getattr(hookspecs, name)

        # What it wraps tells pluggy the names of its arguments.
        @wraps(specification)
        def implementation(*args: Any, **named: Any) -> Any:
            bound = inspect.signature(specification).bind(*args, **named)
            return self._note(name, dict(bound.arguments))

        return hookimpl(implementation)

    def _note(self, name: str, arguments: dict[str, Any]) -> Any:
        self.calls.append((name, arguments))
        if name == "on_module_executed" and self.fails:
            raise RuntimeError("out of tea")
        if name == "resolve_exception":
            return ApiError("teapot", "apierror-unknownerror")
        if name == "resolve_template" and arguments["title"].text == "Milk":
            return "oat milk"
        return None

    def take(self) -> set[str]:
        """Return the names of the hooks that were called since the last time."""
        names = {name for name, _ in self.calls}
        self.calls.clear()
        return names


def get(client: ApiClient, recorder: Recorder, fails: bool = False, **params: str) -> Any:
    recorder.take()
    recorder.fails = fails
    return client.get(**params)


def fire(occasion: str, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let something happen; what was called before it is forgotten."""
    if occasion == "program":
        manager = make_plugin_manager(extra=[recorder])
        monkeypatch.setattr(group, "make_plugin_manager", lambda disabled: manager)
        return CliRunner().invoke(main, ["--help"])
    site = make_site(PAGES, plugins=[recorder])
    with closing(site.db):
        if occasion == "site":
            return site
        recorder.take()
        client = ApiClient(make_app(site))
        ask = partial(get, client, recorder)
        match occasion:
            case "query":
                return ask(
                    action="query", prop="links", titles="Tea", meta="siteinfo", siprop="extensions"
                )
            case "parse":
                return ask(action="parse", page="Tea", prop="text")
            case "session":
                client.get(action="query", meta="tokens", type="login")
                return ask(action="query", meta="userinfo")
            case "failure":
                return ask(action="query", fails=True, prop="info", titles="Tea")
    return site


@pytest.mark.parametrize("occasion", FIRED)
def test_hooks_are_fired(occasion: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    fire(occasion, recorder, monkeypatch)
    assert recorder.take() >= FIRED[occasion]


def test_every_hook_is_fired_by_something() -> None:
    assert set().union(*FIRED.values()) == set(HOOK_NAMES)


@pytest.mark.parametrize("occasion", FIRED)
def test_arguments_are_those_of_the_specification(
    occasion: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder()
    fire(occasion, recorder, monkeypatch)
    assert recorder.calls
    for name, arguments in recorder.calls:
        parameters = inspect.signature(getattr(hookspecs, name)).parameters
        assert set(arguments) == set(parameters)
        assert not any(value is None for value in arguments.values())
        for argument, value in arguments.items():
            assert_is(value, str(parameters[argument].annotation), f"{name}({argument})")


def assert_is(value: Any, annotation: str, where: str) -> None:
    """Check that a value is of the specified type: by the name of its class or a base of it."""
    if annotation in ("WSGIApplication",):
        assert callable(value), where
        return
    said = annotation.partition("[")[0].rpartition(".")[2]
    said = {"Mapping": "dict", "Sequence": "list"}.get(said, said)
    names = {cls.__name__ for cls in (value if isinstance(value, type) else type(value)).__mro__}
    expected = "Module" if said == "type" else said
    assert expected in names, f"{where} is {type(value)}, not {annotation}"


def test_answers_of_hooks_count(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = fire("parse", Recorder(), monkeypatch)
    assert "with oat milk." in parsed["parse"]["text"]
    assert fire("failure", Recorder(), monkeypatch)["error"]["code"] == "teapot"


def test_the_last_registered_answers_first() -> None:
    first, last = Recorder(), Recorder()
    with closing(make_site(PAGES, plugins=[first, last]).db):
        resolved = [name for name, _ in first.calls if name == "resolve_template"]
    assert resolved == []
    assert "resolve_template" in last.take()
