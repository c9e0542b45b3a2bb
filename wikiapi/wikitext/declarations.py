"""What plugins declare about wikitext: functions, variables, switches, tags, content models.

A declaration consists of names, a callable, and what the core must know to call it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.expand.call import FunctionCall, SpecialCall, TagCall
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.state import ParseState

if TYPE_CHECKING:
    from wikiapi.wikitext.parser import Parser


@dataclass(frozen=True, slots=True)
class Expansion:
    """The result of a function or tag that is not just text to be read as wikitext.

    ``html``: the text is finished HTML, which later stages must not change. ``nowiki``: it is plain
    text, not wikitext. ``preprocess``: it is wikitext whose templates have yet to be expanded;
    ``source`` is then the page it comes from, if any, as namespace number and database key.
    """

    text: str
    html: bool = False
    nowiki: bool = False
    preprocess: bool = False
    source: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class ParserFunction:
    """``{{name: a | b}}``.

    ``name`` and ``aliases`` include the ``#`` if the function is called with one. ``function``
    returns the text, an :class:`Expansion`, or ``None`` to have the call treated as if there were
    no such function. With ``raw``, arguments are expanded only when the function asks for them.
    """

    name: str
    function: Callable[[FunctionCall], str | Expansion | None]
    aliases: tuple[str, ...] = ()
    case_sensitive: bool = False
    raw: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All names by which it can be called."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Variable:
    """``{{NAME}}``. Its value may be cached for ``cache_seconds``; ``None`` sets no limit."""

    name: str
    function: Callable[[ParseState], str | None]
    aliases: tuple[str, ...] = ()
    case_sensitive: bool = True
    cache_seconds: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names by which it can be called."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class BehaviorSwitch:
    """``__NAME__``: sets the page property ``name`` to an empty value."""

    name: str
    aliases: tuple[str, ...]
    """The words themselves, underscores included."""
    case_sensitive: bool = False
    tracking_category: str = ""
    """Key of the message that names a category for the pages that use it."""
    applies: Callable[[Title], bool] = lambda title: True
    """Returns whether a page that uses it gets the category."""


@dataclass(frozen=True, slots=True)
class ExtensionTag:
    """``<name attributes>content</name>``, whose content only ``function`` interprets.

    ``function`` returns HTML, or an :class:`Expansion` for anything else.
    """

    name: str
    function: Callable[[TagCall], str | Expansion]


@dataclass(frozen=True, slots=True)
class SpecialPage:
    """A special page that can be transcluded: ``{{Special:Name/subpage|option=value}}``.

    ``name`` is the canonical English name. ``function`` returns HTML.
    """

    name: str
    function: Callable[[SpecialCall], str]


@dataclass(frozen=True, slots=True)
class ContentModel:
    """How pages with one content model are stored and shown.

    ``formats`` are MIME types, the default first. ``render`` returns the :class:`ParserOutput` for
    the text of a page. ``has_sections`` says whether sections can be read and edited separately.
    ``redirect_target`` returns the page that a text redirects to, or ``None`` if it is not a
    redirect; ``redirect_text`` returns a text that redirects to a page, or ``None`` if the model
    has no redirects. ``saved`` returns the text that is stored when a user saves a text, and raises
    :class:`~wikiapi.errors.ApiError` if the text must not be saved.
    ``is_editable`` says whether clients may edit such pages, or change a page to this model.
    """

    name: str
    formats: tuple[str, ...]
    render: Callable[[Parser, str, Title, ParserOptions], ParserOutput]
    has_sections: bool = False
    redirect_target: Callable[[Wiki, str], Title | None] = lambda site, text: None
    is_editable: bool = True
    redirect_text: Callable[[Wiki, Title], str | None] = lambda site, title: None
    saved: Callable[[Parser, str, Title], str] = lambda parser, text, title: text
