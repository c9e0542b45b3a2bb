"""One entry of a list of references."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wikiapi.errors import ConfigError
from wikiapi.i18n import Message, direction
from wikiapi.site import Site
from wikiapi.wikitext import ParseState
from wikiapi.wikitext.expand.escape import escape_wikitext
from wikiapi.wikitext.expand.strip import StripState

if TYPE_CHECKING:
    from wikiapi_plugins.extensions.cite.ref import RefArguments


@dataclass(slots=True, eq=False)
class Footnote:
    """What is said about one or more places of the text.

    ``serial`` counts all footnotes of the page, ``number`` those of a group's list or those that
    are details of one other, ``whole``; it is 0 for the end of a footnote of an earlier page, which
    has no number of its own. ``uses`` counts the places that refer to it. ``problem`` is the first
    there is: readers are told no other.
    """

    serial: int
    group: str
    name: str
    number: int = 0
    whole: Footnote | None = None
    pieces: list[str] = field(default_factory=list)
    """The text, and what follows it; empty if there is none."""
    direction: str = ""
    uses: int = 0
    problem: Problem | None = None
    details: dict[str, Footnote] = field(default_factory=dict)
    """Footnotes that tell more of this one, by what they tell."""

    @property
    def text(self) -> str | None:
        """The text as wikitext, ``None`` if no ``<ref>`` gave one."""
        return " ".join(self.pieces) if self.pieces else None

    def define(self, arguments: RefArguments, strip: StripState) -> None:
        """Take the text of a ``<ref>``, unless there is one; it must then be the same.

        Texts are compared with what ``strip`` has put aside for them.
        """
        self.problem = self.problem or arguments.problem
        text = arguments.content
        if text is not None and not self.pieces:
            self.pieces, self.direction = [text], arguments.direction
        elif self.problem is None:
            self.problem = self._contradiction(arguments, strip)

    def extend(self, arguments: RefArguments) -> None:
        """Take the text of a ``<ref>`` as the end of this one's."""
        self.problem = self.problem or arguments.problem
        self.pieces = self.pieces or [""]
        self.pieces.append(arguments.content or "")

    def detail(self, text: str, serial: int) -> Footnote:
        """The footnote that tells so much more of this one; a new one gets the serial."""
        found = self.details.get(text)
        if found is None:
            number = len(self.details) + 1
            found = Footnote(serial, self.group, "", number, whole=self, pieces=[text])
            self.details[text] = found
        return found

    def snapshot(self) -> Callable[[], None]:
        """What brings back the state of now."""
        direction, uses, problem = self.direction, self.uses, self.problem
        pieces, details = len(self.pieces), len(self.details)

        def undo() -> None:
            self.direction, self.uses, self.problem = direction, uses, problem
            del self.pieces[pieces:]
            while len(self.details) > details:
                self.details.popitem()

        return undo

    def _contradiction(self, arguments: RefArguments, strip: StripState) -> Problem | None:
        text, direction = arguments.content, arguments.direction
        if text is not None and not self._says(text, strip):
            return Problem.of("cite_error_ref_duplicate_key", self.name)
        if direction and self.pieces and self.direction not in ("", direction):
            return Problem.of("cite_error_ref_conflicting_dir", self.name)
        return None

    def _says(self, text: str, strip: StripState) -> bool:
        known = self.text or ""
        return text == known or strip.unstrip_both(text) == strip.unstrip_both(known)


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


NAME = "cite"


@dataclass(frozen=True, slots=True)
class Settings:
    """How lists of references look."""

    responsive: bool = True
    """Whether a list of references is wrapped, and a long one set in columns."""
    responsive_threshold: int = 10
    """A list of more footnotes than this is long."""
    sub_references: bool = False
    """Whether ``<ref details="...">`` makes a footnote that tells details of another."""

    @classmethod
    def of(cls, site: Site) -> Settings:
        """The settings of a wiki.

        Raises:
            ConfigError: a setting is unknown or of the wrong type.
        """
        given = site.config.extensions.get(NAME, {})
        for name, value in given.items():
            cls._check(name, value)
        return cls(**given)

    @classmethod
    def _check(cls, name: str, value: Any) -> None:
        kind = type(getattr(cls(), name, None)) if name in cls.__slots__ else None
        if type(value) is not kind:
            raise ConfigError(f"extensions.{NAME}.{name}: no such setting, or no value for it")
