"""The section of one module on the page of ``action=help``."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from wikiapi.api import Obj
from wikiapi.site import Site
from wikiapi_plugins.documentation.tree import ROOT, SEPARATOR

_FLAGS = (
    ("deprecated", "This module is deprecated."),
    ("internal", "This module is internal: it may change at any time."),
    ("readrights", "This module takes the right to read."),
    ("writerights", "This module would change the wiki."),
    ("mustbeposted", "This module answers POST requests only."),
    ("generator", "This module can be a generator."),
)


def module_title(data: Obj) -> str:
    """Return a module as requests name it, with its prefix."""
    name = f"{data['group']}={data['name']}" if "group" in data else "Main module"
    return f"{name} ({data['prefix']})" if data["prefix"] else name


class Sections:
    """The modules' sections as HTML; made once, with ``site.derived(Sections)``."""

    def __init__(self, site: Site) -> None:
        """Begin with nothing: a section is made when it is first requested."""
        self._site = site
        self._made: dict[tuple[str, bool], str] = {}

    def of(self, data: Obj, *, high_limits: bool) -> str:
        """Return the section of the module described, for users with high limits or without."""
        key = data["path"], high_limits
        if key not in self._made:
            self._made[key] = "\n".join(_parts(self._site, data))
        return self._made[key]


def _parts(site: Site, data: Obj) -> Iterator[str]:
    path = html.escape(data["path"])
    yield (
        f'<h2 class="apihelp-header apihelp-module-name" dir="ltr" id="{path}">'
        f"{html.escape(module_title(data))}</h2>"
    )
    yield _trail(site, data["path"])
    yield _flags(data)
    description = data["description"]
    yield description if description.startswith("<p>") else f"<p>{description}</p>"
    if data["helpurls"]:
        yield _block("help-urls", f"<ul>{''.join(map(_manual, data['helpurls']))}</ul>")
    yield from _parameters(site, data)
    if "dynamicparameters" in data:
        yield f"<p>{data['dynamicparameters']}</p>"
    if data["examples"]:
        yield _examples(site, data["examples"])
    if data["path"] == ROOT:
        yield DATA_TYPES


def _parameters(site: Site, data: Obj) -> Iterator[str]:
    params = sorted(
        [*data["parameters"], *data["templatedparameters"]], key=lambda param: param["index"]
    )
    if params:
        entries = "".join(parameter_entry(site, data["prefix"], param) for param in params)
        yield _block("parameters", f"<h3>Parameters</h3><dl>{entries}</dl>")


def _trail(site: Site, path: str) -> str:
    steps = [] if path == ROOT else path.split(SEPARATOR)
    above = [(ROOT, ROOT)] if steps else []
    above += [(step, SEPARATOR.join(steps[: n + 1])) for n, step in enumerate(steps[:-1])]
    links = [help_link(site, target, name) for name, target in above]
    links.append(f"<b>{html.escape(steps[-1] if steps else ROOT)}</b>")
    return f'<div class="apihelp-linktrail">({" | ".join(links)})</div>'


def help_link(site: Site, path: str, text: str) -> str:
    """Return a link to the help on a module."""
    query = urlencode({"action": "help", "modules": path})
    return f'<a href="{_address(site, query)}">{html.escape(text)}</a>'


def _flags(data: Obj) -> str:
    shown = [text for flag, text in _FLAGS if data.get(flag)]
    shown.append(f"Source: {html.escape(data['source'])}")
    if data.get("licensetag"):
        shown.append(f"License: {_licence(data)}")
    items = "".join(f"<li>{text}</li>" for text in shown)
    return _block("flags", f"<ul>{items}</ul>")


def _licence(data: Obj) -> str:
    tag, link = html.escape(data["licensetag"]), data.get("licenselink")
    return f'<a href="{html.escape(link)}">{tag}</a>' if link else tag


def _manual(url: str) -> str:
    escaped = html.escape(url)
    return f'<li><a href="{escaped}" rel="noreferrer">{escaped}</a></li>'


def _examples(site: Site, examples: Any) -> str:
    entries = "".join(
        f"<dt>{example['description']}</dt><dd>"
        f'<a href="{_address(site, example["query"])}" rel="nofollow">'
        f"api.php?{html.escape(example['query'])}</a></dd>"
        for example in examples
    )
    return _block("examples", f"<h3>Examples</h3><dl>{entries}</dl>")


def _address(site: Site, query: str) -> str:
    return html.escape(f"{site.config.site.script_path}/api.php?{query.replace(' ', '%20')}")


def _block(name: str, content: str) -> str:
    return f'<div class="apihelp-block apihelp-{name}">{content}</div>'


DATA_TYPES = """\
<h2 id="main/datatypes">Data types</h2>
<p>Parameters are text in UTF-8 and Unicode's normal form C. Where several values are possible they
are parted by <kbd>|</kbd>; a value that holds one itself is sent with U+001F (<kbd>%1F</kbd>) in
front of the first value and between all of them. Of a parameter that is repeated, the last counts.
</p>
<dl>
<dt id="main/datatype/boolean">boolean</dt>
<dd>True when the parameter is there, even with an empty value; to say no, leave it out.</dd>
<dt id="main/datatype/integer">integer</dt>
<dd>A whole number in decimal digits, with a sign if it is negative.</dd>
<dt id="main/datatype/limit">limit</dt>
<dd>How many items to return at most: a number, or <kbd>max</kbd> for as many as you may.</dd>
<dt id="main/datatype/timestamp">timestamp</dt>
<dd>A moment in UTC: <kbd>2001-01-15T14:56:00Z</kbd> (ISO 8601, also without separators),
<kbd>20010115145600</kbd> (MediaWiki's), <kbd>979570560</kbd> (seconds since 1970), the forms of
HTTP and mail headers, or <kbd>now</kbd>.</dd>
<dt id="main/datatype/user">user</dt>
<dd>A user name, an address such as <kbd>192.0.2.1</kbd>, a range, the name of another wiki's user
with its prefix, or an id as <kbd>#123</kbd>; each parameter names the forms it takes.</dd>
</dl>
<h2 id="main/templatedparams">Templated parameters</h2>
<p>A parameter such as <kbd>{fruit}-quantity</kbd> stands for one parameter per value of another:
with <kbd>fruits=apples|pears</kbd> there are <kbd>apples-quantity</kbd> and
<kbd>pears-quantity</kbd>.</p>
"""


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
    """Return a parameter as a term and what there is to say of it."""
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
