"""``action=help``: the declarations of the modules, as a page for human readers."""

from __future__ import annotations

import html
from collections.abc import Iterator
from urllib.parse import urlencode

import wikiapi
from wikiapi.api import Action, CacheMode, Obj, RawBody, boolean, string
from wikiapi.errors import ApiError
from wikiapi.site import Site
from wikiapi_plugins.shared.documentation.modules import Descriptions
from wikiapi_plugins.shared.documentation.texts import HTML
from wikiapi_plugins.shared.documentation.tree import (
    ROOT,
    SEPARATOR,
    UnknownModule,
    find_path,
)
from wikiapi_plugins.shared.interface.explorer import PATH, has_explorer
from wikiapi_plugins.shared.resources.look import LOOK, own_style_policy

_FILE = "api-help.html"
_MEDIA_TYPE = "text/html"
_MANUAL = "https://www.mediawiki.org/wiki/Special:MyLanguage/API:"


class Help(Action):
    """Show help on modules."""

    name = "help"
    position = 17
    needs_read = False
    params = (
        string("modules", "Paths of modules, such as ``parse`` or ``query+info``.", multi=True,
               default=ROOT),
        boolean("submodules", "Show help on their submodules as well."),
        boolean("recursivesubmodules", "Show help on submodules at all levels."),
        boolean("wrap", "Wrap the page in an answer of the usual form."),
        boolean("toc", "Include a table of contents."),
    )  # fmt: skip
    examples = (
        ("action=help", "Help on the main module"),
        ("action=help&modules=query&submodules=1", "Help on query and all its modules"),
        ("action=help&recursivesubmodules=1", "All help on one page"),
    )
    help_urls = (f"{_MANUAL}Main_page", f"{_MANUAL}FAQ", f"{_MANUAL}Quick_start_guide")

    def cache_mode(self) -> CacheMode:
        """Return ``PUBLIC``: the answer is the same for all users with the same limits."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Answer with the HTML page, or put it into the result.

        Raises:
            ApiError: ``badmodule``.
        """
        high_limits = self.context.user.can("apihighlimits")
        descriptions = self.site.derived(Descriptions)
        paths = []
        for name in self.p.texts("modules"):
            try:
                path = find_path(descriptions.tree, name)
            except UnknownModule as unknown:
                raise ApiError("badmodule", unknown.key, *unknown.params) from unknown
            paths.append(path)
            if self.p.flag("recursivesubmodules"):
                paths += descriptions.tree.below(path)
            elif self.p.flag("submodules"):
                paths += descriptions.tree.children(path)
        modules = [descriptions.of(path, HTML, high_limits=high_limits) for path in paths]
        sections = [_section(self.site, data, high_limits=high_limits) for data in modules]
        page = _PAGE.format(
            title=_TITLE,
            style=_STYLE,
            site=html.escape(self.site.config.site.name),
            explorer=_explorer(self.site, self.context.request.mount),
            script=html.escape(self.site.script_url),
            toc=_toc(modules) if self.p.flag("toc") and len(modules) > 1 else "",
            sections="\n".join(sections),
            version=html.escape(wikiapi.__version__),
        )
        if self.p.flag("wrap"):
            wrapped = Obj({"mime": _MEDIA_TYPE, "filename": _FILE, "help": page})
            wrapped.subelements = frozenset({"help"})
            self.result.set((), self.name, wrapped)
            return
        self.context.headers.append(("Content-Security-Policy", own_style_policy(_STYLE)))
        body = page.encode("utf-8", "replace")
        self.result.raw = RawBody(body, f"{_MEDIA_TYPE}; charset=utf-8", _FILE)


_TITLE = "API help"
_SCRIPT = "/api.php"
_STYLE = f"""
{LOOK}
body {{ margin: 0; font: 16px/1.5 var(--sans); color: var(--ink); background: var(--ground); }}
main {{ margin: 1em auto; max-width: 60em; padding: .2em 1.5em 2em; background: var(--paper);
       border: 1px solid var(--line); border-radius: .6em; }}
h1, h2, h3 {{ line-height: 1.25; margin: 1.2em 0 .4em; overflow-wrap: anywhere; }}
h1, h2 {{ font-family: var(--serif); font-weight: 600; }}
h2 {{ border-bottom: 1px solid var(--line); padding-bottom: .2em; }}
dl {{ margin: .4em 0; }}
dt {{ font-weight: 600; margin-top: .8em; overflow-wrap: anywhere; }}
dt kbd, dt code {{ font-weight: 400; }}
dd {{ margin: .1em 0 .1em 1.6em; overflow-wrap: anywhere; }}
dd.info, footer {{ color: var(--quiet); }}
kbd, code {{ font: .92em var(--mono); background: var(--sunken); padding: .05em .3em;
            border-radius: .25em; overflow-wrap: anywhere; }}
a {{ color: var(--link); overflow-wrap: anywhere; }}
a:visited {{ color: var(--visited); }}
:focus-visible {{ outline: 3px solid var(--focus); outline-offset: 2px; }}
.apihelp-deprecated, .apihelp-required {{ color: var(--new); }}
.apihelp-linktrail, .apihelp-flags {{ color: var(--quiet); font-size: .9em; }}
nav ul {{ columns: 3 12em; padding-left: 1.2em; }}
footer {{ margin-top: 3em; border-top: 1px solid var(--line); font-size: .9em; }}
@media (max-width: 40em) {{ main {{ margin: 0; border: 0; border-radius: 0; padding-inline: 1em; }}
  dd {{ margin-inline-start: .8em; }} }}
@media print {{ main {{ border: 0; }} body {{ background: none; }} }}
"""
_PAGE = """\
<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>{title} - {site}</title>
<style>{style}</style>
<link rel="EditURI" type="application/rsd+xml" href="{script}?action=rsd">
</head>
<body>
<main>
<h1>{title}</h1>
<p>The requests that {site} answers. Each example is a link to its answer.{explorer}</p>
{toc}{sections}
<footer><p>Generated by wikiapi {version}, free software under the MIT licence that implements \
MediaWiki's Action API. The source and licence given for a module are those of MediaWiki or of \
the plugin to which it belongs.</p></footer>
</main>
</body>
</html>
"""


