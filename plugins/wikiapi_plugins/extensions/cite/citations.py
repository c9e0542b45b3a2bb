"""The footnotes of one rendering, from the first ``<ref>`` to the list at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.extensions.cite.labels import Labels
from wikiapi_plugins.extensions.cite.listing import listed
from wikiapi_plugins.extensions.cite.problems import Problem, shown_html
from wikiapi_plugins.extensions.cite.settings import NAME, Settings
from wikiapi_plugins.extensions.cite.stack import DEFAULT_GROUP, ReferenceStack

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_MODULE = "ext.cite.ux-enhancements"
_STYLES = "ext.cite.styles"
_PREVIEW = "cite_section_preview_references"


class Citations:
    """What ``<ref>`` and ``<references>`` share."""

    def __init__(self, state: ParseState) -> None:
        """Begin without footnotes."""
        self.state = state
        self.stack = ReferenceStack(state.strip)
        self.labels = Labels(state)
        self.list_group: str | None = None
        """The group of the list that is being made, whose content defines footnotes."""
        self.list_problems: list[Problem] = []
        self.settings = Settings.of(state.site)

    @classmethod
    def of(cls, state: ParseState) -> Citations:
        """The footnotes of a rendering; at its end, what no list has shown is listed."""
        found = state.belongings.get(NAME)
        if not isinstance(found, Citations):
            found = state.belongings[NAME] = cls(state)
            state.append_at_end(found.remaining)
            state.output.modules.setdefault(_MODULE)
            state.output.module_styles.setdefault(_STYLES)
        return found

    def listed(self, group: str, *, responsive: bool | None = None) -> str:
        """The footnotes of a group as HTML; ``responsive`` is as configured if not given."""
        notes = self.stack.take(group)
        html = listed(notes, group, self.labels, self.state)
        if not html or not (self.settings.responsive if responsive is None else responsive):
            return html
        is_long = len(notes) > self.settings.responsive_threshold
        columns = " mw-references-columns" if is_long else ""
        return f'<div class="mw-references-wrap{columns}">{html}</div>'

    def remaining(self) -> str:
        """What stands at the end of the page: footnotes without a list, and groups without one."""
        groups = self.stack.groups
        if not groups:
            return ""
        html = "".join([self._remaining(group) for group in groups])
        return f"\n{self._previewed(html) if self.state.options.section_preview else html}"

    def _remaining(self, group: str) -> str:
        if group == DEFAULT_GROUP or self.state.options.section_preview:
            return self.listed(group)
        problem = Problem.of("cite_error_group_refs_without_references", group)
        return f"<br />{shown_html(problem, self.state)}"

    def _previewed(self, html: str) -> str:
        title = self.state.message(_PREVIEW)
        heading = f'<h2 id="mw-ext-cite-{_PREVIEW}_header">{title}</h2>'
        return f'<div class="mw-ext-cite-{_PREVIEW}">{heading}{html}</div>'
