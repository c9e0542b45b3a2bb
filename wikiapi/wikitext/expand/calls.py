"""Calls in wikitext: of variables, parser functions, pages and tags."""

from __future__ import annotations

import re

from wikiapi.languages.magicwords import MagicWords
from wikiapi.texts import trim
from wikiapi.title.namespaces import MEDIAWIKI, SPECIAL
from wikiapi.title.title import Title
from wikiapi.wikitext.declarations import (
    Expansion,
    FunctionCall,
    ParserFunction,
    SpecialCall,
    TagCall,
    Variable,
)
from wikiapi.wikitext.expand.escape import escape_wikitext
from wikiapi.wikitext.expand.expander import Expander
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi.wikitext.failures import plugin_failed
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.options import Target
from wikiapi.wikitext.preprocess.nodes import Extension, Template
from wikiapi.wikitext.registries import WikitextRegistries
from wikiapi.wikitext.state import ParseState

_BLOCK_START = re.compile(r"(?:\{\||:|;|#|\*)")


class Modifiers:
    """Words before the name in a call, in the content language.

    These are ``subst:``, ``safesubst:``, ``msgnw:``, ``msg:`` and ``raw:``.
    """

    def __init__(self, words: MagicWords) -> None:
        """Compile the patterns."""
        self.substitution = re.compile(
            f"(?:{words.pattern('subst')}|(?P<safe>{words.pattern('safesubst')}))"
        )
        """Matches ``subst:``, or ``safesubst:`` as the group ``safe``."""
        self.message = re.compile(
            f"(?:(?P<source>{words.pattern('msgnw')})|{words.pattern('msg')})?"
            f"(?:{words.pattern('raw')})?"
        )
        """Matches the others if there are any, ``msgnw:`` as the group ``source``."""


class CallExpander(Expander):
    """Expands trees for one rendering, with calls of what plugins and pages define."""

    def __init__(
        self, state: ParseState, registries: WikitextRegistries, modifiers: Modifiers
    ) -> None:
        """Create the expander of a rendering, whose state functions and tags get."""
        super().__init__(
            state.title,
            state.options,
            state.parser.preprocessor,
            state.budget,
            state.usage,
            state.strip,
            state.headings,
            state.output,
            state.notices,
            state.messages,
        )
        self.state = state
        self.registries = registries
        self.modifiers = modifiers

    def call_tag(self, name: str, attributes: dict[str, str], node: Extension, frame: Frame) -> str:
        """Call the tag's function and return a strip marker for its result.

        If templates alone are expanded, or no plugin provides the tag, the marker stands for the
        tag as it was written.
        """
        state = self.state
        state.charge(node.inner)
        if self._target in (Target.WIKITEXT, Target.SAVED):
            return state.strip.add_general(node.source, name)
        tag = self.registries.tags.get(name)
        if tag is None:
            return state.strip.add_general(node.source, name)
        call = TagCall(name, attributes, node.inner, frame, state, node.source)
        try:
            return self.strip_result(checked(tag.function(call)), name)
        except Exception as error:
            text = plugin_failed(error, state, f"<{name}>", tag, self.registries.tags)
            return state.strip.add_general(text, name)

    def strip_result(self, result: str | Expansion, name: str) -> str:
        """Return a strip marker for the result of the tag ``name``, or the result if wikitext."""
        strip = self.state.strip
        if isinstance(result, str):
            return strip.add_general(result, name)
        if result.nowiki:
            return strip.add_nowiki(result.text, name)
        return strip.add_general(result.text, name) if result.html else result.text

    def _template(self, node: Template, frame: Frame) -> str:
        title = self.expand(node.title, frame)
        text = Call(self, node, frame).text(title)
        return self.literal("{{", title, node.parts, "}}", frame) if text is None else text


def checked(result: str | Expansion) -> str | Expansion:
    """Return the result of a plugin's function after checking its type.

    Raises:
        TypeError: it is neither a string nor an :class:`Expansion`.
    """
    if isinstance(result, str | Expansion):
        return result
    raise TypeError(f"it returned {type(result).__name__}, not str or Expansion")


