"""``{{...}}``: decides between variable, parser function and transclusion, and expands it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.title.namespaces import MAIN, TEMPLATE
from wikiapi.wikitext.declarations import Expansion
from wikiapi.wikitext.expand.call import FunctionCall
from wikiapi.wikitext.expand.text import trim
from wikiapi.wikitext.subpages import resolve_subpage

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.expander import Expander
    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.expand.loader import TemplateText
    from wikiapi.wikitext.preprocess.nodes import Template
    from wikiapi.wikitext.state import ParseState

_BLOCK_START = re.compile(r"(?:\{\||:|;|#|\*)")
_SUBST = re.compile(r"(subst|safesubst):", re.IGNORECASE)
_MODIFIER = re.compile(r"(msgnw|msg|raw):", re.IGNORECASE)
_TOO_LARGE = "<!-- WARNING: template omitted, post-expand include size too large -->"
_MAX_REDIRECTS = 2


def expand_template(expander: Expander, node: Template, frame: Frame) -> str:
    """The text that stands in place of a call; the call itself if nothing answers it."""
    title = expander.expand(node.title, frame)
    name = trim(title)
    subst = _SUBST.match(name)
    if subst:
        name = trim(name[subst.end() :])
    found = None
    if not subst or subst[1].lower() != "subst":
        found = _resolved(expander, name, node, frame)
    if found is None:
        return expander.literal("{{", title, node.parts, "}}", frame)
    return _included(expander.state, _in_place(found, node, expander, frame), name)


def _resolved(
    expander: Expander, name: str, node: Template, frame: Frame
) -> str | Expansion | None:
    state = expander.state
    if not node.parts and (variable := state.registries.variable(name)):
        value = state.variable(variable)
        if value is not None:
            return value
    modifier = _MODIFIER.match(name)
    if modifier:
        name = trim(name[modifier.end() :])
    found = _function(name, node, frame, state)
    if found is None:
        found = _transcluded(expander, name, node, frame)
    if modifier and modifier[1].lower() == "msgnw" and isinstance(found, str):
        return _source(state, name)
    return found


def _source(state: ParseState, name: str) -> Expansion | None:
    title = _target(state, name)
    text = state.loader.get(title) if title else None
    return Expansion(text.text, nowiki=True) if text else None


def _function(name: str, node: Template, frame: Frame, state: ParseState) -> str | Expansion | None:
    prefix, colon, rest = name.partition(":")
    function = state.registries.function(prefix) if colon else None
    if function is None:
        return None
    call = FunctionCall(prefix, trim(rest), node.parts, frame, state)
    if not function.raw:
        _ = call.args
    return function.function(call)


def _in_place(found: str | Expansion, node: Template, expander: Expander, frame: Frame) -> str:
    if isinstance(found, Expansion):
        strip = expander.state.strip
        if found.html:
            return strip.add_general(found.text, "item")
        if found.nowiki:
            return expander.state.nowiki(found.text)
        if found.preprocess:
            tree = expander.state.tree(found.text)
            found = expander.expand(tree, frame)
        else:
            found = found.text
    if not node.at_line_start and _BLOCK_START.match(found):
        return "\n" + found
    return found


def _included(state: ParseState, text: str, name: str) -> str:
    if state.usage.include(text):
        return text
    state.add_tracking_category("post-expand-template-inclusion-category")
    state.warn("post-expand-template-inclusion-warning")
    return f"[[{name}]]" + state.strip.add_general(_TOO_LARGE, "warning")


def _target(state: ParseState, name: str) -> Title | None:
    """The page that a name transcludes."""
    if name.startswith(("/", "../")):
        resolved = resolve_subpage(state.title, name)
        if resolved is not None:
            return state.site.titles.try_parse(resolved[0], MAIN)
    title = state.site.titles.try_parse(name, TEMPLATE)
    if title is None or title.interwiki or not title.dbkey or title.namespace.nonincludable:
        return None
    return title


def _transcluded(expander: Expander, name: str, node: Template, frame: Frame) -> str | None:
    state = expander.state
    title = _target(state, name)
    if title is None:
        return None
    if title.namespace.is_virtual:
        return f"[[:{title.prefixed_text}]]"
    if frame.depth >= state.usage.ceilings.expansion_depth:
        return state.error("parser-template-recursion-depth-warning", frame.depth)
    text = _fetched(state, title, frame)
    if frame.is_active(title) or (text and frame.is_active(text.title)):
        return _loop(state, title)
    if text is None:
        return f"[[:{title.prefixed_text}]]"
    return _expanded(expander, text, node, frame)


def _expanded(expander: Expander, text: TemplateText, node: Template, frame: Frame) -> str:
    state = expander.state
    with state.profile.measure(text.title.prefixed_text):
        tree = state.tree(text.text, inclusion=True)
        if node.parts:
            return expander.expand(tree, frame.child(text.title, node.parts))
        return state.expand_plain(text.title, tree, frame)


def _fetched(state: ParseState, title: Title, frame: Frame) -> TemplateText | None:
    """The text of a template; redirects are followed and noted on the way."""
    for _ in range(_MAX_REDIRECTS):
        text = state.template_text(title, frame)
        if text is None:
            state.output.add_template(title)
            return None
        state.output.add_template(title, text.page_id, text.revision_id)
        if text.redirect is None:
            return text
        title = text.redirect
    return None


def _loop(state: ParseState, title: Title) -> str:
    state.add_tracking_category("template-loop-category")
    state.warn("template-loop-warning", title.prefixed_text)
    return state.error("parser-template-loop-warning", title.prefixed_text)
