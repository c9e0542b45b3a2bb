"""What plugins declare about wikitext: functions, variables, switches, tags, content models.

A declaration is data: names, a callable and what the core must know to call it. The callables get
the objects named in their type and return text.
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
    """What a function or tag returns when plain wikitext does not say it all.

    ``html``: the text is finished HTML, which nothing may touch any more. ``nowiki``: it is text
    that is not wikitext. ``preprocess``: it is wikitext with braces still to be expanded, the text
    of the page ``source`` if that is given: namespace number and database key.
    """

    text: str
    html: bool = False
    nowiki: bool = False
    preprocess: bool = False
    source: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class ParserFunction:
    """``{{name: a | b}}``.

    ``name`` and ``aliases`` carry their ``#`` where they need one. ``function`` returns the text,
    an :class:`Expansion`, or ``None`` where there is no such function after all. With ``raw`` the
    arguments are expanded only as far as the function asks for them. ``deferred`` functions need
    what only a rendering knows and are left alone by a pre-save transform.
    """

    name: str
    function: Callable[[FunctionCall], str | Expansion | None]
    aliases: tuple[str, ...] = ()
    case_sensitive: bool = False
    raw: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it is called by."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Variable:
    """``{{NAME}}``. ``cache_seconds``: how long its value may be cached, ``None`` without limit."""

    name: str
    function: Callable[[ParseState], str | None]
    aliases: tuple[str, ...] = ()
    case_sensitive: bool = True
    cache_seconds: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it is called by."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class BehaviorSwitch:
    """``__NAME__``: sets the page property ``name`` to an empty value."""

    name: str
    aliases: tuple[str, ...]
    """The words themselves, underscores included."""
    case_sensitive: bool = False
    tracking_category: str = ""
    """Message key of a category for the pages that use it."""
    applies: Callable[[Title], bool] = lambda title: True
    """Whether the category is meant for a page."""


@dataclass(frozen=True, slots=True)
class ExtensionTag:
    """``<name attributes>content</name>``, its content read by ``function`` alone.

    ``function`` returns HTML; an :class:`Expansion` may say that it is something else.
    """

    name: str
    function: Callable[[TagCall], str | Expansion]


@dataclass(frozen=True, slots=True)
class SpecialPage:
    """A special page that may be transcluded: ``{{Special:Name/subpage|option=value}}``.

    ``name`` is the one that is shown. ``function`` returns HTML.
    """

    name: str
    function: Callable[[SpecialCall], str]


@dataclass(frozen=True, slots=True)
class ContentModel:
    """How pages of one kind are stored and shown.

    ``formats`` are MIME types, the default first. ``render`` fills a :class:`ParserOutput` from the
    text of a page. ``has_sections`` says whether parts of a page can be asked for by heading.
    ``redirect_target`` finds the page that a text redirects to, ``None`` if it is no redirect;
    ``redirect_text`` writes a text that redirects to a page, ``None`` if no text of the model does.
    ``saved`` returns the text that is stored when somebody saves one, and raises
    :class:`~wikiapi.errors.ApiError` for a text that must not be saved.
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
