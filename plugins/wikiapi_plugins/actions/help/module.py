"""``action=help``."""

from __future__ import annotations

import html
from collections.abc import Iterator

import wikiapi
from wikiapi.api import Action, CacheMode, Obj, RawBody, boolean, string
from wikiapi.errors import ApiError
from wikiapi.site import Site
from wikiapi_plugins.actions.help.section import module_title, section_html
from wikiapi_plugins.shared.documentation.modules import Descriptions
from wikiapi_plugins.shared.documentation.texts import HTML
from wikiapi_plugins.shared.documentation.tree import (
    ROOT,
    SEPARATOR,
    ModuleTree,
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
        page = self._page()
        if self.p.flag("wrap"):
            wrapped = Obj({"mime": _MEDIA_TYPE, "filename": _FILE, "help": page})
            wrapped.subelements = frozenset({"help"})
            self.result.set((), self.name, wrapped)
            return
        self.context.headers.append(("Content-Security-Policy", own_style_policy(STYLE)))
        body = page.encode("utf-8", "replace")
        self.result.raw = RawBody(body, f"{_MEDIA_TYPE}; charset=utf-8", _FILE)

    def _page(self) -> str:
        high_limits = self.context.user.can("apihighlimits")
        descriptions = self.site.derived(Descriptions)
        paths = list(self._paths(descriptions.tree))
        modules = [descriptions.of(path, HTML, high_limits=high_limits) for path in paths]
        sections = [section_html(self.site, data, high_limits=high_limits) for data in modules]
        with_toc = self.p.flag("toc") and len(modules) > 1
        return _PAGE.format(
            title=TITLE,
            style=STYLE,
            site=html.escape(self.site.config.site.name),
            explorer=_explorer(self.site, self.context.request.mount),
            script=html.escape(self.site.script_url),
            toc=_toc(modules) if with_toc else "",
            sections="\n".join(sections),
            version=html.escape(wikiapi.__version__),
        )

    def _paths(self, tree: ModuleTree) -> Iterator[str]:
        for name in self.p.texts("modules"):
            try:
                path = find_path(tree, name)
            except UnknownModule as unknown:
                raise ApiError("badmodule", unknown.key, *unknown.params) from unknown
            yield path
            if self.p.flag("recursivesubmodules"):
                yield from tree.below(path)
            elif self.p.flag("submodules"):
                yield from tree.children(path)


TITLE = "API help"
_SCRIPT = "/api.php"
STYLE = f"""
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
        path, title = html.escape(data["path"]), html.escape(module_title(data))
        level = 1 if data["path"] == ROOT else data["path"].count(SEPARATOR) + 2
        items.append(f'<li class="toclevel-{level}"><a href="#{path}">{title}</a></li>')
    lines = "\n".join(items)
    return f'<nav id="toc" class="toc"><h2>Contents</h2>\n<ul>\n{lines}\n</ul></nav>\n'
