"""``<references>``: the list of a group's footnotes, and texts for those that have only names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi.wikitext.expand.strip import PREFIX
from wikiapi.wikitext.html.entities import escape_text
from wikiapi_plugins.extensions.cite.arguments import references_problem
from wikiapi_plugins.extensions.cite.citations import Citations
from wikiapi_plugins.extensions.cite.problems import Problem, shown_html
from wikiapi_plugins.extensions.cite.ref import define
from wikiapi_plugins.extensions.cite.stack import DEFAULT_GROUP

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import TagCall

_REF_MARKER = f"{PREFIX}-ref-"
_LIST_MARKER = f"{PREFIX}-references-"


def references(call: TagCall) -> str:
    """The list with what is wrong in the tag's content; a list within a list stays as it is."""
    call.state.note_volatile()
    citations = Citations.of(call.state)
    if citations.list_group is not None:
        return escape_text(f"<references>{call.inner or ''}</references>")
    citations.list_group = call.attributes.get("group", DEFAULT_GROUP).strip()
    citations.list_problems = []
    try:
        return _list(call, citations, citations.list_group)
    finally:
        citations.list_group = None


def _list(call: TagCall, citations: Citations, group: str) -> str:
    text = call.inner or ""
    problem = references_problem(call.attributes)
    if _LIST_MARKER in text:
        problem = problem or Problem.of("cite_error_included_references")
    else:
        _read_content(text, group, call, citations)
    if problem:
        return shown_html(problem, call.state)
    responsive = call.attributes.get("responsive") or None
    html = citations.listed(group, responsive=None if responsive is None else responsive != "0")
    return html + _problems(citations)


def _read_content(text: str, group: str, call: TagCall, citations: Citations) -> None:
    """Footnotes that ``{{#tag:references}}`` has carried out already are done over."""
    for arguments in citations.stack.roll_back(text.count(_REF_MARKER)):
        define(arguments, group, citations)
    if text.strip():
        call.state.parse_fragment(text, call.state.root_frame())


def _problems(citations: Citations) -> str:
    shown = [shown_html(problem, citations.state) for problem in citations.list_problems]
    return "\n" + "<br />\n".join(shown) if shown else ""


DECLARATION = ExtensionTag("references", references)
