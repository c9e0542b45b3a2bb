"""The section of one module on the page of ``action=help``."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wikiapi_plugins.actions.help.datatypes import DATA_TYPES
from wikiapi_plugins.actions.help.parameter import parameter_entry
from wikiapi_plugins.documentation.tree import ROOT, SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.api.result import Obj
    from wikiapi.site import Site

_FLAGS = (
    ("deprecated", "This module is deprecated."),
    ("internal", "This module is internal: it may change at any time."),
    ("readrights", "This module takes the right to read."),
    ("writerights", "This module would change the wiki."),
    ("mustbeposted", "This module answers POST requests only."),
    ("generator", "This module can be a generator."),
)


def module_title(told: Obj) -> str:
    """A module as requests name it, with its prefix."""
    name = f"{told['group']}={told['name']}" if "group" in told else "Main module"
    return f"{name} ({told['prefix']})" if told["prefix"] else name


class Sections:
    """The modules' sections as HTML; made once, with ``site.api.derived(Sections)``."""

    def __init__(self, site: Site) -> None:
        """Begin with nothing: a section is made when it is first asked for."""
        self._site = site
        self._made: dict[tuple[str, bool], str] = {}

    def of(self, told: Obj, *, high_limits: bool) -> str:
        """The section of the module described, for users with high limits or without."""
        key = told["path"], high_limits
        if key not in self._made:
            self._made[key] = "\n".join(_parts(self._site, told))
        return self._made[key]


def _parts(site: Site, told: Obj) -> Iterator[str]:
    path = html.escape(told["path"])
    yield (
        f'<h2 class="apihelp-header apihelp-module-name" dir="ltr" id="{path}">'
        f"{html.escape(module_title(told))}</h2>"
    )
    yield _trail(site, told["path"])
    yield _flags(told)
    description = told["description"]
    yield description if description.startswith("<p>") else f"<p>{description}</p>"
    if told["helpurls"]:
        yield _block("help-urls", f"<ul>{''.join(map(_manual, told['helpurls']))}</ul>")
    yield from _parameters(site, told)
    if "dynamicparameters" in told:
        yield f"<p>{told['dynamicparameters']}</p>"
    if told["examples"]:
        yield _examples(site, told["examples"])
    if told["path"] == ROOT:
        yield DATA_TYPES


def _parameters(site: Site, told: Obj) -> Iterator[str]:
    params = sorted(
        [*told["parameters"], *told["templatedparameters"]], key=lambda param: param["index"]
    )
    if params:
        entries = "".join(parameter_entry(site, told["prefix"], param) for param in params)
        yield _block("parameters", f"<h3>Parameters</h3><dl>{entries}</dl>")


def _trail(site: Site, path: str) -> str:
    steps = [] if path == ROOT else path.split(SEPARATOR)
    above = [(ROOT, ROOT)] if steps else []
    above += [(step, SEPARATOR.join(steps[: n + 1])) for n, step in enumerate(steps[:-1])]
    links = [help_link(site, target, name) for name, target in above]
    links.append(f"<b>{html.escape(steps[-1] if steps else ROOT)}</b>")
    return f'<div class="apihelp-linktrail">({" | ".join(links)})</div>'


def help_link(site: Site, path: str, text: str) -> str:
    """A link to the help on a module."""
    query = urlencode({"action": "help", "modules": path})
    return f'<a href="{_address(site, query)}">{html.escape(text)}</a>'


def _flags(told: Obj) -> str:
    shown = [text for flag, text in _FLAGS if told.get(flag)]
    shown.append(f"Source: {html.escape(told['source'])}")
    if told.get("licensetag"):
        shown.append(f"License: {_licence(told)}")
    items = "".join(f"<li>{text}</li>" for text in shown)
    return _block("flags", f"<ul>{items}</ul>")


def _licence(told: Obj) -> str:
    tag, link = html.escape(told["licensetag"]), told.get("licenselink")
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
