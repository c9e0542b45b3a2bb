"""Scripts and style sheets that redirect: they load another page of the wiki and do no more.

MediaWiki writes them so when such a page is moved, and takes nothing else for a redirect.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title

_MARK = "/* #REDIRECT */"
_BEFORE_TITLE = rf"{re.escape(_MARK)}[^?]*+\?title="
_STYLE_TITLE = re.compile(rf"{_BEFORE_TITLE}([^&\s]*+)&action=raw")
_SCRIPT_TITLE = re.compile(rf"{_BEFORE_TITLE}([^&\s\\]*+)\\u0026action=raw")
_SCHEME = re.compile("^https?:")


def style_redirect(site: Site, source: str) -> Title | None:
    """The style sheet that one imports in place of its own."""
    title = _named(site, _STYLE_TITLE.match(source))
    if title is None:
        return None
    return title if source == f"{_MARK}@import url({_raw(site, title, 'css')});" else None


def script_redirect(site: Site, source: str) -> Title | None:
    """The script that one loads in place of its own."""
    title = _named(site, _SCRIPT_TITLE.match(source))
    if title is None:
        return None
    address = _raw(site, title, "javascript").replace("&", "\\u0026")
    return title if source == f'{_MARK}mw.loader.load("{address}");' else None


def _named(site: Site, match: re.Match[str] | None) -> Title | None:
    return site.titles.try_parse(unquote(match[1])) if match else None


def _raw(site: Site, title: Title, kind: str) -> str:
    """Where the source of a page lies, whichever scheme the reader uses."""
    return _SCHEME.sub("", site.page_url(title, f"action=raw&ctype=text/{kind}"))
