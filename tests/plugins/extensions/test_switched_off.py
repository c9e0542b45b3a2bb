"""Every extension can be switched off: its words are gone, pages that use them still render."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from wikiapi.api.registries import registries
from wikiapi.config import NamespaceConfig
from wikiapi.plugins import ExtensionCredits
from wikiapi.registry import Registry, collect, own_name
from wikiapi.site import Site
from wikiapi.testing import ask, make_site
from wikiapi_plugins import extensions

pytestmark = pytest.mark.slow

FOLDER = Path(extensions.__file__).parent
PACKAGE = "wikiapi_plugins.extensions."
NAMES = sorted(
    point.name
    for point in metadata.entry_points(group="wikiapi")
    if point.value.startswith(PACKAGE)
)
OPTIONAL: dict[str, Any] = {
    "commonsmetadata": {},
    "displaytitle": {},
    "gadgets": {},
    "math": {},
    "sitematrix": {},
}
"""The tables of extensions that are off unless the configuration has them."""
OF_OTHERS = {"variables": {"#loop", "#forargs", "#fornumargs"}}
"""What others register only where an extension is on."""
ONLY_HOOKS = frozenset({"commonsmetadata"})
"""Extensions that add to the answers of others alone."""
NAMESPACES = (NamespaceConfig(828, "Module"), NamespaceConfig(829, "Module talk"))
TAGS = (
    "<ref>a</ref> <references /> <templatestyles src='T' /> <poem>a</poem> <math>x</math>\n"
    "<imagemap>\nFile:A.png\n</imagemap> <inputbox>\ntype=search\n</inputbox> <chem>H2O</chem>\n"
    "<categorytree>A</categorytree> <templatedata>{}</templatedata> <source lang=c>x</source>\n"
    "<syntaxhighlight lang=c>x</syntaxhighlight> <tabber>A=1|-|B=2</tabber> <headertabs/>\n"
    "<infobox><data><default>1</default></data></infobox> <youtube>pSsYTj9kCHE</youtube>"
    "<seo a=b /> <score>c</score> <DPL>namespace=</DPL>"
)
FUNCTIONS = (
    "{{#if:a|b}} {{#invoke:M|f}} {{#coordinates:1|2}} {{#categorytree:A}} {{#time:Y}} "
    "{{#dpl:namespace=}} {{#babel:en}} {{#ev:youtube|pSsYTj9kCHE}} {{#widget:A}} {{#seo:|a=b}}"
)
PAGES = {"Page": f"{TAGS}\n{FUNCTIONS}", "Module:M": "return {}", "Template:T": "x"}


def site_without(*names: str) -> Site:
    config = {"plugins": {"disabled": list(names)}, "extensions": OPTIONAL}
    return make_site(PAGES, config=config, namespaces=NAMESPACES)


@pytest.fixture(scope="module")
def whole() -> Iterator[Site]:
    made = site_without()
    yield made
    made.db.close()


def credit(site: Site, name: str) -> ExtensionCredits:
    registry: Registry[ExtensionCredits] = collect(
        site.plugins, "register_extension_credits", own_name, site=site
    )
    own = [credit for label, credit in registry.items() if registry.owner(label) == name]
    assert len(own) == 1
    return own[0]


def names_in(site: Site, part: str) -> set[str]:
    entries = ask(site, {"action": "query", "meta": "siteinfo", "siprop": part}).data["query"][part]
    return {entry["name"] if isinstance(entry, dict) else entry for entry in entries}


def modules(site: Site) -> set[str]:
    return {*registries(site).actions, *registries(site).query_modules}


def test_every_package_of_an_extension_is_tested() -> None:
    packages = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
    assert set(NAMES) == packages


@pytest.mark.parametrize("name", NAMES)
def test_switched_off(whole: Site, name: str) -> None:
    site = site_without(name)
    try:
        title = credit(whole, name).name
        assert title in names_in(whole, "extensions")
        assert title not in names_in(site, "extensions")
        registries, others = whole.parser.registries, site.parser.registries
        gone = 0
        for registry, other in (
            (registries.tags, others.tags),
            (registries.functions, others.functions),
            (whole.content_models, site.content_models),
            (registries.switches, others.switches),
        ):
            owned = {label for label in registry if registry.owner(label) == name}
            assert owned.isdisjoint(other)
            assert set(registry) - owned - OF_OTHERS.get(name, set()) == set(other)
            gone += len(owned)
        gone += len(modules(whole) - modules(site))
        assert gone or name in ONLY_HOOKS
        for part in ("extensiontags", "functionhooks"):
            assert names_in(site, part) <= names_in(whole, part)
    finally:
        site.db.close()


@pytest.mark.parametrize("name", NAMES)
def test_pages_render_without_it(name: str) -> None:
    site = site_without(name)
    try:
        for page in PAGES:
            answer = ask(site, {"action": "parse", "page": page})
            # Nobody else can show a module.
            if page == "Module:M" and name == "scribunto":
                assert answer.codes == "unknown-content-model"
            else:
                assert answer.data["parse"]["text"]
    finally:
        site.db.close()


def test_pages_render_without_any(whole: Site) -> None:
    site = site_without(*NAMES)
    try:
        html = ask(site, {"action": "parse", "page": "Page"}).data["parse"]["text"]
        assert "&lt;ref&gt;a&lt;/ref&gt;" in html
        assert "{{#if:a|b}}" in html
        titles = {credit(whole, name).name for name in NAMES}
        assert names_in(site, "extensions").isdisjoint(titles)
    finally:
        site.db.close()


@pytest.mark.parametrize("name", NAMES)
def test_extension_says_what_it_is(whole: Site, name: str) -> None:
    plugin = whole.plugins.get_plugin(name)
    assert plugin.__doc__
    assert plugin.__doc__.startswith(credit(whole, name).name)
    assert credit(whole, name).description
