"""The tags ``<ref>`` and ``<references>``.

A ``<ref>`` is read (`arguments`) and makes or uses a footnote (`footnotes`), whose mark is put into
the text; ``<references>``, or else the end of the page, shows the list (`rendering`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wikiapi.errors import ConfigError
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    PREFIX,
    Expansion,
    ExtensionTag,
    ParseState,
    PluginState,
    TagCall,
    escape_text,
    parse_fragment,
    trim,
)
from wikiapi_plugins.extensions.cite.arguments import (
    Problem,
    RefArguments,
    contains_open_ref,
    is_numeric,
    problem_html,
    read_ref,
    references_problem,
)
from wikiapi_plugins.extensions.cite.footnotes import DEFAULT_GROUP, FootnoteStack
from wikiapi_plugins.extensions.cite.parsoid import ParsoidNotes
from wikiapi_plugins.extensions.cite.rendering import FootnoteRenderer, ParsoidRenderer

NAME = "cite"
_MODULE = "ext.cite.ux-enhancements"
_STYLES = "ext.cite.styles"
_PREVIEW = "cite_section_preview_references"
_REF_MARKER = f"{PREFIX}-ref-"
_LIST_MARKER = f"{PREFIX}-references-"
_FOOTNOTE_BYTES = 1500
"""Approximate memory of a footnote and its mark besides their texts."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The appearance of lists of references."""

    responsive: bool = True
    """Whether a list of references is wrapped, and a long one set in columns."""
    responsive_threshold: int = 10
    """The number of footnotes above which a list is long."""
    sub_references: bool = False
    """Whether ``<ref details="...">`` adds details to another footnote."""

    @classmethod
    def of(cls, site: Wiki) -> Settings:
        """Return the settings of a wiki.

        Raises:
            ConfigError: a setting is unknown or of the wrong type.
        """
        settings = site.config.extensions.get(NAME, {})
        for name, value in settings.items():
            expected = type(getattr(cls(), name)) if name in cls.__slots__ else None
            if type(value) is not expected:
                raise ConfigError(
                    f"extensions.{NAME}.{name}: unknown setting, or a value of the wrong type"
                )
        return cls(**settings)


class Citations:
    """The footnotes of one rendering, which its tags share."""

    def __init__(self, state: ParseState) -> None:
        """Begin without footnotes."""
        self._state = state
        self._settings = Settings.of(state.site)
        self._stack = FootnoteStack(state.strip)
        has_details = self._settings.sub_references
        self._parsoid = None
        if state.options.parsoid and not has_details:
            self._parsoid = ParsoidNotes(state, self._settings.responsive_threshold)
        self._renderer = (ParsoidRenderer if state.options.parsoid else FootnoteRenderer)(state)
        self._list_group: str | None = None
        """The group of the list being read, whose content defines footnotes; ``None`` outside."""
        self._list_problems: list[Problem] = []

    @classmethod
    def begin(cls, state: ParseState) -> Citations:
        """Return citations that add lists at the end of the page for footnotes not yet shown."""
        citations = cls(state)
        state.page_footers.append(citations._page_footer)
        return citations

    def ref(self, call: TagCall) -> str | Expansion:
        """Return the mark of a footnote; within ``<references>``, define one and return nothing."""
        output = self._state.output
        output.modules.setdefault(_MODULE)
        output.module_styles.setdefault(_STYLES)
        if self._parsoid:
            return self._parsoid.ref(call)
        arguments = read_ref(call.attributes, call.inner, has_details=self._settings.sub_references)
        if self._list_group is not None:
            self._define(arguments, self._list_group)
            return ""
        problem = _ref_problem(arguments)
        if problem:
            self._stack.push_invalid()
            return problem_html(arguments.problem or problem, self._state)
        note = self._stack.push(arguments)
        return self._renderer.mark(note, arguments) if note else ""

    def _define(self, arguments: RefArguments, group: str) -> None:
        """Set the text of a footnote by a ``<ref>`` inside the list of a group."""
        note = self._stack.find(group, arguments.name) if arguments.name else None
        problem = _definition_problem(arguments, group, has_note=note is not None)
        if note and (problem is None or (problem.key == _OTHER_GROUP and arguments.content)):
            added = () if problem is None else (problem,)
            self._stack.define(note, replace(arguments, problems=(*arguments.problems, *added)))
        elif problem:
            self._list_problems.append(arguments.problem or problem)

    def references(self, call: TagCall) -> str:
        """Return the list of a group and the problems of the tag's content.

        A list within a list is returned as its source.
        """
        if self._parsoid:
            return self._parsoid.references(call)
        if self._list_group is not None:
            return escape_text(f"<references>{call.inner or ''}</references>")
        group = self._list_group = trim(call.attributes.get("group", DEFAULT_GROUP))
        self._list_problems = []
        try:
            problem = references_problem(call.attributes)
            text = call.inner or ""
            if _LIST_MARKER in text:
                problem = problem or Problem.of("cite_error_included_references")
            else:
                # The ``<ref>`` tags in ``{{#tag:references}}`` have been expanded already: they are
                # undone and read again as definitions.
                for arguments in self._stack.roll_back(text.count(_REF_MARKER)):
                    self._define(arguments, group)
                if trim(text):
                    parse_fragment(text, self._state.expander.root_frame(), self._state)
            if problem:
                return problem_html(problem, self._state)
            responsive = call.attributes.get("responsive")
            html = self._list(group, responsive=responsive != "0" if responsive else None)
            problems = [problem_html(each, self._state) for each in self._list_problems]
            return html + ("\n" + "<br />\n".join(problems) if problems else "")
        finally:
            self._list_group = None

    def _list(self, group: str, *, responsive: bool | None = None) -> str:
        """Return the list of a group; ``responsive`` defaults to the setting."""
        notes = self._stack.take(group)
        html = self._renderer.list(notes, group)
        is_wrapped = self._settings.responsive if responsive is None else responsive
        if not html or not (is_wrapped or self._state.options.parsoid):
            return html
        is_long = len(notes) > self._settings.responsive_threshold
        columns = " mw-references-columns" if is_long else ""
        return f'<div class="mw-references-wrap{columns}">{html}</div>'

    def _page_footer(self) -> str:
        """Return the lists of the footnotes that no list has shown, or errors for named groups."""
        groups = self._parsoid.groups if self._parsoid else self._stack.groups
        if not groups:
            return ""
        is_preview = self._state.options.section_preview
        pieces = []
        for group in groups:
            if self._parsoid:
                pieces.append(self._parsoid.generated(group))
            elif group == DEFAULT_GROUP or is_preview:
                pieces.append(self._list(group))
            else:
                problem = Problem.of("cite_error_group_refs_without_references", group)
                pieces.append(f"<br />{problem_html(problem, self._state)}")
        html = ("\n" if self._parsoid else "").join(pieces)
        if self._state.sources is not None and not self._parsoid:
            html = self._state.sources.generated(html, "references")
        if is_preview:
            title = self._state.messages.text(_PREVIEW)
            heading = f'<h2 id="mw-ext-cite-{_PREVIEW}_header">{escape_text(title)}</h2>'
            html = f'<div class="mw-ext-cite-{_PREVIEW}">{heading}{html}</div>'
        return f"\n{html}"


