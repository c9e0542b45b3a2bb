"""The description of a module in ``action=paraminfo``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from wikiapi.api import Arr, Obj, QueryModule
from wikiapi.site import Site
from wikiapi_plugins.shared.documentation.parameters import described_param
from wikiapi_plugins.shared.documentation.texts import (
    NONE,
    Text,
    example_text,
    module_text,
    value_in_form,
)
from wikiapi_plugins.shared.documentation.tree import Described, ModuleTree

_FLAGS = (
    ("deprecated", "is_deprecated"),
    ("internal", "is_internal"),
    ("readrights", "needs_read"),
    ("writerights", "is_write"),
    ("mustbeposted", "must_be_posted"),
)


class Descriptions:
    """A cache of the descriptions of modules; obtain it with ``site.derived(Descriptions)``."""

    def __init__(self, site: Site) -> None:
        """Start with an empty cache; a module is described when it is first requested."""
        self.tree = site.derived(ModuleTree)
        self._by_form: dict[tuple[str, str, bool], Obj] = {}

    def of(self, path: str, form: str, *, high_limits: bool) -> Obj:
        """Return the description of the module at a path; callers must not change it."""
        key = path, form, high_limits
        if key not in self._by_form:
            self._by_form[key] = described_module(
                self.tree, self.tree.by_path[path], form, high_limits
            )
        return self._by_form[key]


def described_module(tree: ModuleTree, described: Described, form: str, high_limits: bool) -> Obj:
    """Return the description of a module; ``form`` is that of the help texts (``helpformat``)."""
    module = described.module
    origin = origin_of(tree.site, described)
    data = Obj({"name": module.name, "classname": origin.class_name})
    data |= {"source": origin.source, "sourcename": origin.source}
    if origin.licence:
        data["licensetag"] = origin.licence
    if origin.link:
        data["licenselink"] = origin.link
    data["path"] = described.path
    if described.group:
        data["group"] = described.group
    data["prefix"] = module.prefix
    if form != NONE:
        data["description"] = module_text(module, described.path).in_form(form)
    data |= {flag: True for flag, attribute in _FLAGS if getattr(module, attribute)}
    if issubclass(module, QueryModule) and module.can_generate():
        data["generator"] = True
    data["helpurls"] = Arr(module.help_urls, "helpurl")
    if form != NONE:
        data["examples"] = _examples(described, form)
    plain, templated = Arr(element="param"), Arr(element="param")
    for index, param in enumerate(described.params, 1):
        item = described_param(tree, described, param, index, form, high_limits)
        (templated if param.template else plain).append(item)
    data |= {"parameters": plain, "templatedparameters": templated}
    if module.dynamic_params:
        key = f"api-help-{described.path}-dynamic-parameters"
        params = (module.prefix, module.name, described.path)
        text = Text(key, params, (module.dynamic_params,))
        data["dynamicparameters"] = True if form == NONE else text.in_form(form)
    return data


def _examples(described: Described, form: str) -> Arr:
    module = described.module
    texts = (
        (query, example_text(module, described.path, number, text))
        for number, (query, text) in enumerate(module.examples, 1)
    )
    return Arr(
        (Obj({"query": query, "description": value_in_form(text, form)}) for query, text in texts),
        "example",
    )


# paraminfo names a class, a source and a licence for each module. Those of a built-in module are
# the ones that MediaWiki, whose API this is, gives for the module of the same name; they do not
# describe the code of wikiapi. A module of any other plugin has that plugin's name and licence.

_CORE = "MediaWiki"
_CORE_LICENCE = "GPL-2.0-or-later"
_CORE_CLASSES = "MediaWiki\\Api\\"
_BUNDLED = frozenset({"wikiapi", __name__.partition(".")[0]})


@dataclass(frozen=True)
class Origin:
    """Class, source and licence of a module; ``link`` is the URL of the licence, or empty."""

    class_name: str
    source: str
    licence: str = ""
    link: str = ""


def origin_of(site: Site, described: Described) -> Origin:
    """Return the origin of a module."""
    module = described.module
    if module.__module__.partition(".")[0] not in _BUNDLED:
        name = f"{module.__module__}.{module.__qualname__}".replace(".", "\\")
        return Origin(name, described.plugin, _licence_of(site, described.plugin))
    entry = _class_names().get(described.path, "")
    if isinstance(entry, dict):
        source = entry["source"]
        return Origin(entry["class"], source, entry["licence"], _licence_link(site, source))
    name = _CORE_CLASSES + (entry or f"Api{module.__name__}")
    return Origin(name, _CORE, _CORE_LICENCE, _licence_link(site, _CORE))


def _licence_of(site: Site, plugin: str) -> str:
    """Return the licence in the metadata of the distribution that a plugin was installed with."""
    for loaded, distribution in site.plugins.list_plugin_distinfo():
        if site.plugins.get_name(loaded) == plugin:
            data = distribution.metadata
            return str(data.get("License-Expression") or data.get("License") or "")
    return ""


def _licence_link(site: Site, source: str) -> str:
    return site.page_url(site.titles.parse(f"Special:Version/License/{source}"))


@cache
def _class_names() -> Mapping[str, Any]:
    """Return by path the class names of core modules and the origins of extensions' modules."""
    file = resources.files(__package__) / "classnames.json"
    return dict(json.loads(file.read_text("utf-8")))
