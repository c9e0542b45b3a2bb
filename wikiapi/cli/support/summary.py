"""The lines at the end of an import: what was imported, what is missing, and the next step."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from wikiapi.cli.support.options import DEFAULT_CONFIG
from wikiapi.importing.gaps import (
    lua_modules,
    missing_files,
    missing_templates,
    recorded_names,
    runs_lua,
)
from wikiapi.importing.origin import messages_command
from wikiapi.site import Site
from wikiapi.store.check.contents import totals
from wikiapi.texts import counted

_NAMES = 5
"""The number of unknown names that are listed; ``wikiapi doctor`` lists all."""
_SQLITE = "sqlite:///"


def summary(site: Site, *, serve: str, links: bool, config: Path | None = None) -> Iterator[str]:
    """Yield the lines of the summary.

    Args:
        site: the imported wiki.
        serve: the command that serves it; empty if it is served anyway.
        links: whether links have been derived, which records pictures and unknown names.
        config: the configuration that was written from the head of the dump, if one was.
    """
    total = totals(site.db)
    store = site.config.database.url.removeprefix(_SQLITE).rpartition("@")[2]
    yield (
        f"Wiki:       {counted(total.pages, 'page')} and {counted(total.revisions, 'revision')}"
        f" of {site.config.site.name} are in {store}."
    )
    yield f"Pictures:   {_pictures(site) if links else _LATER}"
    if links and (text := _templates(site)):
        yield f"Templates:  {text}"
    yield f"Extensions: {_extensions(site) if links else _LATER}"
    if text := _lua(site):
        yield f"Lua:        {text}"
    if text := _missing_messages(site):
        yield f"Messages:   {text}"
    if config is not None and site.config.site.source:
        output = f" --output {shlex.quote(str(config))}" if config != DEFAULT_CONFIG else ""
        command = f"wikiapi config from {shlex.quote(site.config.site.source)}{output}"
        yield f"Settings:   those in the dump; `{command}` gets the others from the live wiki."
    if serve:
        yield f"Next:       `{serve}` shows the wiki at http://{site.config.http.listen}/."


def _missing_messages(site: Site) -> str:
    """Return a sentence with the command that gets the messages of a wiki, or "" if it has them."""
    code = site.language
    if site.messages.catalog.is_translated(code):
        return ""
    command = messages_command(site.config.site)
    return f"none in {code!r}, so sentences are in English; `{command}` gets them."


_LATER = "known after `wikiapi links`."


def _pictures(site: Site) -> str:
    missing, used = missing_files(site.db)
    if not missing:
        return "none are missing."
    sentence = f"{missing} of {used} that pages show {'is' if missing == 1 else 'are'} missing"
    return f"{sentence}; `wikiapi fetch-files` gets them."


def _templates(site: Site) -> str:
    """Return a sentence about missing templates and modules, or "" if there are none."""
    missing, called = missing_templates(site.db)
    if not missing:
        return ""
    return f"{missing} of {called} that pages call {'is' if missing == 1 else 'are'} missing."


def _extensions(site: Site) -> str:
    if not site.config.site.track_unknown:
        return "not checked (site.track_unknown is off)."
    names = recorded_names(site.db)
    if not names:
        return "plugins know every tag and parser function."
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    described: list[str] = []
    for name, pages, extension in names[:_NAMES]:
        of = f"{extension}, " if extension else ""
        described.append(f"{name} ({of}{counted(pages, 'page')})")
    listed = ", ".join(described)
    return f"no plugin knows {listed}{more}; `wikiapi doctor` lists all."


def _lua(site: Site) -> str:
    """Return a sentence about Lua, or "" if the wiki has no modules."""
    modules = lua_modules(site.db)
    if not modules:
        return ""
    if runs_lua():
        return f"installed for {counted(modules, 'module')}."
    need = "`pip install 'wikiapi-server[lua]'`, then `wikiapi links --all`"
    return f"{counted(modules, 'module needs', 'modules need')} {need}."
