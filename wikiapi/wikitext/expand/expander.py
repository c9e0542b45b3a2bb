"""The expander: walks a tree and replaces every node by text."""

from __future__ import annotations

import re
from collections.abc import Callable

from wikiapi.title.namespaces import MAIN, MEDIAWIKI, SPECIAL, TEMPLATE
from wikiapi.title.specialpages import shown_name
from wikiapi.title.subpages import resolve_subpage
from wikiapi.title.title import Title
from wikiapi.title.variants import in_variants
from wikiapi.wikitext.declarations import Expansion, Variable
from wikiapi.wikitext.expand.call import FunctionCall, SpecialCall, TagCall
from wikiapi.wikitext.expand.escape import escape_wikitext
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi.wikitext.expand.strip import disarm
from wikiapi.wikitext.failures import plugin_failed
from wikiapi.wikitext.hooks import resolve_template
from wikiapi.wikitext.html.attributes import decode_attributes
from wikiapi.wikitext.html.entities import escape_text
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
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.syntax import trim

_RESULTS = (str, Expansion)
_EXCEEDED = {
    "depth": ("Expansion depth limit exceeded", "expansion-depth-exceeded-category"),
    "nodes": ("Node-count limit exceeded", "node-count-exceeded-category"),
}
_ARGUMENT_OMITTED = "<!-- WARNING: argument omitted, expansion size too large -->"
_NODES_AT_ONCE = 256
"""Number of nodes after which they are charged to the request's budget."""


