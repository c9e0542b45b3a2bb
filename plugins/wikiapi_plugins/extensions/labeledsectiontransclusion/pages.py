"""The page of which a function transcludes parts."""

from __future__ import annotations

from dataclasses import dataclass

from wikiapi.title import MAIN, Title
from wikiapi.title.subpages import resolve_subpage
from wikiapi.wikitext import Frame, FunctionCall
from wikiapi.wikitext.preprocess.nodes import Content

_CHARACTERS_IN_STEP = 4096
NO_SECTION = "lst-invalid-section-category"
"""The message that names the category of pages that transclude missing sections."""


@dataclass(frozen=True, slots=True)
class Source:
    """A page with its text, and the frame in which the text is expanded."""

    title: Title
    text: str
    frame: Frame

    def expanded(self, call: FunctionCall, content: Content) -> str:
        """Return the expansion of a part of the page's tree."""
        state = call.state
        with state.profile.measure(self.title.prefixed_text):
            return state.expander.expand(content, self.frame)


def source_of(call: FunctionCall) -> Source | str:
    """Return the page that the first argument names, or the text to show instead.

    That text is a link if the page does not exist, and an error if pages include each other.
    """
    state, frame, expander = call.state, call.frame, call.state.expander
    title = _named(call)
    if title is None:
        return ""
    limit = state.usage.ceilings.expansion_depth
    if frame.depth >= limit:
        expander.note_place_dependent()
        return state.messages.error("parser-template-recursion-depth-warning", limit)
    if title.namespace.is_virtual or title.namespace.nonincludable:
        return f"[[:{title.prefixed_text}]]"
    if frame.is_active(title):
        return _loop(call, title)
    found, text = expander.find_template(title, frame)
    if text is None and found.key != title.key:
        # The target of a redirect does not exist: use the text of the redirect itself.
        text = expander.template_text(title, frame)
    if text is None:
        return f"[[:{title.prefixed_text}]]"
    if frame.is_active(text.title):
        return _loop(call, text.title)
    # Each call searches the whole page for its section.
    state.budget.step(len(text.text) // _CHARACTERS_IN_STEP)
    return Source(text.title, text.text, frame.child(text.title, ()))


def _loop(call: FunctionCall, title: Title) -> str:
    """Return the error message for a page that includes itself."""
    call.state.expander.note_place_dependent()
    return call.state.messages.error("parser-template-loop-warning", title.prefixed_text)


def _named(call: FunctionCall) -> Title | None:
    """Return the title in the first argument, or ``None`` if it is no page of this wiki."""
    name = call.first
    if name.startswith(("/", "../")):
        resolved = resolve_subpage(call.title, name)
        name = resolved[0] if resolved else name
    title = call.site.titles.try_parse(name, MAIN)
    return title if title and title.dbkey and not title.interwiki else None
