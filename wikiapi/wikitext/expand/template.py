"""``{{...}}``: decides between variable, parser function and transclusion, and expands it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.title.namespaces import MAIN, MEDIAWIKI, SPECIAL, TEMPLATE
from wikiapi.wikitext.declarations import Expansion
from wikiapi.wikitext.expand.call import FunctionCall
from wikiapi.wikitext.expand.escape import escape_wikitext
from wikiapi.wikitext.expand.loader import TemplateText
from wikiapi.wikitext.expand.special import expand_special
from wikiapi.wikitext.expand.text import trim
from wikiapi.wikitext.options import Target
from wikiapi.wikitext.subpages import resolve_subpage

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.expander import Expander
    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.preprocess.nodes import Template
    from wikiapi.wikitext.state import ParseState

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
