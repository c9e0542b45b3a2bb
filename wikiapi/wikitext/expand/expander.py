"""The expander: walks a tree and puts text in place of every node."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from wikiapi.title.namespaces import MAIN, MEDIAWIKI, SPECIAL, TEMPLATE
from wikiapi.title.specialpages import shown_name
from wikiapi.title.title import Title
from wikiapi.wikitext.declarations import Expansion
from wikiapi.wikitext.expand.call import FunctionCall, SpecialCall, TagCall
from wikiapi.wikitext.expand.escape import escape_wikitext
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi.wikitext.html.attributes import decode_attributes
from wikiapi.wikitext.options import Target
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
from wikiapi.wikitext.subpages import resolve_subpage
from wikiapi.wikitext.whitespace import trim

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState


_EXCEEDED = {
    "depth": ("Expansion depth limit exceeded", "expansion-depth-exceeded-category"),
    "nodes": ("Node-count limit exceeded", "node-count-exceeded-category"),
}
_ARGUMENT_OMITTED = "<!-- WARNING: argument omitted, expansion size too large -->"
_NODES_AT_ONCE = 256
"""Nodes are drawn from the request's budget so many at a time."""


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


def expand_special(
    expander: Expander, title: Title, node: Template, frame: Frame
) -> Expansion | None:
    """What a special page shows; ``None`` where it is none to be shown within another page.

    It changes without the page being edited, so nothing that holds it may be kept.
    """
    state = expander.state
    if state.options.target not in (Target.HTML, Target.LINKS):
        return None
    name, _, subpage = shown_name(title.text).partition("/")
    page = state.registries.special_pages.get(name)
    if page is None:
        return None
    state.output.expire_after(0)
    options = frame.child(title, node.parts).arguments()
    return Expansion(page.function(SpecialCall(subpage, options, frame, state)), html=True)


def expand_extension(expander: Expander, node: Extension, frame: Frame) -> str:
    """The marker that stands for a tag; without a plugin for it, the tag as it is."""
    attributes = decode_attributes(node.attributes)
    return call_tag(expander, node.name.lower(), attributes, node, frame)


def call_tag(
    expander: Expander,
    name: str,
    attributes: dict[str, str],
    node: Extension,
    frame: Frame,
) -> str:
    """Call a tag with attributes that are read already."""
    state = expander.state
    state.draw(node.inner)
    if state.options.target in (Target.WIKITEXT, Target.SAVED):
        return state.strip.add_general(node.source, name)
    tag = state.registries.tags.get(name)
    if tag is None:
        return state.strip.add_general(node.source, name)
    call = TagCall(name, attributes, node.inner, frame, state, node.source)
    return kept_aside(tag.function(call), expander, name)


def kept_aside(result: str | Expansion, expander: Expander, name: str) -> str:
    """A tag's answer as it goes back into the wikitext."""
    strip = expander.state.strip
    if isinstance(result, str):
        return strip.add_general(result, name)
    if result.nowiki:
        return strip.add_nowiki(result.text, name)
    return strip.add_general(result.text, name) if result.html else result.text


_BLOCK_START = re.compile(r"(?:\{\||:|;|#|\*)")
_SUBST = re.compile(r"(subst|safesubst):", re.IGNORECASE)
_MODIFIER = re.compile(r"(?:(msgnw):|msg:)?(?:raw:)?", re.IGNORECASE)
_TOO_LARGE = "<!-- WARNING: template omitted, post-expand include size too large -->"
_MAX_REDIRECTS = 2


def expand_template(expander: Expander, node: Template, frame: Frame) -> str:
    """The text that stands in place of a call; the call itself if nothing answers it."""
    expander.state.budget.step()
    title = expander.expand(node.title, frame)
    name = trim(title)
    subst = _SUBST.match(name)
    found = None
    if _is_answered(subst, expander.state):
        name = trim(name[subst.end() :]) if subst else name
        found = _resolved(expander, name, node, frame)
    if found is None:
        return expander.literal("{{", title, node.parts, "}}", frame)
    return _included(expander.state, found, name)


def _is_answered(subst: re.Match[str] | None, state: ParseState) -> bool:
    """Saving a page answers only what is to be substituted, anything else all but that."""
    if state.options.target is Target.SAVED:
        return subst is not None
    return subst is None or subst[1].lower() == "safesubst"


def _resolved(expander: Expander, name: str, node: Template, frame: Frame) -> str | None:
    state = expander.state
    found: str | Expansion | None = None
    if not node.parts and (variable := state.registries.variable(name)):
        found = state.variable(variable)
    modifier = None
    if found is None:
        modifier = _MODIFIER.match(name)
        name = trim(name[modifier.end() :]) if modifier else name
        found = _function(name, node, frame, state)
    as_source = bool(modifier and modifier[1])
    if found is None:
        found = _transcluded(expander, name, node, frame, as_source=as_source)
    if found is None:
        return None
    return _in_place(found, node, expander, frame, as_source=as_source)


