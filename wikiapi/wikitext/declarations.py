"""What plugins declare about wikitext (functions, variables, tags), and what is passed to them.

A declaration consists of names, a callable, and what the core must know to call it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from wikiapi.texts import trim
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.pipeline import parse_fragment
from wikiapi.wikitext.preprocess.nodes import Part
from wikiapi.wikitext.state import ParseState


@dataclass(frozen=True, slots=True)
class Expansion:
    """The result of a function or tag that is not just text to be read as wikitext.

    ``html``: the text is finished HTML, which later stages must not change. ``nowiki``: it is plain
    text, not wikitext. Both: it is HTML that even the stage for paragraphs does not see.
    ``preprocess``: it is wikitext whose templates have yet to be expanded;
    ``source`` is then the page it comes from, if any, as namespace number and database key.
    """

    text: str
    html: bool = False
    nowiki: bool = False
    preprocess: bool = False
    source: tuple[int, str] | None = None


@dataclass(eq=False)
class FunctionCall:
    """``{{name: first | parts...}}``."""

    name: str
    first: str
    """The first argument, expanded and trimmed."""
    parts: Sequence[Part]
    """The arguments after the first, unexpanded."""
    frame: Frame
    state: ParseState

    @property
    def site(self) -> Wiki:
        """The wiki."""
        return self.state.site

    @property
    def title(self) -> Title:
        """The page being rendered."""
        return self.state.title

    @cached_property
    def args(self) -> list[str]:
        """All arguments, expanded and trimmed; ``name=value`` is not split."""
        return [self.first, *(self.expand(n) for n in range(1, len(self.parts) + 1))]

    def arg(self, index: int, default: str = "") -> str:
        """Return an argument by its position, counted from 0, or ``default``."""
        return self.args[index] if index < len(self.args) else default

    def expand(self, index: int) -> str:
        """Expand one argument and return it, or "". For functions declared with ``raw``."""
        if index == 0:
            return self.first
        if index > len(self.parts):
            return ""
        part = self.parts[index - 1]
        return trim(self.state.expander.expand_part(part, self.frame))

    def split(self, index: int) -> tuple[str | None, str]:
        """Return name (or ``None``) and value of an argument after the first, both trimmed."""
        part = self.parts[index - 1]
        expand = self.state.expander.expand
        name = None if part.name is None else trim(expand(part.name, self.frame))
        return name, trim(expand(part.value, self.frame))

    def __len__(self) -> int:
        """Number of arguments."""
        return len(self.parts) + 1


@dataclass(eq=False)
class TagCall:
    """``<name attributes>inner</name>``; ``inner`` is ``None`` for ``<name />``."""

    name: str
    attributes: Mapping[str, str]
    inner: str | None
    frame: Frame
    state: ParseState
    source: str = ""
    """The whole tag as it was written."""

    @property
    def site(self) -> Wiki:
        """The wiki."""
        return self.state.site

    def parse(self, text: str) -> str:
        """Return wikitext as HTML for a part of the page; most tags do this with their content."""
        return parse_fragment(text, self.frame, self.state)

    def expand(self, text: str) -> str:
        """Return wikitext with its templates expanded in the frame that contains the tag."""
        return self.state.expander.expand_text(text, self.frame)


@dataclass(eq=False)
class SpecialCall:
    """``{{Special:Name/subpage|option=value}}``."""

    subpage: str
    """The part of the title after the name and a slash."""
    options: Mapping[str, str]
    frame: Frame
    state: ParseState

    @property
    def site(self) -> Wiki:
        """The wiki."""
        return self.state.site


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
class ExtensionTag:
    """``<name attributes>content</name>``, whose content only ``function`` interprets.

    ``function`` returns HTML, or an :class:`Expansion` for anything else. ``is_verbatim`` is
    whether it never expands calls in the content.
    """

    name: str
    function: Callable[[TagCall], str | Expansion]
    is_verbatim: bool = False


@dataclass(frozen=True, slots=True)
class SpecialPage:
    """A special page that can be transcluded: ``{{Special:Name/subpage|option=value}}``.

    ``name`` is the canonical English name. ``function`` returns HTML.
    """

    name: str
    function: Callable[[SpecialCall], str]
