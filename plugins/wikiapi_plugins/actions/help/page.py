"""The page of ``action=help``: header, table of contents, one section per module."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

import wikiapi
from wikiapi_plugins.actions.help.section import Sections, module_title
from wikiapi_plugins.documentation.tree import ROOT, SEPARATOR
from wikiapi_plugins.interface.explorer import PATH, has_explorer

if TYPE_CHECKING:
    from wikiapi.api.result import Obj
    from wikiapi.site import Site

TITLE = "API help"
_SCRIPT = "/api.php"
STYLE = """
body { margin: 0 auto; max-width: 60em; padding: 1em 1.5em; font: 16px/1.5 system-ui, sans-serif;
       color: #202122; background: #fff; }
h1, h2, h3 { line-height: 1.25; margin: 1.2em 0 .4em; }
h2 { border-bottom: 1px solid #c8ccd1; padding-bottom: .2em; }
dl { margin: .4em 0; }
dt { font-weight: 600; margin-top: .8em; }
dt kbd, dt code { font-weight: 400; }
dd { margin: .1em 0 .1em 1.6em; overflow-wrap: anywhere; }
dd.info, footer { color: #54595d; }
kbd, code { font: .92em ui-monospace, monospace; background: #f2f3f5; padding: .05em .3em; }
a { color: #36c; }
.apihelp-deprecated, .apihelp-required { color: #b32424; }
.apihelp-linktrail, .apihelp-flags { color: #54595d; font-size: .9em; }
nav ul { columns: 3 12em; padding-left: 1.2em; }
footer { margin-top: 3em; border-top: 1px solid #c8ccd1; font-size: .9em; }
@media (prefers-color-scheme: dark) {
  body { color: #eaecf0; background: #101418; }
  h2, footer { border-color: #54595d; }
  kbd, code { background: #27292d; }
  dd.info, footer, .apihelp-linktrail, .apihelp-flags { color: #a2a9b1; }
  a { color: #88a3e8; }
  .apihelp-deprecated, .apihelp-required { color: #fd7865; }
}
"""
_PAGE = """\
<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<title>{title} - {site}</title>
<style>{style}</style>
<link rel="EditURI" type="application/rsd+xml" href="{script}?action=rsd">
</head>
<body>
<h1>{title}</h1>
<p>What can be asked of {site}. Each example is a link that shows its answer.{explorer}</p>
{toc}{sections}
<footer><p>Answered by wikiapi {version}, free software under the MIT licence, in the form of \
MediaWiki's Action API; source and licence of a module are those of MediaWiki or of the plugin it \
belongs to.</p></footer>
</body>
</html>
"""


@dataclass(frozen=True)
class Contents:
    """What a page shows: the descriptions of modules, with help texts in HTML.

    ``mount`` is where the site is mounted, as it stands in front of addresses.
    """

    site: Site
    modules: list[Obj]
    mount: str = ""
    with_toc: bool = False
    high_limits: bool = False


def help_page(contents: Contents) -> str:
    """The whole document."""
    several = len(contents.modules) > 1
    sections = contents.site.api.derived(Sections)
    return _PAGE.format(
        title=TITLE,
        style=STYLE,
        site=html.escape(contents.site.config.site.name),
        explorer=_explorer(contents),
        script=html.escape(contents.site.script_url),
        toc=_toc(contents.modules) if contents.with_toc and several else "",
        sections="\n".join(
            sections.of(told, high_limits=contents.high_limits) for told in contents.modules
        ),
        version=html.escape(wikiapi.__version__),
    )


def _explorer(contents: Contents) -> str:
    # Some servers mount the script of the API alone, and nothing else of the site is there.
    if not has_explorer(contents.site) or contents.mount.endswith(_SCRIPT):
        return ""
    address = html.escape(f"{contents.mount}{PATH}")
    return f' The <a href="{address}">explorer</a> has a form for every module.'


def _toc(modules: list[Obj]) -> str:
    items = "\n".join(
        f'<li class="toclevel-{_level(told["path"])}"><a href="#{html.escape(told["path"])}">'
        f"{html.escape(module_title(told))}</a></li>"
        for told in modules
    )
    return f'<nav id="toc" class="toc"><h2>Contents</h2>\n<ul>\n{items}\n</ul></nav>\n'


def _level(path: str) -> int:
    return 1 if path == ROOT else path.count(SEPARATOR) + 2
