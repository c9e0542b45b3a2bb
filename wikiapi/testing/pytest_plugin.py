"""The pytest plugin of wikiapi, with the fixtures ``wiki``, ``module_wiki`` and ``make_wiki``.

pytest imports this module whenever it starts, in unrelated projects too. It therefore imports
nothing but pytest until a fixture is requested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wikiapi.testing.declaration import Declaration
    from wikiapi.testing.shared import SharedParts
    from wikiapi.testing.wiki import Wiki, WikiMaker

MARKER = (
    "wiki(pages={}, users=(), files=(), interwiki={}, namespaces=(), plugins=(), config={},"
    " clock=..., writable=True, language='en'): the declaration of the wiki of the fixture 'wiki'"
)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the settings for all wikis of a project."""
    _import_as_usual(pluginmanager)
    parser.addini(
        "wiki_config", "wikiapi.toml with the settings of all wikis in the tests", "paths", []
    )
    parser.addini(
        "wiki_pages",
        "folders with pages of all wikis in the tests: <namespace>/<title>.wikitext",
        "paths",
        [],
    )
    parser.addini("wiki_clock", "initial time of the clocks of the wikis (ISO 8601)")


def _import_as_usual(pluginmanager: pytest.PytestPluginManager) -> None:
    """Import the modules of wikiapi without rewriting their assertions.

    pytest rewrites those of every package with a plugin, which takes 3 s of processor time for this
    one. Only the conformance suite has assertions that are meant for people. pytest has no function
    for it: the names are taken from its set, and if a later version has none, all are rewritten.
    """
    hook: Any = pluginmanager.rewrite_hook
    marked = getattr(hook, "_must_rewrite", None)
    if isinstance(marked, set):
        marked.difference_update({"wikiapi", "wikiapi_plugins", "wikiapi_grammar"})
        # This also empties the cache of its decisions.
        pytest.register_assert_rewrite("wikiapi.testing.conformance")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture(scope="session")
def wiki_shared_parts() -> SharedParts:
    """Return the objects that the wikis of a session share; tests do not need it."""
    from wikiapi.testing.shared import SharedParts

    return SharedParts()


@pytest.fixture(scope="session")
def wiki_defaults(pytestconfig: pytest.Config) -> Declaration:
    """Return the declaration of every wiki; override it for what pytest's settings cannot do."""
    from wikiapi.testing.defaults import from_settings

    folders: list[Path] = pytestconfig.getini("wiki_pages")
    files: list[Path] = pytestconfig.getini("wiki_config")
    return from_settings(files, folders, str(pytestconfig.getini("wiki_clock") or ""))


@pytest.fixture
def make_wiki(wiki_defaults: Declaration, wiki_shared_parts: SharedParts) -> Iterator[WikiMaker]:
    """Yield a function that creates wikis: ``make_wiki({"Tea": "hot"}, users=["Ada"])``."""
    yield from _maker(wiki_defaults, wiki_shared_parts)


@pytest.fixture(scope="session")
def make_session_wiki(
    wiki_defaults: Declaration, wiki_shared_parts: SharedParts
) -> Iterator[WikiMaker]:
    """Yield a function that creates wikis that tests share; tests should not change them."""
    yield from _maker(wiki_defaults, wiki_shared_parts)


@pytest.fixture
def wiki(request: pytest.FixtureRequest, make_wiki: WikiMaker) -> Wiki:
    """Return a wiki with the declarations of the markers of the test, its class and module."""
    return make_wiki(**_declared(request.node))


@pytest.fixture(scope="module")
def module_wiki(
    request: pytest.FixtureRequest, wiki_defaults: Declaration, wiki_shared_parts: SharedParts
) -> Iterator[Wiki]:
    """Yield the wiki of the marker of the module, for all its tests; none should change it."""
    for make in _maker(wiki_defaults, wiki_shared_parts):
        yield make(**_declared(request.node))


@pytest.fixture
def mwclient_site(wiki: Wiki) -> Any:
    """Return an ``mwclient.Site`` for the wiki, logged in as its first bot or user."""
    from wikiapi.testing.bots import mwclient_site

    try:
        return mwclient_site(wiki)
    except ImportError as error:
        pytest.skip(f"could not import 'mwclient': {error}")


@pytest.fixture
def pywikibot_site(wiki: Wiki) -> Any:
    """Return a Pywikibot site for the wiki, logged in as its first bot or user."""
    from wikiapi.testing.bots import pywikibot_site

    try:
        return pywikibot_site(wiki)
    except ImportError as error:
        pytest.skip(f"could not import 'pywikibot': {error}")


def _maker(defaults: Declaration, shared: SharedParts) -> Iterator[WikiMaker]:
    from wikiapi.testing.wiki import WikiMaker

    maker = WikiMaker(defaults, shared)
    yield maker
    maker.close()


def _declared(node: pytest.Item | pytest.Collector) -> dict[str, Any]:
    """Return the merged arguments of the markers of a node; the closest marker has priority."""
    from wikiapi.testing.declaration import Declaration

    declaration = Declaration()
    names: set[str] = set()
    for marker in reversed(list(node.iter_markers("wiki"))):
        declared = dict(marker.kwargs)
        if marker.args:
            (declared["pages"],) = marker.args
        declaration = declaration.with_more(**declared)
        names |= declared.keys()
    return {name: getattr(declaration, name) for name in names}
