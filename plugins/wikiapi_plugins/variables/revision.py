"""Words about the revision being shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import Variable

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from wikiapi.wikitext.state import ParseState


def _of_time(give: Callable[[datetime], str], state: ParseState) -> str:
    return give(state.options.revision.timestamp or state.now)


def _id(state: ParseState) -> str:
    return str(state.options.revision.id or "")


def _user(state: ParseState) -> str:
    return state.options.revision.user


def _size(state: ParseState) -> str:
    size = state.options.revision.size
    return str(state.usage.revision_size if size is None else size)


DECLARATIONS = (
    Variable("REVISIONID", _id),
    Variable("REVISIONUSER", _user),
    Variable("REVISIONSIZE", _size),
    Variable("REVISIONDAY", partial(_of_time, lambda when: str(when.day))),
    Variable("REVISIONDAY2", partial(_of_time, lambda when: f"{when:%d}")),
    Variable("REVISIONMONTH", partial(_of_time, lambda when: f"{when:%m}")),
    Variable("REVISIONMONTH1", partial(_of_time, lambda when: str(when.month))),
    Variable("REVISIONYEAR", partial(_of_time, lambda when: str(when.year))),
    Variable("REVISIONTIMESTAMP", partial(_of_time, lambda when: f"{when:%Y%m%d%H%M%S}")),
)
