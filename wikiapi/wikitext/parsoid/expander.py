"""An expander that marks the results of calls and tags in the page's source.

Only calls in the text of the page itself and in the content of its tags are marked; those within
templates and arguments are part of the call around them. Tags are marked wherever they occur, since
strip markers stand for their HTML anyway.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from wikiapi.texts import trim
from wikiapi.title.namespaces import SPECIAL
from wikiapi.wikitext.declarations import Expansion, ParserFunction, Variable
from wikiapi.wikitext.expand.calls import Call, CallExpander, Modifiers
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.expand.strip import MARKER, StripState
from wikiapi.wikitext.parsoid.elements import include_element
from wikiapi.wikitext.parsoid.entities import nowiki_element, without_entities
from wikiapi.wikitext.parsoid.marks import without_marks
from wikiapi.wikitext.parsoid.sources import (
    CallSource,
    Level,
    Sources,
    TagSource,
    around_html,
    local_href,
    source_of,
)
from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Content,
    Extension,
    Ignored,
    Template,
)
from wikiapi.wikitext.registries import WikitextRegistries
from wikiapi.wikitext.state import ParseState

_CHARACTERS_IN_STEP = 4096
_INCLUDE_TAG = re.compile(r"<(/?)(\w+)")
_INCLUDE_END = re.compile(r"</\w++\s*+>\Z")
_INCLUDE_TYPES = MappingProxyType(
    {"noinclude": "NoInclude", "includeonly": "IncludeOnly", "onlyinclude": "OnlyInclude"}
)


class MarkingExpander(CallExpander):
    """Expands trees for one rendering, and puts marks around the results."""

    def __init__(
        self,
        state: ParseState,
        registries: WikitextRegistries,
        modifiers: Modifiers,
        sources: Sources,
    ) -> None:
        """Create the expander of a rendering, which adds to ``sources``."""
        super().__init__(state, registries, modifiers)
        self._sources = sources
        self._marking = self._handlers
        self._plain: dict[type, Callable[..., str]] = {
            **self._handlers,
            Template: super()._template,
            Argument: super()._argument,
            Comment: super()._comment,
            Ignored: super()._ignored,
        }
        """Handlers for nodes within calls. Calling the base class directly saves stack depth."""
        self._level: Level | None = None
        """The text whose calls are marked; ``None`` while the inside of a call is expanded."""
        self._handlers = self._plain
        self._is_in_call = False
        """Whether a call that is marked is being expanded."""
        self._tag_level: Level | None = None
        """The text that contains the tag being expanded."""
        self._tags: dict[str, str] = {}
        """Tags as they were written, by the strip markers for their results."""
        self._node: Extension | None = None
        """The tag being expanded, as it is in the text."""

    def expand_page(self, content: Content) -> str:
        """Return the expanded text of the page's own tree."""
        return self._marked(Level(content, is_page=True, start=0), self.root_frame())

    def expand_content(self, text: str, frame: Frame) -> str:
        """Return the expanded content of a tag; calls in it are marked as those around the tag."""
        if frame.parent is not None:
            return super().expand_content(text, frame)
        is_in_call, self._is_in_call = self._is_in_call, False
        try:
            return self._marked(Level(self.tree(text), start=self._start_of(text)), frame)
        finally:
            self._is_in_call = is_in_call

    def _start_of(self, text: str) -> int | None:
        """Return the position in the page of a text that is the content of the tag being called."""
        node, level = self._node, self._tag_level
        if node is None or level is None or text != node.inner:
            return None
        span = level.page_range(node)
        return None if span is None else span.start + len(node.opening.encode())

    def _marked(self, level: Level, frame: Frame) -> str:
        around = self._level
        self._enter(level)
        try:
            return self.expand(level.content, frame)
        finally:
            self._enter(around)

    def _enter(self, level: Level | None) -> None:
        """From now on, mark the calls of ``level``, or no calls if it is ``None``."""
        self._level = level
        self._handlers = self._plain if level is None else self._marking

    def _template(self, node: Template, frame: Frame) -> str:
        level = self._level
        serial = self._serial_of(node, level)
        if serial is None:
            self._enter(None)
            try:
                return super()._template(node, frame)
            finally:
                self._enter(level)
        title = self.expand(node.title, frame)
        plain = without_marks(title)
        call = Call(self, node, frame)
        self._enter(None)
        is_in_call, self._is_in_call = self._is_in_call, True
        try:
            text = call.text(plain)
            if text is not None:
                source = self._source_of_call(call, node, trim(plain))
            elif source_of_text := self._source_of_text(trim(plain), node):
                source = source_of_text
                text = self.literal("{{", plain, node.parts, "}}", frame)
        finally:
            self._enter(level)
            self._is_in_call = is_in_call
        if text is None:
            return self.literal("{{", title, node.parts, "}}", frame)
        return text if level is None else self._around(text, source, level, serial)

    def _serial_of(self, node: Template, level: Level | None) -> int | None:
        """Return the serial number of a call; ``None`` if the call is not marked."""
        serial = None
        if self._sources.has_reserved and level is not None and not level.is_page:
            source = source_of((node,))
            self._budget.step(1 + len(source) // _CHARACTERS_IN_STEP)
            serial = self._sources.take_reserved(source)
        if serial is None and (level is None or level.is_page):
            serial = self._sources.next_serial()
        return serial

    def _source_of_text(self, name: str, node: Template) -> CallSource | None:
        """Return what a call that is shown as it is would be, or ``None`` if no call is like it."""
        if name.startswith("#"):
            return CallSource(node, function=name[1:].partition(":")[0].rstrip().lower())
        title = self.state.templates.title(name)
        return CallSource(node, href=local_href(title)) if title else None

    def _source_of_call(self, call: Call, node: Template, written: str) -> CallSource:
        """Return the source for a call, whose name may be ``written`` with modifiers."""
        named, begins_line = call.named, call.begins_line
        if isinstance(named, Variable | ParserFunction):
            function = named.name.lower().removeprefix("#")
            return CallSource(node, function=function, begins_line=begins_line)
        title = self.state.templates.title(written) if call.as_source else named
        if title and title.ns == SPECIAL:
            title = replace(title, dbkey=self.state.site.special_pages.local_name(title.dbkey))
        href = local_href(title) if title else ""
        if title and title.fragment:
            href += f"#{title.fragment}"
        return CallSource(node, href=href, title=title, begins_line=begins_line)

    def _argument(self, node: Argument, frame: Frame) -> str:
        level = self._level
        serial = self._sources.next_serial()
        self._enter(None)
        try:
            text = super()._argument(node, frame)
        finally:
            self._enter(level)
        return text if level is None else self._around(text, CallSource(node), level, serial)

    def _around(self, text: str, source: CallSource, level: Level, serial: int) -> str:
        number = self._sources.add(source, level, serial)
        self._budget.keep(len(source.node.parts))
        return self._sources.around(text, number)

    def _comment(self, node: Comment, frame: Frame) -> str:
        text = node.text.strip().removeprefix("<!--").removesuffix("-->")
        escaped = text.replace("&", "&amp;").replace(">", "&gt;").replace("-", "&#x2D;")
        return self._sources.element(f"<!--{escaped}-->")

    def _ignored(self, node: Ignored, _: Frame) -> str:
        """Return elements for an include tag, or for a part that is not shown with its tags."""
        match = _INCLUDE_TAG.match(node.text)
        name = _INCLUDE_TYPES.get(match[2].lower()) if match else None
        if match is None or name is None:
            return ""
        if name != "IncludeOnly":
            return self._sources.element(include_element(name, is_end=bool(match[1])))
        if match[1]:
            return ""
        html = include_element(name, source=node.text)
        if _INCLUDE_END.search(node.text):
            html += include_element(name, is_end=True)
        self._budget.keep(html)
        return self._sources.element(html)

    def call_tag(self, name: str, attributes: dict[str, str], node: Extension, frame: Frame) -> str:
        """Return the strip marker for a tag's result, which includes the tag's marks."""
        level, tag_level, tag, around = self._level, self._tag_level, self._sources.tag, self._node
        if level is not None and node.inner and "{{" in node.inner:
            declared = self.registries.tags.get(name)
            if declared is not None and not declared.is_verbatim:
                self._sources.reserve(self.tree(node.inner))
        self._tag_level, self._node = level, node
        self._enter(None)
        # The texts that {{#tag:}} passes are already expanded.
        plain = {key: StripState.kill(value) for key, value in attributes.items()}
        inner = None if node.inner is None else self._written(node.inner)
        self._sources.tag = TagSource(
            name, plain, inner, node=node, level=level, is_in_call=self._is_in_call
        )
        try:
            return super().call_tag(name, attributes, node, frame)
        finally:
            self._tag_level, self._sources.tag, self._node = tag_level, tag, around
            self._enter(level)

    def _written(self, text: str) -> str:
        """Return a text with its tags as they were written, which have been called already."""
        if "\x7f" not in text:
            return text
        return MARKER.sub(lambda match: self._tags.get(match[0], ""), text)

    def strip_result(self, result: str | Expansion, name: str) -> str:
        """Return a strip marker for the result of a tag, or the result if it is wikitext."""
        marked = self._stripped(result, name)
        if self._node is not None and MARKER.fullmatch(marked):
            written = self._written(self._node.source)
            self._budget.keep(written)
            self._tags[marked] = written
        return marked

    def _stripped(self, result: str | Expansion, name: str) -> str:
        level, tag = self._tag_level, self._sources.tag
        if tag is None:
            return super().strip_result(result, name)
        if isinstance(result, str) or result.html:
            number = self._sources.add(tag, level, self._sources.serial_of(tag))
            if isinstance(result, str):
                return super().strip_result(around_html(result, number), name)
            marked = replace(result, text=around_html(result.text, number))
            return super().strip_result(marked, name)
        if tag.name == "nowiki":
            # In the content of a call of the tag, other tags have been called already.
            inner = self.state.strip.unstrip_nowiki(self._node.inner or "") if self._node else ""
            html = nowiki_element(
                without_entities(without_marks(inner)), has_entities=level is not None
            )
            return super().strip_result(replace(result, text=html), name)
        if level is None:
            return super().strip_result(result, name)
        number = self._sources.add(tag, level, self._sources.serial_of(tag))
        return self._sources.around(super().strip_result(result, name), number)