class Call:
    """A call in double braces: of a variable, a parser function or a page.

    Attributes:
        named: the variable, parser function or page, after :meth:`text`.
        as_source: whether a modifier says that a page is shown as its wikitext.
        begins_line: whether a line break was added before the result.
    """

    __slots__ = ("_expander", "_frame", "_node", "_state", "as_source", "begins_line", "named")

    def __init__(self, expander: CallExpander, node: Template, frame: Frame) -> None:
        """Create the call of a node in a frame."""
        self.named: Variable | ParserFunction | Title | None = None
        self.as_source = False
        self.begins_line = False
        self._expander = expander
        self._state = expander.state
        self._node = node
        self._frame = frame

    def text(self, title: str) -> str | None:
        """Return the text that replaces the call, or ``None`` if its expanded title names nothing.

        A call that the pre-save transform leaves as it is names nothing, either.
        """
        state, expander = self._state, self._expander
        state.budget.step()
        name = trim(title)
        subst = expander.modifiers.substitution.match(name)
        # The pre-save transform expands only what is substituted.
        if state.options.target is Target.SAVED:
            is_expanded = subst is not None
        else:
            is_expanded = subst is None or subst["safe"] is not None
        if not is_expanded:
            return None
        name = trim(name[subst.end() :]) if subst else name
        text = self._result(name)
        if text is None:
            return None
        if state.usage.include(text):
            return text
        page = state.templates.title(name)
        target = page.prefixed_text if page else name.removeprefix(":")
        return f"[[:{target}]]{expander.note_omitted_text()}"

    def _result(self, name: str) -> str | None:
        """Return the text of a variable, else of a parser function, else of a page."""
        result: str | Expansion | None = None
        if not self._node.parts and (variable := self._expander.registries.variable(name)):
            self.named = variable
            result = self._variable(variable)
        if result is None:
            if modifier := self._expander.modifiers.message.match(name):
                self.as_source = modifier["source"] is not None
                name = trim(name[modifier.end() :])
            result = self._function(name)
        if result is None:
            result = self._page(name)
        if result is None:
            return None
        state = self._state
        if isinstance(result, str):
            text = result
        elif result.html:
            return state.strip.add_general(result.text, "item")
        elif result.nowiki:
            return state.strip.add_nowiki(escape_text(result.text))
        else:
            text = self._preprocessed(result) if result.preprocess else result.text
        if self.as_source and state.options.target is not Target.SAVED:
            return escape_wikitext(text, state.link_rules)
        if not self._node.at_line_start and _BLOCK_START.match(text):
            self.begins_line = True
            return "\n" + text
        return text

    def _variable(self, variable: Variable) -> str | None:
        if variable.cache_seconds is not None:
            self._state.output.expire_after(variable.cache_seconds)
        try:
            return variable.function(self._state)
        except Exception as error:
            written, registry = f"{{{{{variable.name}}}}}", self._expander.registries.variables
            return plugin_failed(error, self._state, written, variable, registry)

    def _function(self, name: str) -> str | Expansion | None:
        state = self._state
        named = self._expander.registries.function_call(name)
        if named is None:
            return None
        function, prefix, rest = named
        self.named = self.named or function
        state.charge()
        call = FunctionCall(prefix, trim(rest), self._node.parts, self._frame, state)
        if not function.raw:
            _ = call.args
        try:
            result = function.function(call)
            return result if result is None else checked(result)
        except Exception as error:
            written = f"{{{{{function.name}:}}}}"
            return plugin_failed(
                error, state, written, function, self._expander.registries.functions
            )

    def _page(self, name: str) -> str | Expansion | None:
        """Return the text of a page, or a link or error if it cannot be transcluded.

        Return ``None`` if the name is not a valid title.
        """
        state, frame = self._state, self._frame
        title = self._state.templates.title(name)
        if title is None:
            if state.unknown is not None and name.startswith("#"):
                state.unknown.note_function(name)
            return None
        self.named = self.named or title
        limit = state.usage.ceilings.expansion_depth
        if frame.depth >= limit:
            self._expander.note_place_dependent()
            return state.messages.error("parser-template-recursion-depth-warning", limit)
        if title.ns == SPECIAL and (special := self._special_page(title)):
            return special
        if title.namespace.is_virtual or title.namespace.nonincludable:
            return self._link(title)
        target, text = state.templates.find(title, frame)
        if text is None and target.ns == MEDIAWIKI:
            # A wiki that has no page for a message shows the built-in text.
            message = state.site.messages.built_in(target.dbkey)
            text = TemplateText(target, 0, 0, message.text, None) if message else None
        if frame.is_active(text.title if text else title):
            return self._expander.loop_error(title)
        if text is None:
            if state.unknown is not None and ":" in name:
                state.unknown.note_missing_page(name)
            return self._link(title)
        if self.as_source:
            return text.text
        expander, parts = self._expander, self._node.parts
        with state.profile.measure(text.title.prefixed_text):
            tree = expander.tree(text.text, inclusion=True)
            if parts:
                return expander.expand(tree, frame.child(text.title, parts))
            return expander.expand_without_arguments(text.title, tree, frame)

    def _special_page(self, title: Title) -> Expansion | None:
        """Return the HTML of a special page, or ``None`` if it cannot be transcluded.

        The rendering is not cached, since the special page changes without an edit of this page.
        """
        state = self._state
        if state.options.target not in (Target.HTML, Target.LINKS):
            return None
        pages = self._expander.registries.special_pages
        page = pages.get(state.site.special_pages.english_name(title.text))
        if page is None:
            return None
        state.output.expire_after(0)
        subpage = title.text.partition("/")[2]
        options = self._frame.child(title, self._node.parts).arguments()
        try:
            html = page.function(SpecialCall(subpage, options, self._frame, state))
        except Exception as error:
            written = f"{{{{{title.prefixed_text}}}}}"
            html = plugin_failed(error, state, written, page, pages)
        return Expansion(html, html=True)

    def _link(self, title: Title) -> str | None:
        """Return a link to a page that cannot be transcluded; ``None`` in a pre-save transform."""
        saved = self._state.options.target is Target.SAVED
        return None if saved else f"[[:{title.prefixed_text}]]"

    def _preprocessed(self, result: Expansion) -> str:
        if len(result.text) > self._state.usage.ceilings.article_size:
            # It is omitted in any case. Parsing it could take minutes.
            return result.text
        tree = self._expander.tree(result.text)
        child = self._frame.child(self._frame.title, self._node.parts)
        if result.source:
            child.active |= {result.source}
        return self._expander.expand(tree, child)
