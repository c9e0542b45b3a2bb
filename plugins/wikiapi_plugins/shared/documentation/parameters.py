"""The description of a parameter in ``action=paraminfo``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from wikiapi.api import (
    GENERATOR_PREFIX,
    Arr,
    BooleanType,
    Condition,
    EnumType,
    NamespaceType,
    Obj,
    Param,
)
from wikiapi.site import Site
from wikiapi_plugins.shared.documentation.texts import (
    NONE,
    condition_text,
    param_text,
    value_in_form,
)
from wikiapi_plugins.shared.documentation.tree import ROOT, Described, ModuleTree

GENERATOR_PARAM = "generator"
_DIGITS = re.compile("([0-9]+)")
_NUMBER = re.compile(r"-?[0-9]{1,9}\Z")
_ELEMENTS = {"type": "t", "extranamespaces": "ns"}
"""The XML elements of the items of lists, where they are not the usual ``_v``."""


def described_param(
    tree: ModuleTree, owner: Described, param: Param, index: int, form: str, high_limits: bool
) -> Obj:
    """Return the description of a parameter.

    Args:
        tree: the modules of the site.
        owner: the parameter's module.
        param: its declaration.
        index: its position among the module's parameters, counted from 1.
        form: the form of the help texts (``helpformat``).
        high_limits: whether the client is allowed the higher limits.
    """
    data = Obj({"index": index, "name": param.name})
    if form != NONE:
        data["description"] = param_text(owner.module, owner.path, param).in_form(form)
    if param.template:
        word, source = param.template
        data["templatevars"] = Obj({word: source})
    data |= _described_type(tree, owner, param)
    data["required"] = param.required
    if param.deprecated:
        data["deprecated"] = True
    if param.sensitive:
        data["sensitive"] = True
    data |= default_of(tree.site, param)
    data |= _multiplicity(param, high_limits)
    if owner.module.needs_token and param.name == "token":
        data["tokentype"] = owner.module.needs_token
    if param.info:
        conditions = (_described_condition(owner, entry, form) for entry in param.info)
        data["info"] = Arr(conditions, "i")
    return data


def _described_condition(owner: Described, condition: Condition, form: str) -> Obj:
    data = Obj({"name": condition.name})
    if condition.values:
        data["values"] = Arr(condition.values, "v")
    if form != NONE:
        text = condition_text(owner.module, owner.path, condition)
        data["text"] = value_in_form(text, form)
    return data


def _described_type(tree: ModuleTree, owner: Described, param: Param) -> dict[str, Any]:
    data = dict(param.type.describe(tree.site))
    if isinstance(param.type, EnumType) and param.type.submodules:
        data |= _submodules(tree, owner, param, data["type"])
    if isinstance(data["type"], list):
        for name in ("deprecatedvalues", "internalvalues"):
            if name in data:
                data[name] = in_order(data[name])
        last = {*data.get("deprecatedvalues", ()), *data.get("internalvalues", ())}
        data["type"] = in_order(data["type"], last)
    return {
        name: Arr(value, _ELEMENTS.get(name, "_v")) if isinstance(value, list) else value
        for name, value in data.items()
    }


def _submodules(
    tree: ModuleTree, owner: Described, param: Param, names: list[str]
) -> dict[str, Any]:
    modules = {
        name: tree.by_path[path]
        for name, path in tree.submodules(owner, param, names).items()
        if path in tree.by_path
    }
    data: dict[str, Any] = {"submodules": Obj((name, d.path) for name, d in modules.items())}
    if owner.path != ROOT and param.name == GENERATOR_PARAM:
        data["submoduleparamprefix"] = GENERATOR_PREFIX
    for flag, attribute in (
        ("deprecatedvalues", "is_deprecated"),
        ("internalvalues", "is_internal"),
    ):
        marked = [name for name, d in modules.items() if getattr(d.module, attribute)]
        if marked:
            data[flag] = marked
    return data


def in_order(values: Iterable[str], last: Collection[str] = ()) -> list[str]:
    """Return values in natural order, with those in ``last`` at the end."""
    return sorted(values, key=lambda value: (value in last, _natural(value)))


def _natural(value: str) -> list[tuple[bool, int, str]]:
    parts = _DIGITS.split(value)
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


def default_of(site: Site, param: Param) -> dict[str, Any]:
    """Return ``{"default": value}``, or an empty dictionary if no default is described."""
    default = param.default(site) if callable(param.default) else param.default
    if default is None or isinstance(param.type, BooleanType):
        return {}
    if isinstance(default, str) and isinstance(param.type, NamespaceType):
        return {"default": int(default) if _NUMBER.match(default) else default}
    return {"default": default}


def _multiplicity(param: Param, high_limits: bool) -> dict[str, Any]:
    if not param.multi:
        return {"multi": False}
    low, high = param.multi_limit, param.multi_high_limit
    data: dict[str, Any] = {"multi": True, "lowlimit": low, "highlimit": high}
    data["limit"] = high if high_limits else low
    if param.all_value is not None:
        data["allspecifier"] = param.all_value
    if param.allow_duplicates:
        data["allowsduplicates"] = True
    return data
