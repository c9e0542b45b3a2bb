"""The expander: walks a tree and replaces every node by text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from wikiapi.budget import Budget
from wikiapi.texts import trim
from wikiapi.title.title import Title
from wikiapi.wikitext.block.headings import Headings
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.html.attributes import decode_attributes
from wikiapi.wikitext.limits import Usage
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagemessages import Notices, PageMessages
from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Content,
    Extension,
    Heading,
    Ignored,
    Part,
    Template,
)
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor

_EXCEEDED = {
    "depth": ("Expansion depth limit exceeded", "expansion-depth-exceeded-category"),
    "nodes": ("Node-count limit exceeded", "node-count-exceeded-category"),
}
_ARGUMENT_OMITTED = "<!-- WARNING: argument omitted, expansion size too large -->"
_TEMPLATE_OMITTED = "<!-- WARNING: template omitted, post-expand include size too large -->"
_NODES_AT_ONCE = 256
"""Number of nodes after which they are charged to the request's budget."""


class Expander(ABC):
    """Expands trees for one rendering: texts, arguments, headings, comments.

    What a call in double braces or a tag stands for, a subclass finds.
    """

    def __init__(
        self,
        title: Title,
        options: ParserOptions,
        preprocessor: Preprocessor,
        budget: Budget,
        usage: Usage,
        strip: StripState,
        headings: Headings,
        output: ParserOutput,
        notices: Notices,
        messages: PageMessages,
    ) -> None:
        """Take the parts of the rendering of the page ``title``."""
        self._title = title
        self._preprocessor = preprocessor
        self._budget = budget
        self._usage = usage
        self._strip = strip
        self._headings = headings
        self._output = output
        self._notices = notices
        self._messages = messages
        self._target = options.target
        self._is_saved = self._target is Target.SAVED
        self._keeps_comments = self._is_saved or (
            self._target is Target.WIKITEXT and not options.remove_comments
        )
        self._trees: set[tuple[str, bool]] = set()
        """Texts whose trees have been charged, each with whether it is transcluded."""
        self._expanded: dict[tuple[int, str], str] = {}
        """Expanded texts of templates that were called without arguments, by title."""
        self._place_dependent = 0
        """Counts results that must not be reused for another call of the same template."""
        self._handlers: dict[type, Callable[..., str]] = {
            Template: self._template,
            Argument: self._argument,
            Extension: self._extension,
            Heading: self._heading,
            Comment: self._comment,
            Ignored: self._ignored,
        }

    def tree(self, text: str, *, inclusion: bool = False) -> Content:
        """Return the tree of a text as a page or, with ``inclusion``, as it is transcluded.

        Its memory counts as used until the end of the rendering, even if it is in a cache, so that
        the state of the cache makes no difference.
        """
        tree = self._preprocessor.read(text, inclusion=inclusion)
        if tree.size and (key := (text, inclusion)) not in self._trees:
            self._trees.add(key)
            self._budget.keep(tree.size)
        return tree.content

    def root_frame(self) -> Frame:
        """Return the frame for text of the page itself."""
        return Frame(self, self._title)

    def expand_text(self, text: str, frame: Frame) -> str:
        """Return wikitext with templates expanded and extension tags replaced by strip markers."""
        return self.expand(self.tree(text), frame)

    def expand_page(self, content: Content) -> str:
        """Return the expanded text of the page's own tree."""
        return self.expand(content, self.root_frame())

    def expand_content(self, text: str, frame: Frame) -> str:
        """Return the expanded content of a tag that parses it as a part of the page."""
        return self.expand_text(text, frame)

    def expand(self, content: Content, frame: Frame) -> str:
        """Return the expanded text of a tree in a frame."""
        if not content:
            return ""
        exceeded = self._usage.enter()
        if exceeded:
            notices = self._notices
            self.note_place_dependent()
            text, category = _EXCEEDED[exceeded]
            notices.add_tracking_category(category)
            notices.warn(category.replace("exceeded-category", "exceeded-warning"))
            return f'<span class="error">{text}</span>'
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
        """Return the expanded text of an argument, or of its name, without comments."""
        if self._keeps_comments:
            content = tuple(node for node in content if not isinstance(node, Comment))
        return self.expand(content, frame)

    def expand_part(self, part: Part, frame: Frame) -> str:
        """Return the expanded text of an argument, with its name if it has one: ``name=value``."""
        if part.name is None:
            return self.expand(part.value, frame)
        # The name is expanded first, since the value may depend on its side effects.
        return f"{self.expand(part.name, frame)}={self.expand(part.value, frame)}"

    def expand_without_arguments(self, title: Title, tree: Content, frame: Frame) -> str:
        """Return the text of a template called without arguments; reuse it if possible."""
        text = self._expanded.get(title.key)
        if text is None:
            before = self._place_dependent
            text = self.expand(tree, frame.child(title, ()))
            if self._place_dependent == before:
                self._expanded[title.key] = text
        return text

    def note_place_dependent(self) -> None:
        """Record that the current text may expand to something else elsewhere in the page."""
        self._place_dependent += 1

    def note_volatile(self) -> None:
        """Record that a function or tag may return another text each time it is called."""
        self._place_dependent += 1
        self._output.volatile = True

    def literal(
        self, opening: str, title: str, parts: tuple[Part, ...], closing: str, frame: Frame
    ) -> str:
        """Return the text of a call that is left as it is, apart from calls within it."""
        texts = [title, *(self.expand_part(part, frame) for part in parts)]
        return f"{opening}{'|'.join(texts)}{closing}"

    def note_duplicate_argument(self, frame: Frame, name: str) -> None:
        """Warn that an argument was given twice to the template of this frame."""
        notices = self._notices
        notices.add_tracking_category("duplicate-args-category")
        outer = frame.parent.title.prefixed_text if frame.parent else ""
        notices.warn("duplicate-args-warning", outer, frame.title.prefixed_text, name)

    def note_omitted_text(self) -> str:
        """Warn that the limit of included text is exceeded; return a comment to show instead."""
        notices = self._notices
        notices.add_tracking_category("post-expand-template-inclusion-category")
        notices.warn("post-expand-template-inclusion-warning")
        return self._strip.add_general(_TEMPLATE_OMITTED, "warning")

    def loop_error(self, title: Title) -> str:
        """Return the error shown in place of a template that includes itself, and add a warning."""
        notices = self._notices
        self.note_place_dependent()
        notices.add_tracking_category("template-loop-category")
        notices.warn("template-loop-warning", title.prefixed_text)
        return self._messages.error("parser-template-loop-warning", title.prefixed_text)

    @abstractmethod
    def call_tag(self, name: str, attributes: dict[str, str], node: Extension, frame: Frame) -> str:
        """Call the tag's function and return a strip marker for its result."""

    # Each of these returns the text for one type of node

    @abstractmethod
    def _template(self, node: Template, frame: Frame) -> str:
        """Return the text of a call in double braces."""

    def _argument(self, node: Argument, frame: Frame) -> str:
        title = self.expand(node.title, frame)
        text = frame.argument(trim(title))
        if text is None:
            if node.parts and (frame.parent or not self._is_saved):
                return self.expand_part(node.parts[0], frame)
            return self.literal("{{{", title, node.parts, "}}}", frame)
        if not self._usage.argument(text):
            self._notices.add_tracking_category("post-expand-template-argument-category")
            self._notices.warn("post-expand-template-argument-warning")
            return self._strip.add_general(_ARGUMENT_OMITTED, "warning")
        return text

    def _extension(self, node: Extension, frame: Frame) -> str:
        return self.call_tag(node.name.lower(), decode_attributes(node.attributes), node, frame)

    def _heading(self, node: Heading, frame: Frame) -> str:
        text = self.expand(node.content, frame)
        if self._target in (Target.WIKITEXT, Target.SAVED) or not node.certain:
            return text
        marker = self._headings.mark(frame.title, node)
        level = node.level
        return f"{text[:level]}{marker}{text[level:]}" if text.startswith("=") else text

    def _comment(self, node: Comment, _: Frame) -> str:
        """Return a comment if it is kept; the pre-save transform must not change it further."""
        if self._is_saved:
            return self._strip.add_general(node.text, "comment")
        return node.text if self._keeps_comments else ""

    def _ignored(self, node: Ignored, frame: Frame) -> str:
        """Return include tags of a page that is saved, but not those of substituted pages."""
        return node.text if self._is_saved and not frame.parent else ""
