"""Variables about the revision being shown, and functions about any page's current revision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import MappingProxyType

from wikiapi.api import moment_of
from wikiapi.expiry import is_in_force
from wikiapi.timestamps import in_zone
from wikiapi.title import Title
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, Target, Variable
from wikiapi_plugins.wikitext.parserfunctions.pagefacts import (
    current_revision,
    named_page,
    page_row,
)


@dataclass(frozen=True, slots=True)
class _Facts:
    """A revision: its id, its author, and its time in the wiki's time zone."""

    id: str
    user: str
    when: datetime


_USER = "REVISIONUSER"
_WORDS: Mapping[str, Callable[[_Facts], str]] = MappingProxyType(
    {
        "REVISIONID": lambda facts: facts.id,
        _USER: lambda facts: facts.user,
        "REVISIONDAY": lambda facts: str(facts.when.day),
        "REVISIONDAY2": lambda facts: f"{facts.when.day:02d}",
        "REVISIONMONTH": lambda facts: f"{facts.when.month:02d}",
        "REVISIONMONTH1": lambda facts: str(facts.when.month),
        "REVISIONYEAR": lambda facts: str(facts.when.year),
        "REVISIONTIMESTAMP": lambda facts: f"{facts.when:%Y%m%d%H%M%S}",
    }
)


def _local(when: datetime, state: ParseState) -> datetime:
    return in_zone(when, state.site.config.site.timezone)


def _variable(read: Callable[[_Facts], str], state: ParseState) -> str:
    options, revision = state.options, state.options.revision
    when = _local(revision.timestamp or state.now, state)
    # A text that is previewed or saved has the user who would save it.
    author = options.user if options.preview or options.target is Target.SAVED else ""
    return read(_Facts(str(revision.id or ""), revision.user or author, when))


def _function(read: Callable[[_Facts], str], call: FunctionCall) -> str:
    title = named_page(call)
    row = current_revision(title, call.state) if title else None
    if row is None:
        return ""
    when = moment_of(row.timestamp)
    return read(_Facts(str(row.rev_id), row.user_name or "", _local(when, call.state)))


def _user(call: FunctionCall) -> str:
    """Return the author of a page's current revision.

    For the page being rendered, if it does not exist yet, that is the user who would save it.
    """
    title = named_page(call)
    if title and title.key == call.title.key and call.state.lookups.page(title) is None:
        return _variable(_WORDS[_USER], call.state)
    return _function(_WORDS[_USER], call)


def _size(state: ParseState) -> str:
    """Return the size of the revision in bytes, or of the text if it has no revision.

    Return "" if only templates are expanded, since the size of the text is not known then.
    """
    size = state.options.revision.size
    if size is None:
        size = state.usage.revision_size
    return "" if state.options.target is Target.WIKITEXT and not size else str(size)


def _sources(title: Title, state: ParseState) -> str:
    if not state.expensive():
        return ""
    now = f"{state.now:%Y%m%d%H%M%S}"
    names = {
        state.site.titles.make(source.namespace, source.title).prefixed_text: None
        for source in state.lookups.cascade_sources(title)
        if is_in_force(source.expiry, now)
    }
    return "|".join(names)


def _cascading_sources(state: ParseState) -> str:
    return _sources(state.title, state)


def _cascading_of(call: FunctionCall) -> str:
    title = named_page(call)
    return _sources(title, call.state) if title else ""


def _page_id(state: ParseState) -> str:
    row = state.lookups.page(state.title)
    return str(row.page_id) if row else ""


def _id_of(call: FunctionCall) -> str:
    """Return the id of a page, 0 if it does not exist. Another page is recorded as linked."""
    title = named_page(call)
    if title is None:
        return ""
    if title.key == call.title.key:
        return _page_id(call.state)
    if title.ns < 0:
        return "0"
    row = page_row(title, call.state)
    call.state.links.add(title)
    return str(row.page_id) if row else "0"


DECLARATIONS = (
    *(Variable(word, partial(_variable, read)) for word, read in _WORDS.items()),
    Variable("REVISIONSIZE", _size),
    Variable("CASCADINGSOURCES", _cascading_sources),
    Variable("PAGEID", _page_id, case_sensitive=False),
)

FUNCTIONS = (
    ParserFunction("CASCADINGSOURCES", _cascading_of, case_sensitive=True),
    ParserFunction("PAGEID", _id_of),
    ParserFunction(_USER, _user, case_sensitive=True),
    *(
        ParserFunction(word, partial(_function, read), case_sensitive=True)
        for word, read in _WORDS.items()
        if word != _USER
    ),
)
