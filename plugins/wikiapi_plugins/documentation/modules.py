"""A module's declaration as ``action=paraminfo`` tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.query.module import QueryModule
from wikiapi.api.result import Arr, Obj
from wikiapi_plugins.documentation.origin import origin_of
from wikiapi_plugins.documentation.parameters import described_param
from wikiapi_plugins.documentation.texts import (
    NONE,
    Text,
    example_text,
    module_text,
    shown_as_value,
)
from wikiapi_plugins.documentation.tree import ModuleTree

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi_plugins.documentation.tree import Described

_FLAGS = (
    ("deprecated", "is_deprecated"),
    ("internal", "is_internal"),
    ("readrights", "needs_read"),
    ("writerights", "is_write"),
    ("mustbeposted", "must_be_posted"),
)


class Descriptions:
    """What is told of each module; made once, with ``site.api.derived(Descriptions)``."""

    def __init__(self, site: Site) -> None:
        """Begin with nothing: a module is described when it is first asked for."""
        self.tree = site.api.derived(ModuleTree)
        self._made: dict[tuple[str, str, bool], Obj] = {}

    def of(self, path: str, form: str, *, high_limits: bool) -> Obj:
        """The description of the module at a path; not to be changed."""
        key = path, form, high_limits
        if key not in self._made:
            self._made[key] = described_module(
                self.tree, self.tree.by_path[path], form, high_limits
            )
        return self._made[key]


def described_module(tree: ModuleTree, described: Described, form: str, high_limits: bool) -> Obj:
    """What clients may know of a module, with help texts in one of their forms."""
    module = described.module
    told = Obj({"name": module.name, **_origin(tree.site, described), "path": described.path})
    if described.group:
        told["group"] = described.group
    told["prefix"] = module.prefix
    if form != NONE:
        told["description"] = module_text(module, described.path).shown(form)
    told |= {flag: True for flag, attribute in _FLAGS if getattr(module, attribute)}
    if issubclass(module, QueryModule) and module.can_generate():
        told["generator"] = True
    told["helpurls"] = Arr(module.help_urls, "helpurl")
    if form != NONE:
        told["examples"] = _examples(described, form)
    told |= _parameters(tree, described, form, high_limits)
    if module.dynamic_params:
        told["dynamicparameters"] = _dynamic(described, form)
    return told


def _origin(site: Site, described: Described) -> dict[str, Any]:
    origin = origin_of(site, described)
    told = {
        "classname": origin.class_name,
        "source": origin.source,
        "sourcename": origin.source,
        "licensetag": origin.licence,
        "licenselink": origin.link,
    }
    return {name: value for name, value in told.items() if value}


def _examples(described: Described, form: str) -> Arr:
    module = described.module
    texts = (
        (query, example_text(module, described.path, number, text))
        for number, (query, text) in enumerate(module.examples, 1)
    )
    return Arr(
        (Obj({"query": query, "description": shown_as_value(text, form)}) for query, text in texts),
        "example",
    )


def _parameters(
    tree: ModuleTree, described: Described, form: str, high_limits: bool
) -> dict[str, Arr]:
    plain, templated = Arr(element="param"), Arr(element="param")
    for index, param in enumerate(described.params, 1):
        told = described_param(tree, described, param, index, form, high_limits)
        (templated if param.template else plain).append(told)
    return {"parameters": plain, "templatedparameters": templated}


def _dynamic(described: Described, form: str) -> Any:
    module = described.module
    text = Text(
        f"api-help-{described.path}-dynamic-parameters",
        (module.prefix, module.name, described.path),
        (module.dynamic_params,),
    )
    return True if form == NONE else text.shown(form)
