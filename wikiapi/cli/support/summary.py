"""The five lines at the end of an import: what was imported, what is missing, and the next step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wikiapi.dump.gaps import UnknownName, lua_modules, missing_files, recorded_names, runs_lua
from wikiapi.plurals import counted
from wikiapi.site import Site
from wikiapi.store.check.contents import totals

_NAMES = 5
"""The number of unknown names that are listed; ``wikiapi doctor`` lists all."""
_SQLITE = "sqlite:///"


def summary(site: Site, *, serve: str, links: bool) -> Iterator[str]:
    """Yield the lines of the summary.

    Args:
        site: the imported wiki.
        serve: the command that serves it.
        links: whether links have been derived, which records pictures and unknown names.
    """
    total = totals(site.db)
    store = site.config.database.url.removeprefix(_SQLITE).rpartition("@")[2]
    yield (
        f"Wiki:       {counted(total.pages, 'page')} and {counted(total.revisions, 'revision')}"
        f" of {site.config.site.name} are in {store}."
    )
    yield f"Pictures:   {_pictures(site) if links else _LATER}"
    yield f"Extensions: {_extensions(site) if links else _LATER}"
    yield f"Lua:        {_lua(site)}"
    yield f"Next:       `{serve}` shows the wiki at http://{site.config.http.listen}/."


_LATER = "known after `wikiapi links`."


def _pictures(site: Site) -> str:
    missing, shown = missing_files(site.db)
    if not missing:
        return "none are missing."
    found = f"{missing} of {shown} that pages show {'is' if missing == 1 else 'are'} missing"
    return f"{found}; `wikiapi fetch-files` gets them."


def _extensions(site: Site) -> str:
    if not site.config.site.track_unknown:
        return "not checked (site.track_unknown is off)."
    names = recorded_names(site.db)
    if not names:
        return "plugins know every tag and parser function."
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    listed = ", ".join(_described(names[:_NAMES]))
    return f"no plugin knows {listed}{more}; `wikiapi doctor` lists all."


def _described(names: Iterable[UnknownName]) -> Iterator[str]:
    for name, pages, extension in names:
        of = f"{extension}, " if extension else ""
        yield f"{name} ({of}{counted(pages, 'page')})"


def _lua(site: Site) -> str:
    modules = lua_modules(site.db)
    if not modules:
        return "no modules."
    if runs_lua():
        return f"installed for {counted(modules, 'module')}."
    need = "`pip install 'wikiapi-server[lua]'`, then `wikiapi links --all`"
    return f"{counted(modules, 'module needs', 'modules need')} {need}."
