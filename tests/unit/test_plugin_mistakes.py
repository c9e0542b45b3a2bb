"""What plugin authors get wrong is named, with the file and the line."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from wikiapi.api.registries import registries
from wikiapi.errors import PluginError
from wikiapi.testing import make_site

HEAD = """\
from wikiapi.api import PropModule, limit
from wikiapi.hookspecs import hookimpl
from wikiapi.wikitext import ParserFunction, ExtensionTag


class Teas(PropModule):
    \"\"\"List teas.\"\"\"

    name, prefix = "teas", "te"

    def execute(self):
        pass


class Base:
    pass

"""
"""The lines of the mistakes below are counted after these."""

MISTAKES = {
    "no hookimpl": (
        "def register_query_modules():\n    return [Teas]\n",
        "plugin tea: register_query_modules (FILE:18) lacks @hookimpl",
    ),
    "no name": (
        (
            "class Unnamed(PropModule):\n    def execute(self):\n        pass\n\n\n"
            "@hookimpl\ndef register_query_modules():\n    return [Unnamed]\n"
        ),
        "plugin tea: register_query_modules returned Unnamed (FILE:18), which has no name",
    ),
    "wrong base": (
        "@hookimpl\ndef register_query_modules():\n    return [Teas, Base]\n",
        (
            "plugin tea: register_query_modules returned Base (FILE:15), which is not a class"
            " derived from QueryModule"
        ),
    ),
    "object in place of the class": (
        "@hookimpl\ndef register_actions():\n    return [5]\n",
        "plugin tea: register_actions returned 5 (int), which is not a class derived from Action",
    ),
    "nothing executes": (
        (
            "class Lazy(PropModule):\n    name = 'lazy'\n\n\n"
            "@hookimpl\ndef register_query_modules():\n    return [Lazy]\n"
        ),
        "plugin tea: register_query_modules returned Lazy (FILE:18), which does not define execute",
    ),
    "number": (
        "@hookimpl\ndef register_query_modules():\n    return 5\n",
        (
            "plugin tea: register_query_modules (FILE:18) returned 5 (int) and not a list of"
            " declarations"
        ),
    ),
    "text": (
        "@hookimpl\ndef register_messages():\n    return 'messages'\n",
        (
            "plugin tea: register_messages (FILE:18) returned 'messages' (str) and not a list of"
            " declarations"
        ),
    ),
    "declaration without a list": (
        "@hookimpl\ndef register_query_modules():\n    return Teas\n",
        (
            "plugin tea: register_query_modules (FILE:18) returned Teas (FILE:6) and not a list of"
            " declarations"
        ),
    ),
    "function in place of its declaration": (
        (
            "def cups(call):\n    return ''\n\n\n"
            "@hookimpl\ndef register_parser_functions():\n    return [cups]\n"
        ),
        (
            "plugin tea: register_parser_functions returned cups (FILE:18), which is not of type"
            " ParserFunction"
        ),
    ),
    "declaration of another kind": (
        "@hookimpl\ndef register_extension_tags():\n    return [ParserFunction('#a', print)]\n",
        "plugin tea: register_extension_tags returned ParserFunction(",
    ),
    "failing hook": (
        "@hookimpl\ndef register_params(site, module):\n    return 1 / 0\n",
        "plugin tea: register_params failed: division by zero (FILE:20)",
    ),
    "misspelt hook": (
        "@hookimpl\ndef register_query_module():\n    return [Teas]\n",
        "(FILE:18)",
    ),
    "unknown argument": (
        "@hookimpl\ndef register_query_modules(wiki):\n    return [Teas]\n",
        "(FILE:18)",
    ),
}


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[str], ModuleType]]:
    """Return a function that writes and imports a plugin ``tea``."""

    def make(text: str) -> ModuleType:
        file = tmp_path / "tea.py"
        file.write_text(HEAD + text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("tea", file)
        assert spec
        assert spec.loader
        module = sys.modules["tea"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield make
    sys.modules.pop("tea", None)


def start(plugin: ModuleType) -> None:
    """Open a wiki with the plugin and describe a module, for which plugins are asked later."""
    site = make_site({"Main Page": "text"}, plugins=[plugin])
    registries(site).actions["query"].param_set(site, "")


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_named(load: Callable[[str], ModuleType], mistake: str) -> None:
    code, expected = MISTAKES[mistake]
    plugin = load(code)
    with pytest.raises(PluginError) as caught:
        start(plugin)
    assert expected.replace("FILE", str(plugin.__file__)) in str(caught.value)


def test_right_plugin_is_loaded(load: Callable[[str], ModuleType]) -> None:
    plugin = load("@hookimpl\ndef register_query_modules():\n    return (m for m in [Teas])\n")
    site = make_site({"Main Page": "text"}, plugins=[plugin])
    assert registries(site).query_modules.owner("teas") == "tea"


def test_function_of_another_module_needs_no_mark(load: Callable[[str], ModuleType]) -> None:
    plugin = load("from os.path import join as on_import_finished\n")
    make_site({"Main Page": "text"}, plugins=[plugin]).db.close()