def _explorer(site: Site, mount: str) -> str:
    """Return a sentence with a link to the explorer, if it can be reached.

    ``mount`` is the path under which the site is mounted. Some servers mount only the API script.
    """
    if not has_explorer(site) or mount.endswith(_SCRIPT):
        return ""
    address = html.escape(f"{mount}{PATH}")
    return f' The <a href="{address}">explorer</a> has a form for every module.'


def _toc(modules: list[Obj]) -> str:
    items = []
    for data in modules:
        path, title = html.escape(data["path"]), html.escape(_module_title(data))
        level = 1 if data["path"] == ROOT else data["path"].count(SEPARATOR) + 2
        items.append(f'<li class="toclevel-{level}"><a href="#{path}">{title}</a></li>')
    lines = "\n".join(items)
    return f'<nav id="toc" class="toc"><h2>Contents</h2>\n<ul>\n{lines}\n</ul></nav>\n'


def _module_title(data: Obj) -> str:
    """Return the heading of a module: its name in requests, and the prefix of its parameters."""
    name = f"{data['group']}={data['name']}" if "group" in data else "Main module"
    return f"{name} ({data['prefix']})" if data["prefix"] else name


def _section(site: Site, data: Obj, *, high_limits: bool) -> str:
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
        f"{html.escape(_module_title(data))}</h2>"
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
        prefix = data["prefix"]
        entries = "".join(part for param in params for part in _parameter(site, prefix, param))
        yield _block("parameters", f"<h3>Parameters</h3><dl>{entries}</dl>")
    if "dynamicparameters" in data:
        yield f"<p>{data['dynamicparameters']}</p>"
    if data["examples"]:
        entries = "".join(
            f"<dt>{example['description']}</dt><dd>"
            f'<a href="{_address(site, example["query"])}" rel="nofollow">'
            f"api.php?{html.escape(example['query'])}</a></dd>"
            for example in data["examples"]
        )
        yield _block("examples", f"<h3>Examples</h3><dl>{entries}</dl>")
    if data["path"] == ROOT:
        yield _DATA_TYPES


def _trail(site: Site, path: str) -> str:
    steps = [] if path == ROOT else path.split(SEPARATOR)
    above = [(ROOT, ROOT)] if steps else []
    above += [(step, SEPARATOR.join(steps[: n + 1])) for n, step in enumerate(steps[:-1])]
    links = [_help_link(site, target, name) for name, target in above]
    links.append(f"<b>{html.escape(steps[-1] if steps else ROOT)}</b>")
    return f'<div class="apihelp-linktrail">({" | ".join(links)})</div>'


def _help_link(site: Site, path: str, text: str) -> str:
    """Return a link to the help on a module."""
    query = urlencode({"action": "help", "modules": path})
    return f'<a href="{_address(site, query)}">{html.escape(text)}</a>'


_FLAGS = (
    ("deprecated", "This module is deprecated."),
    ("internal", "This module is internal: it may change at any time."),
    ("readrights", "This module requires the right to read."),
    ("writerights", "This module changes the wiki."),
    ("mustbeposted", "This module accepts only POST requests."),
    ("generator", "This module can be used as a generator."),
)


def _flags(data: Obj) -> str:
    texts = [text for flag, text in _FLAGS if data.get(flag)]
    texts.append(f"Source: {html.escape(data['source'])}")
    if data.get("licensetag"):
        tag, link = html.escape(data["licensetag"]), data.get("licenselink")
        licence = f'<a href="{html.escape(link)}">{tag}</a>' if link else tag
        texts.append(f"License: {licence}")
    items = "".join(f"<li>{text}</li>" for text in texts)
    return _block("flags", f"<ul>{items}</ul>")


def _address(site: Site, query: str) -> str:
    return html.escape(f"{site.config.site.script_path}/api.php?{query.replace(' ', '%20')}")


def _block(name: str, content: str) -> str:
    return f'<div class="apihelp-block apihelp-{name}">{content}</div>'


_DATA_TYPES = """\
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


def _parameter(site: Site, prefix: str, param: Obj) -> Iterator[str]:
    """Yield the parts of a parameter's entry in a definition list."""
    yield f'<dt><span dir="ltr">{html.escape(prefix + param["name"])}</span></dt>'
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
        text = _help_link(site, path, value)
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
