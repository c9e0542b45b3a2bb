"""The section of one module on the page of ``action=help``."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from wikiapi.api import Obj
from wikiapi.site import Site
from wikiapi_plugins.shared.documentation.tree import ROOT, SEPARATOR

_FLAGS = (
    ("deprecated", "This module is deprecated."),
    ("internal", "This module is internal: it may change at any time."),
    ("readrights", "This module requires the right to read."),
    ("writerights", "This module changes the wiki."),
    ("mustbeposted", "This module accepts only POST requests."),
    ("generator", "This module can be used as a generator."),
)


def module_title(data: Obj) -> str:
    """Return the heading of a module: its name in requests, and the prefix of its parameters."""
    name = f"{data['group']}={data['name']}" if "group" in data else "Main module"
    return f"{name} ({data['prefix']})" if data["prefix"] else name


def section_html(site: Site, data: Obj, *, high_limits: bool) -> str:
    """Return the section of the described module, for users with or without high limits.

    It is rendered when it is first requested.
    """
    sections, key = site.derived(_sections), (data["path"], high_limits)
    if key not in sections:
        sections[key] = "\n".join(_parts(site, data))
    return sections[key]


def _sections(_: Site) -> dict[tuple[str, bool], str]:
    """Return the cache of sections, by the paths of modules and whether limits are high."""
    return {}


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
        urls = [html.escape(url) for url in data["helpurls"]]
        items = (f'<li><a href="{url}" rel="noreferrer">{url}</a></li>' for url in urls)
        yield _block("help-urls", f"<ul>{''.join(items)}</ul>")
    params = [*data["parameters"], *data["templatedparameters"]]
    if params:
        params.sort(key=lambda param: param["index"])
        entries = "".join(parameter_entry(site, data["prefix"], param) for param in params)
        yield _block("parameters", f"<h3>Parameters</h3><dl>{entries}</dl>")
    if "dynamicparameters" in data:
        yield f"<p>{data['dynamicparameters']}</p>"
    if data["examples"]:
        yield _examples(site, data["examples"])
    if data["path"] == ROOT:
        yield DATA_TYPES


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
    texts = [text for flag, text in _FLAGS if data.get(flag)]
    texts.append(f"Source: {html.escape(data['source'])}")
    if data.get("licensetag"):
        tag, link = html.escape(data["licensetag"]), data.get("licenselink")
        licence = f'<a href="{html.escape(link)}">{tag}</a>' if link else tag
        texts.append(f"License: {licence}")
    items = "".join(f"<li>{text}</li>" for text in texts)
    return _block("flags", f"<ul>{items}</ul>")


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
<p>Parameters are UTF-8 text in Unicode's normalization form C. Several values of a parameter are
separated by <kbd>|</kbd>; if a value contains this character, put U+001F (<kbd>%1F</kbd>) before
each value instead. If a parameter is repeated, the last one is used.</p>
<dl>
<dt id="main/datatype/boolean">boolean</dt>
<dd>True if the parameter is present, even with an empty value; omit it for false.</dd>
<dt id="main/datatype/integer">integer</dt>
<dd>A whole number in decimal digits, with a sign if it is negative.</dd>
<dt id="main/datatype/limit">limit</dt>
<dd>The maximum number of items to return, or <kbd>max</kbd> for the highest one allowed.</dd>
<dt id="main/datatype/timestamp">timestamp</dt>
<dd>A moment in UTC: <kbd>2001-01-15T14:56:00Z</kbd> (ISO 8601, also without separators),
<kbd>20010115145600</kbd> (MediaWiki's own format), <kbd>979570560</kbd> (seconds since 1970), a
date as in HTTP or mail headers, or <kbd>now</kbd>.</dd>
<dt id="main/datatype/user">user</dt>
<dd>A user name, an IP address such as <kbd>192.0.2.1</kbd>, a range of addresses, a user name of
another wiki with its interwiki prefix, or an id such as <kbd>#123</kbd>. Each parameter lists the
forms that it accepts.</dd>
</dl>
<h2 id="main/templatedparams">Templated parameters</h2>
<p>A parameter such as <kbd>{fruit}-quantity</kbd> stands for one parameter per value of another
parameter: with <kbd>fruits=apples|pears</kbd> there are <kbd>apples-quantity</kbd> and
<kbd>pears-quantity</kbd>.</p>
"""


_TYPES = {
    "boolean": "boolean: present or not, whatever its value",
    "integer": "integer",
    "limit": "integer or <kbd>max</kbd>",
    "namespace": "namespace number",
    "password": "password",
    "text": "text of any length",
    "timestamp": "timestamp",
    "title": "page title",
    "upload": "file in the body of a multipart request",
    "user": "user",
}


def parameter_entry(site: Site, prefix: str, param: Obj) -> str:
    """Return the entry of a parameter in a definition list, as HTML."""
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
        paths, retired = param.get("submodules", {}), set(param.get("deprecatedvalues", ()))
        values = [_value(site, value, paths.get(value), value in retired) for value in kind]
        yield f"{'Any of' if param['multi'] else 'One of'}: {', '.join(values) or 'none'}"
    elif kind in _TYPES:
        yield f"Type: {'list of values, each a ' if param['multi'] else ''}{_TYPES[kind]}"
    elif param["multi"]:
        yield "Values are separated by <kbd>|</kbd>."
    if "subtypes" in param:
        yield f"Accepted forms: {', '.join(param['subtypes'])}"
    if param["multi"]:
        yield f"At most {param['lowlimit']} values; {param['highlimit']} with higher limits."
    if "allspecifier" in param:
        yield f"<kbd>{html.escape(param['allspecifier'])}</kbd> stands for all values."


def _value(site: Site, value: str, path: str | None, is_deprecated: bool) -> str:
    text = html.escape(value) or "an empty text"
    if path is not None:
        query = urlencode({"action": "help", "modules": path})
        text = f'<a href="{_address(site, query)}">{text}</a>'
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
