"""Words about the revision being shown; as functions, about any page's current one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi.api.params.types.timestamp import in_zone, moment_of
from wikiapi.wikitext.declarations import ParserFunction, Variable
from wikiapi.wikitext.options import Target
from wikiapi_plugins.parserfunctions.pagewords import current_revision, named_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from wikiapi.wikitext.expand.call import FunctionCall
    from wikiapi.wikitext.state import ParseState


@dataclass(frozen=True, slots=True)
class _Facts:
    """A revision: its id, who made it, and when, in the wiki's time zone."""

    id: str
    user: str
    when: datetime


_WORDS: Mapping[str, Callable[[_Facts], str]] = MappingProxyType(
    {
        "REVISIONID": lambda facts: facts.id,
        "REVISIONUSER": lambda facts: facts.user,
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
    shown = state.options.revision
    when = _local(shown.timestamp or state.now, state)
    return read(_Facts(str(shown.id or ""), shown.user or _author(state), when))


def _author(state: ParseState) -> str:
    """Whoever previews or saves a text is the author of the revision that it would become."""
    options = state.options
    return options.user if options.preview or options.target is Target.SAVED else ""


def _function(read: Callable[[_Facts], str], call: FunctionCall) -> str:
    title = named_page(call)
    row = current_revision(title, call.state) if title else None
    if row is None:
        return ""
    when = moment_of(row.timestamp)
    return read(_Facts(str(row.rev_id), row.user_name or "", _local(when, call.state)))


def _size(state: ParseState) -> str:
    """Of a text that is not a revision the size of the text, unless templates alone are asked."""
    size = state.options.revision.size
    if size is None:
        size = state.usage.revision_size
    return "" if state.options.target is Target.WIKITEXT and not size else str(size)


DECLARATIONS = (
    *(Variable(word, partial(_variable, read)) for word, read in _WORDS.items()),
    Variable("REVISIONSIZE", _size),
)
FUNCTIONS = tuple(
    ParserFunction(word, partial(_function, read), case_sensitive=True)
    for word, read in _WORDS.items()
)
