"""The entry of one parameter on the page of ``action=help``."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.api.result import Obj
    from wikiapi.site import Site

_TYPES = {
    "boolean": "boolean: present or not, whatever its value",
    "integer": "integer",
    "limit": "integer or <kbd>max</kbd>",
    "namespace": "number of a namespace",
    "password": "password",
    "text": "text of any length",
    "timestamp": "timestamp",
    "title": "page title",
    "upload": "file in the body of a multipart request",
    "user": "user",
}


def parameter_entry(site: Site, prefix: str, param: Obj) -> str:
    """A parameter as a term and what there is to say of it."""
    name = html.escape(prefix + param["name"])
    return f'<dt><span dir="ltr">{name}</span></dt>' + "".join(_statements(site, prefix, param))


def _statements(site: Site, prefix: str, param: Obj) -> Iterator[str]:
    if param.get("deprecated"):
        yield _info('<strong class="apihelp-deprecated">Deprecated.</strong>')
    yield f'<dd class="description">{param["description"]}</dd>'
    for word, source in param.get("templatevars", {}).items():
        yield _info(
            f"<kbd>{{{html.escape(word)}}}</kbd> stands for each value of "
            f"<kbd>{html.escape(prefix + source)}</kbd>."
        )
    if param["required"]:
        yield _info('<strong class="apihelp-required">This parameter is required.</strong>')
    yield from map(_info, _type(site, param))
    yield from map(_info, _bounds(param))
    if param.get("default") not in (None, ""):
        yield _info(f"Default: {html.escape(str(param['default']))}")


def _info(text: str) -> str:
    return f'<dd class="info">{text}</dd>'


def _type(site: Site, param: Obj) -> Iterator[str]:
    kind = param["type"]
    if isinstance(kind, list):
        yield _values(site, param, kind)
    elif kind in _TYPES:
        yield f"Type: {'list of values, each a ' if param['multi'] else ''}{_TYPES[kind]}"
    elif param["multi"]:
        yield "Values are parted by <kbd>|</kbd>."
    if "subtypes" in param:
        yield f"Forms of a user: {', '.join(param['subtypes'])}"
    if param["multi"]:
        yield f"At most {param['lowlimit']} values; {param['highlimit']} with higher limits."
    if "allspecifier" in param:
        yield f"<kbd>{html.escape(param['allspecifier'])}</kbd> stands for all values."


def _values(site: Site, param: Obj, values: list[str]) -> str:
    paths, retired = param.get("submodules", {}), set(param.get("deprecatedvalues", ()))
    shown = ", ".join(_value(site, value, paths, value in retired) for value in values)
    return f"{'Any of' if param['multi'] else 'One of'}: {shown or 'none'}"


def _value(site: Site, value: str, paths: dict[str, Any], is_deprecated: bool) -> str:
    text = html.escape(value) or "an empty text"
    if value in paths:
        query = urlencode({"action": "help", "modules": paths[value]})
        address = html.escape(f"{site.config.site.script_path}/api.php?{query}")
        text = f'<a href="{address}">{text}</a>'
    return f'<del class="apihelp-deprecated-value">{text}</del>' if is_deprecated else text


def _bounds(param: Obj) -> Iterator[str]:
    low, high, highest = (param.get(name) for name in ("min", "max", "highmax"))
    if high is not None and highest not in (None, high):
        yield f"From {low} to {high}, or to {highest} with higher limits."
    elif low is not None and high is not None:
        yield f"From {low} to {high}."
    elif low is not None:
        yield f"Not less than {low}."
    elif high is not None:
        yield f"Not more than {high}."