def _function(name: str, node: Template, frame: Frame, state: ParseState) -> str | Expansion | None:
    prefix, colon, rest = name.partition(":")
    function = state.registries.function(prefix) if colon else None
    if function is None:
        return None
    state.draw()
    call = FunctionCall(prefix, trim(rest), node.parts, frame, state)
    if not function.raw:
        _ = call.args
    return function.function(call)


def _in_place(
    found: str | Expansion, node: Template, expander: Expander, frame: Frame, *, as_source: bool
) -> str:
    """A result as it goes into the text around the call."""
    state = expander.state
    if isinstance(found, Expansion):
        if found.html:
            return state.strip.add_general(found.text, "item")
        if found.nowiki:
            return state.nowiki(found.text)
        text = _preprocessed(found, node, expander, frame)
    else:
        text = found
    if as_source and state.options.target is not Target.SAVED:
        return escape_wikitext(text)
    if not node.at_line_start and _BLOCK_START.match(text):
        return "\n" + text
    return text


def _preprocessed(found: Expansion, node: Template, expander: Expander, frame: Frame) -> str:
    if not found.preprocess:
        return found.text
    tree = expander.state.tree(found.text)
    child = frame.child(frame.title, node.parts)
    if found.source:
        child.active |= {found.source}
    return expander.expand(tree, child)


def _included(state: ParseState, text: str, name: str) -> str:
    if state.usage.include(text):
        return text
    state.add_tracking_category("post-expand-template-inclusion-category")
    state.warn("post-expand-template-inclusion-warning")
    title = _target(state, name)
    shown = title.prefixed_text if title else name.removeprefix(":")
    return f"[[:{shown}]]" + state.strip.add_general(_TOO_LARGE, "warning")


def _target(state: ParseState, name: str) -> Title | None:
    """The page that a name transcludes; ``None`` also for a page of another wiki."""
    if name.startswith(("/", "../")):
        resolved = resolve_subpage(state.title, name)
        if resolved is not None:
            return state.site.titles.try_parse(resolved[0], MAIN)
    title = state.site.titles.try_parse(name, TEMPLATE)
    return title if title and title.dbkey and not title.interwiki else None


def _transcluded(
    expander: Expander, name: str, node: Template, frame: Frame, *, as_source: bool
) -> str | Expansion | None:
    state = expander.state
    title = _target(state, name)
    if title is None:
        return None
    limit = state.usage.ceilings.expansion_depth
    if frame.depth >= limit:
        state.note_place_dependent()
        return state.error("parser-template-recursion-depth-warning", limit)
    if title.ns == SPECIAL and (shown := expand_special(expander, title, node, frame)):
        return shown
    if title.namespace.is_virtual or title.namespace.nonincludable:
        return _link(state, title)
    text = _fetched(state, title, frame)
    if frame.is_active(text.title if text else title):
        return loop_error(state, title)
    if text is None:
        return _link(state, title)
    return text.text if as_source else _expanded(expander, text, node, frame)


def _link(state: ParseState, title: Title) -> str | None:
    """What shows for a page that cannot be transcluded; saving leaves the call as it is."""
    return None if state.options.target is Target.SAVED else f"[[:{title.prefixed_text}]]"


def _expanded(expander: Expander, text: TemplateText, node: Template, frame: Frame) -> str:
    state = expander.state
    with state.profile.measure(text.title.prefixed_text):
        tree = state.tree(text.text, inclusion=True)
        if node.parts:
            return expander.expand(tree, frame.child(text.title, node.parts))
        return state.expand_plain(text.title, tree, frame)


def _fetched(state: ParseState, title: Title, frame: Frame) -> TemplateText | None:
    """The text of a template; one redirect is followed, and noted as used on the way."""
    text = None
    for _ in range(_MAX_REDIRECTS):
        text = state.template_text(title, frame)
        if text is None:
            state.output.add_template(title)
            return _built_in(title, state)
        state.output.add_template(title, text.page_id, text.revision_id)
        if text.redirect is None:
            return text
        title = text.redirect
    return text


def _built_in(title: Title, state: ParseState) -> TemplateText | None:
    """A message in our own words, where the wiki has none on the page of that name."""
    if title.ns != MEDIAWIKI:
        return None
    key = title.dbkey[:1].lower() + title.dbkey[1:]
    text = state.parser.messages.template(key, state.site.language)
    return None if text is None else TemplateText(title, 0, 0, text, None)


def loop_error(state: ParseState, title: Title) -> str:
    """What shows in place of a page that is being expanded already; the loop is noted."""
    state.note_place_dependent()
    state.add_tracking_category("template-loop-category")
    state.warn("template-loop-warning", title.prefixed_text)
    return state.error("parser-template-loop-warning", title.prefixed_text)
