"""The expander: walks a tree and puts text in place of every node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.expand.extensions import expand_extension
from wikiapi.wikitext.expand.template import expand_template
from wikiapi.wikitext.expand.text import trim
from wikiapi.wikitext.options import Target
from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Extension,
    Heading,
    Ignored,
    Part,
    Template,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.preprocess.nodes import Content
    from wikiapi.wikitext.state import ParseState

_EXCEEDED = {
    "depth": ("Expansion depth limit exceeded", "expansion-depth-exceeded-category"),
    "nodes": ("Node-count limit exceeded", "node-count-exceeded-category"),
}
_ARGUMENT_OMITTED = "<!-- WARNING: argument omitted, expansion size too large -->"
_NODES_AT_ONCE = 256
"""Nodes are drawn from the request's budget so many at a time."""
_EQUALS = re.compile(r"=+")


class Expander:
    """Expands trees for one rendering."""

    def __init__(self, state: ParseState) -> None:
        """Expand for this rendering."""
        self.state = state
        self._usage = state.usage
        self._budget = state.budget
        self._target = state.options.target
        self._is_saved = self._target is Target.SAVED
        self._keeps_comments = self._is_saved or (
            self._target is Target.WIKITEXT and not state.options.remove_comments
        )
        self._handlers: dict[type, Callable[..., str]] = {
            Template: self._template,
            Argument: self._argument,
            Extension: self._extension,
            Heading: self._heading,
            Comment: self._comment,
            Ignored: self._ignored,
        }

    def expand(self, content: Content, frame: Frame) -> str:
        """The text of a tree in a frame."""
        if not content:
            return ""
        exceeded = self._usage.enter()
        if exceeded:
            return self._refused(exceeded)
        if not self._usage.nodes % _NODES_AT_ONCE:
            self._budget.step(_NODES_AT_ONCE)
        try:
            handlers = self._handlers
            return "".join(
                [
                    node if isinstance(node, str) else handlers[type(node)](node, frame)
                    for node in content
                ]
            )
        finally:
            self._usage.leave()

    def expand_argument(self, content: Content, frame: Frame) -> str:
        """The text of a template's argument, or of its name: comments of its own left out."""
        if self._keeps_comments:
            content = tuple(node for node in content if not isinstance(node, Comment))
        return self.expand(content, frame)

    def expand_part(self, part: Part, frame: Frame) -> str:
        """The text of an argument as it was written, ``name=value``."""
        value = self.expand(part.value, frame)
        return value if part.name is None else f"{self.expand(part.name, frame)}={value}"

    def literal(
        self, opening: str, title: str, parts: tuple[Part, ...], closing: str, frame: Frame
    ) -> str:
        """A call that stays as it is, with what it holds expanded."""
        texts = [title, *(self.expand_part(part, frame) for part in parts)]
        return f"{opening}{'|'.join(texts)}{closing}"

    def note_duplicate_argument(self, frame: Frame, name: str) -> None:
        """An argument was given twice to the template of this frame."""
        self.state.add_tracking_category("duplicate-args-category")
        outer = frame.parent.title.prefixed_text if frame.parent else ""
        self.state.warn("duplicate-args-warning", outer, frame.title.prefixed_text, name)

    def _refused(self, exceeded: str) -> str:
        self.state.note_place_dependent()
        text, category = _EXCEEDED[exceeded]
        self.state.add_tracking_category(category)
        self.state.warn(category.replace("exceeded-category", "exceeded-warning"))
        return f'<span class="error">{text}</span>'

    def _template(self, node: Template, frame: Frame) -> str:
        return expand_template(self, node, frame)

    def _argument(self, node: Argument, frame: Frame) -> str:
        title = self.expand(node.title, frame)
        text = frame.argument(trim(title))
        if text is None:
            if node.parts and (frame.parent or not self._is_saved):
                return self.expand_part(node.parts[0], frame)
            return self.literal("{{{", title, node.parts, "}}}", frame)
        if not self._usage.argument(text):
            self.state.add_tracking_category("post-expand-template-argument-category")
            self.state.warn("post-expand-template-argument-warning")
            return self.state.strip.add_general(_ARGUMENT_OMITTED, "warning")
        return text

    def _extension(self, node: Extension, frame: Frame) -> str:
        return expand_extension(self, node, frame)

    def _heading(self, node: Heading, frame: Frame) -> str:
        text = self.expand(node.content, frame)
        if self._target in (Target.WIKITEXT, Target.SAVED) or not node.certain:
            return text
        marker = self.state.headings.mark(frame.title, node)
        level = node.level
        return f"{text[:level]}{marker}{text[level:]}" if text.startswith("=") else text

    def _comment(self, node: Comment, _: Frame) -> str:
        """A comment that is saved must not be looked into by the rest of the transform."""
        if self._is_saved:
            return self.state.strip.add_general(node.text, "comment")
        return node.text if self._keeps_comments else ""

    def _ignored(self, node: Ignored, frame: Frame) -> str:
        """A page is saved with its include tags; what is substituted into it has none."""
        return node.text if self._is_saved and not frame.parent else ""
