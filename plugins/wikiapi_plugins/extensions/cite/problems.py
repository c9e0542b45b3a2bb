"""What is wrong with a footnote, and how readers are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction
from wikiapi.i18n.message import Message
from wikiapi.wikitext.expand.escape import escape_wikitext

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

TRACKING_CATEGORY = "cite-tracking-category-cite-error"
_WARNING = "cite_warning_"


@dataclass(frozen=True, slots=True)
class Problem:
    """A message by key, with texts from the page as its parameters."""

    key: str
    params: tuple[str, ...] = ()

    @classmethod
    def of(cls, key: str, *params: str) -> Problem:
        """Build a problem from its key and parameters."""
        return cls(key, params)

    @property
    def is_warning(self) -> bool:
        """Whether it is only worth a remark: the page may be in order."""
        return self.key.startswith(_WARNING)


def shown(problem: Problem, state: ParseState) -> str:
    """The problem as wikitext, in the reader's language; the page is put into its category."""
    if not problem.is_warning:
        state.add_tracking_category(TRACKING_CATEGORY)
    language = state.options.language or state.site.language
    params = tuple(escape_wikitext(text) for text in problem.params)
    text = state.parser.messages.text(Message(problem.key, params), language)
    kind = "cite_warning" if problem.is_warning else "cite_error"
    whole = state.parser.messages.text(Message(kind, (text,)), language)
    attributes = f'class="{_classes(problem)}" lang="{language}" dir="{direction(language)}"'
    return f"<span {attributes}>{whole}</span>"


def shown_html(problem: Problem, state: ParseState) -> str:
    """The problem as HTML where a tag stands."""
    return state.parse_fragment(shown(problem, state), state.root_frame())


def _classes(problem: Problem) -> str:
    if not problem.is_warning:
        return "error mw-ext-cite-error"
    name = problem.key.removeprefix(_WARNING).replace("_", "-")
    return f"warning mw-ext-cite-warning mw-ext-cite-warning-{name}"