class Expander:
    """Expands trees for one rendering."""

    def __init__(self, state: ParseState) -> None:
        """Create the expander of a rendering."""
        self.state = state
        self._usage = state.usage
        self._budget = state.budget
        self._target = state.options.target
        self._is_saved = self._target is Target.SAVED
        self._keeps_comments = self._is_saved or (
            self._target is Target.WIKITEXT and not state.options.remove_comments
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
        tree = self.state.parser.preprocessor.read(text, inclusion=inclusion)
        if tree.size and (key := (text, inclusion)) not in self._trees:
            self._trees.add(key)
            self._budget.keep(tree.size)
        return tree.content

    def root_frame(self) -> Frame:
        """Return the frame for text of the page itself."""
        return Frame(self, self.state.title)

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
        self.state.output.volatile = True

    def literal(
        self, opening: str, title: str, parts: tuple[Part, ...], closing: str, frame: Frame
    ) -> str:
        """Return the text of a call that is left as it is, apart from calls within it."""
        texts = [title, *(self.expand_part(part, frame) for part in parts)]
        return f"{opening}{'|'.join(texts)}{closing}"

    def note_duplicate_argument(self, frame: Frame, name: str) -> None:
        """Warn that an argument was given twice to the template of this frame."""
        notices = self.state.notices
        notices.add_tracking_category("duplicate-args-category")
        outer = frame.parent.title.prefixed_text if frame.parent else ""
        notices.warn("duplicate-args-warning", outer, frame.title.prefixed_text, name)

    def note_omitted_text(self) -> str:
        """Warn that the limit of included text is exceeded; return a comment to show instead."""
        notices = self.state.notices
        notices.add_tracking_category("post-expand-template-inclusion-category")
        notices.warn("post-expand-template-inclusion-warning")
        return self.state.strip.add_general(_TOO_LARGE, "warning")

    def template_title(self, name: str) -> Title | None:
        """Return the page that a call of this name transcludes.

        Return ``None`` if the name is invalid or belongs to another wiki.
        """
        state = self.state
        if name.startswith(("/", "../")):
            resolved = resolve_subpage(state.title, name)
            if resolved is not None:
                return state.site.titles.try_parse(resolved[0], MAIN)
        title = state.site.titles.try_parse(name, TEMPLATE)
        return title if title and title.dbkey and not title.interwiki else None

    def find_template(self, title: Title, frame: Frame) -> tuple[Title, TemplateText | None]:
        """Return the page to transclude for a title, and its text if there is one.

        One redirect is followed, and both pages are recorded as transcluded.
        """
        text = None
        for _ in range(_MAX_REDIRECTS):
            title, text = self._template_in_variants(title, frame)
            ids = (text.page_id, text.revision_id) if text else ()
            self.state.output.add_template(title, *ids)
            if text is None or text.redirect is None:
                break
            title = text.redirect
        return title, text

    def _template_in_variants(
        self, title: Title, frame: Frame
    ) -> tuple[Title, TemplateText | None]:
        """Return a title and its text; without a text, the first variant of the title with one."""
        text, language = self.template_text(title, frame), self.state.language_converter
        if text is None and language is not None:
            variants = in_variants(title, language, self.state.site.titles)
            self.state.loader.fetch(variants)
            for variant in variants:
                if found := self.state.loader.get(variant):
                    return variant, found
        return title, text

    def template_text(self, title: Title, frame: Frame) -> TemplateText | None:
        """Return the text to transclude for a title, from a plugin or else from the store."""
        state = self.state
        if state.parser.resolves_templates:
            text = resolve_template(state, title, frame)
            if text is not None:
                return TemplateText(title, 0, 0, disarm(text), None)
        return state.loader.get(title)

    def loop_error(self, title: Title) -> str:
        """Return the error shown in place of a template that includes itself, and add a warning."""
        notices = self.state.notices
        self.note_place_dependent()
        notices.add_tracking_category("template-loop-category")
        notices.warn("template-loop-warning", title.prefixed_text)
        return self.state.messages.error("parser-template-loop-warning", title.prefixed_text)

    def call_tag(self, name: str, attributes: dict[str, str], node: Extension, frame: Frame) -> str:
        """Call the tag's function and return a strip marker for its result.

        If templates alone are expanded, or no plugin provides the tag, the marker stands for the
        tag as it was written.
        """
        state = self.state
        state.charge(node.inner)
        if self._target in (Target.WIKITEXT, Target.SAVED):
            return state.strip.add_general(node.source, name)
        tag = state.registries.tags.get(name)
        if tag is None:
            return state.strip.add_general(node.source, name)
        call = TagCall(name, attributes, node.inner, frame, state, node.source)
        try:
            return self.strip_result(checked(tag.function(call)), name)
        except Exception as error:
            text = plugin_failed(error, state, f"<{name}>", tag, state.registries.tags)
            return state.strip.add_general(text, name)

    def strip_result(self, result: str | Expansion, name: str) -> str:
        """Return a strip marker for the result of the tag ``name``, or the result if wikitext."""
        strip = self.state.strip
        if isinstance(result, str):
            return strip.add_general(result, name)
        if result.nowiki:
            return strip.add_nowiki(result.text, name)
        return strip.add_general(result.text, name) if result.html else result.text

    # Each of these returns the text for one type of node

    def _refused(self, exceeded: str) -> str:
        notices = self.state.notices
        self.note_place_dependent()
        text, category = _EXCEEDED[exceeded]
        notices.add_tracking_category(category)
        notices.warn(category.replace("exceeded-category", "exceeded-warning"))
        return f'<span class="error">{text}</span>'

    def _template(self, node: Template, frame: Frame) -> str:
        return Call(self, node, frame).text()

    def _argument(self, node: Argument, frame: Frame) -> str:
        title = self.expand(node.title, frame)
        text = frame.argument(trim(title))
        if text is None:
            if node.parts and (frame.parent or not self._is_saved):
                return self.expand_part(node.parts[0], frame)
            return self.literal("{{{", title, node.parts, "}}}", frame)
        if not self._usage.argument(text):
            self.state.notices.add_tracking_category("post-expand-template-argument-category")
            self.state.notices.warn("post-expand-template-argument-warning")
            return self.state.strip.add_general(_ARGUMENT_OMITTED, "warning")
        return text

    def _extension(self, node: Extension, frame: Frame) -> str:
        return self.call_tag(node.name.lower(), decode_attributes(node.attributes), node, frame)

    def _heading(self, node: Heading, frame: Frame) -> str:
        text = self.expand(node.content, frame)
        if self._target in (Target.WIKITEXT, Target.SAVED) or not node.certain:
            return text
        marker = self.state.headings.mark(frame.title, node)
        level = node.level
        return f"{text[:level]}{marker}{text[level:]}" if text.startswith("=") else text

    def _comment(self, node: Comment, _: Frame) -> str:
        """Return a comment if it is kept; the pre-save transform must not change it further."""
        if self._is_saved:
            return self.state.strip.add_general(node.text, "comment")
        return node.text if self._keeps_comments else ""

    def _ignored(self, node: Ignored, frame: Frame) -> str:
        """Return include tags of a page that is saved, but not those of substituted pages."""
        return node.text if self._is_saved and not frame.parent else ""


def checked(result: str | Expansion) -> str | Expansion:
    """Return the result of a plugin's function after checking its type.

    Raises:
        TypeError: it is neither a string nor an :class:`Expansion`.
    """
    if isinstance(result, _RESULTS):
        return result
    raise TypeError(f"it returned {type(result).__name__}, not str or Expansion")


_BLOCK_START = re.compile(r"(?:\{\||:|;|#|\*)")
_SUBST = re.compile(r"(subst|safesubst):", re.IGNORECASE)
_MODIFIER = re.compile(r"(?:(msgnw):|msg:)?(?:raw:)?", re.IGNORECASE)
_TOO_LARGE = "<!-- WARNING: template omitted, post-expand include size too large -->"
_MAX_REDIRECTS = 2


class Call:
    """A call in double braces: of a variable, a parser function or a page.

    ``name`` is the name without modifiers; empty until :meth:`text` has found what it names.
    """

    __slots__ = ("_expander", "_frame", "_node", "_state", "name")

    def __init__(self, expander: Expander, node: Template, frame: Frame) -> None:
        """Create the call of a node in a frame."""
        self.name = ""
        self._expander = expander
        self._state = expander.state
        self._node = node
        self._frame = frame

    def text(self) -> str:
        """Return the text that replaces the call, or the call itself if it names nothing."""
        self._state.budget.step()
        title = self._expander.expand(self._node.title, self._frame)
        name = trim(title)
        subst = _SUBST.match(name)
        found = None
        if self._is_expanded_now(subst):
            name = trim(name[subst.end() :]) if subst else name
            found = self._result(name)
        if found is None:
            return self._expander.literal("{{", title, self._node.parts, "}}", self._frame)
        return self._within_limit(found, name)

    def _is_expanded_now(self, subst: re.Match[str] | None) -> bool:
        """Return whether the call is expanded. The pre-save transform expands only ``subst:``."""
        if self._state.options.target is Target.SAVED:
            return subst is not None
        return subst is None or subst[1].lower() == "safesubst"

    def _result(self, name: str) -> str | None:
        """Return the text of a variable, else of a parser function, else of a page."""
        found: str | Expansion | None = None
        as_source = False
        if not self._node.parts and (variable := self._state.registries.variable(name)):
            found = self._variable(variable)
        if found is None:
            if modifier := _MODIFIER.match(name):
                as_source = bool(modifier[1])
                name = trim(name[modifier.end() :])
            found = self._function(name)
        if found is None:
            found = self._page(name, as_source=as_source)
        if found is None:
            return None
        self.name = name
        return self._in_place(found, as_source=as_source)

    def _variable(self, variable: Variable) -> str | None:
        if variable.cache_seconds is not None:
            self._state.output.expire_after(variable.cache_seconds)
        try:
            return variable.function(self._state)
        except Exception as error:
            shown, registry = f"{{{{{variable.name}}}}}", self._state.registries.variables
            return plugin_failed(error, self._state, shown, variable, registry)

    def _function(self, name: str) -> str | Expansion | None:
        state = self._state
        prefix, colon, rest = name.partition(":")
        function = state.registries.function(prefix) if colon else None
        if function is None:
            return None
        state.charge()
        call = FunctionCall(prefix, trim(rest), self._node.parts, self._frame, state)
        if not function.raw:
            _ = call.args
        try:
            result = function.function(call)
            return result if result is None else checked(result)
        except Exception as error:
            shown = f"{{{{{function.name}:}}}}"
            return plugin_failed(error, state, shown, function, state.registries.functions)

    def _page(self, name: str, *, as_source: bool) -> str | Expansion | None:
        """Return the text of a page, or a link or error if it cannot be transcluded.

        Return ``None`` if the name is not a valid title.
        """
        state, frame = self._state, self._frame
        title = self._expander.template_title(name)
        if title is None:
            if state.unknown is not None and name.startswith("#"):
                state.unknown.note_function(name)
            return None
        limit = state.usage.ceilings.expansion_depth
        if frame.depth >= limit:
            self._expander.note_place_dependent()
            return state.messages.error("parser-template-recursion-depth-warning", limit)
        if title.ns == SPECIAL and (shown := self._special_page(title)):
            return shown
        if title.namespace.is_virtual or title.namespace.nonincludable:
            return self._link(title)
        found, text = self._expander.find_template(title, frame)
        if text is None:
            text = self._built_in(found)
        if frame.is_active(text.title if text else title):
            return self._expander.loop_error(title)
        if text is None:
            if state.unknown is not None and ":" in name:
                state.unknown.note_missing_page(name)
            return self._link(title)
        return text.text if as_source else self._transcluded(text)

    def _special_page(self, title: Title) -> Expansion | None:
        """Return the HTML of a special page, or ``None`` if it cannot be transcluded.

        The rendering is not cached, since the special page changes without an edit of this page.
        """
        state = self._state
        if state.options.target not in (Target.HTML, Target.LINKS):
            return None
        name, _, subpage = shown_name(title.text).partition("/")
        page = state.registries.special_pages.get(name)
        if page is None:
            return None
        state.output.expire_after(0)
        options = self._frame.child(title, self._node.parts).arguments()
        try:
            html = page.function(SpecialCall(subpage, options, self._frame, state))
        except Exception as error:
            shown = f"{{{{{title.prefixed_text}}}}}"
            html = plugin_failed(error, state, shown, page, state.registries.special_pages)
        return Expansion(html, html=True)

    def _link(self, title: Title) -> str | None:
        """Return a link to a page that cannot be transcluded; ``None`` in a pre-save transform."""
        saved = self._state.options.target is Target.SAVED
        return None if saved else f"[[:{title.prefixed_text}]]"

    def _built_in(self, title: Title) -> TemplateText | None:
        """Return the built-in text of a message, for a wiki that has no page of that name."""
        if title.ns != MEDIAWIKI:
            return None
        key = title.dbkey[:1].lower() + title.dbkey[1:]
        text = self._state.parser.messages.template(key, self._state.site.language)
        return None if text is None else TemplateText(title, 0, 0, text, None)

    def _transcluded(self, text: TemplateText) -> str:
        expander, frame, parts = self._expander, self._frame, self._node.parts
        with self._state.profile.measure(text.title.prefixed_text):
            tree = expander.tree(text.text, inclusion=True)
            if parts:
                return expander.expand(tree, frame.child(text.title, parts))
            return expander.expand_without_arguments(text.title, tree, frame)

    def _in_place(self, found: str | Expansion, *, as_source: bool) -> str:
        """Return the text to insert for a result of the call."""
        state = self._state
        if isinstance(found, str):
            text = found
        elif found.html:
            return state.strip.add_general(found.text, "item")
        elif found.nowiki:
            return state.strip.add_nowiki(escape_text(found.text))
        else:
            text = self._preprocessed(found) if found.preprocess else found.text
        if as_source and state.options.target is not Target.SAVED:
            return escape_wikitext(text)
        if not self._node.at_line_start and _BLOCK_START.match(text):
            return "\n" + text
        return text

    def _preprocessed(self, found: Expansion) -> str:
        if len(found.text) > self._state.usage.ceilings.article_size:
            # It is omitted in any case. Parsing it could take minutes.
            return found.text
        tree = self._expander.tree(found.text)
        child = self._frame.child(self._frame.title, self._node.parts)
        if found.source:
            child.active |= {found.source}
        return self._expander.expand(tree, child)

    def _within_limit(self, text: str, name: str) -> str:
        """Return the text, or a link to its page if the limit for included text is exceeded."""
        state = self._state
        if state.usage.include(text):
            return text
        title = self._expander.template_title(name)
        shown = title.prefixed_text if title else name.removeprefix(":")
        return f"[[:{shown}]]{self._expander.note_omitted_text()}"