_CITATIONS = PluginState(Citations.begin)


_OTHER_GROUP = "cite_error_references_group_mismatch"


def _common_problem(arguments: RefArguments) -> Problem | None:
    """Return why a ``<ref>`` is invalid both in the text and in a list, if it is."""
    if is_numeric(arguments.follow):
        return Problem.of("cite_error_ref_numeric_key")
    if arguments.follow and (arguments.name or arguments.details):
        return Problem.of("cite_error_ref_follow_conflicts")
    return None


def _ref_problem(arguments: RefArguments) -> Problem | None:
    """Return why a ``<ref>`` in the text makes no footnote, if it makes none."""
    if problem := _common_problem(arguments):
        return problem
    if not arguments.name and arguments.text is None:
        return Problem.of("cite_error_ref_no_key")
    if not arguments.name and arguments.content is None:
        return Problem.of("cite_error_ref_no_input")
    if contains_open_ref(arguments.text or ""):
        return Problem.of("cite_error_included_ref")
    return None


def _definition_problem(arguments: RefArguments, group: str, *, has_note: bool) -> Problem | None:
    """Return what is wrong with a ``<ref>`` in a list.

    One of another group is wrong, but still sets the text of a footnote.
    """
    if problem := _common_problem(arguments):
        return problem
    if arguments.group not in (None, group):
        return Problem.of(_OTHER_GROUP, arguments.group or "")
    if not arguments.name:
        return Problem.of("cite_error_references_no_key")
    if arguments.details:
        return Problem.of("cite_error_details_unsupported_context", arguments.name)
    if arguments.content is None:
        return Problem.of("cite_error_empty_references_define", arguments.name, group)
    if not has_note:
        return Problem.of("cite_error_references_missing_key", arguments.name)
    return None


def ref(call: TagCall) -> str | Expansion:
    """Return the HTML of a ``<ref>``."""
    call.state.expander.note_volatile()
    call.state.budget.keep(_FOOTNOTE_BYTES)
    return call.state.plugin(_CITATIONS).ref(call)


def references(call: TagCall) -> str:
    """Return the HTML of a ``<references>``."""
    call.state.expander.note_volatile()
    return call.state.plugin(_CITATIONS).references(call)


REF = ExtensionTag("ref", ref)
REFERENCES = ExtensionTag("references", references)
