"""``<ref>``: a footnote, or one more mark of one that has a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ExtensionTag
from wikiapi_plugins.extensions.cite.arguments import is_numeric, read_ref
from wikiapi_plugins.extensions.cite.citations import Citations
from wikiapi_plugins.extensions.cite.marks import mark
from wikiapi_plugins.extensions.cite.nesting import holds_open_ref
from wikiapi_plugins.extensions.cite.problems import Problem, shown_html

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import TagCall
    from wikiapi_plugins.extensions.cite.arguments import RefArguments
    from wikiapi_plugins.extensions.cite.footnote import Footnote


_KEPT_BYTES = 1500
"""What a footnote and a mark of it take in memory beside their texts, about."""


def ref(call: TagCall) -> str:
    """The mark; nothing within ``<references>``, whose content only defines."""
    call.state.note_volatile()
    call.state.budget.keep(_KEPT_BYTES)
    citations = Citations.of(call.state)
    has_details = citations.settings.sub_references
    arguments = read_ref(call.attributes, call.inner, has_details=has_details)
    if citations.list_group is not None:
        define(arguments, citations.list_group, citations)
        return ""
    return _footnote(arguments, citations)


def _footnote(arguments: RefArguments, citations: Citations) -> str:
    refusal = _refusal(arguments)
    if refusal:
        citations.stack.refuse()
        return shown_html(arguments.problem or refusal, citations.state)
    note = citations.stack.push(arguments)
    return mark(note, citations.labels) if note else ""


def _refusal(arguments: RefArguments) -> Problem | None:
    """Why a ``<ref>`` in the text makes no footnote."""
    if is_numeric(arguments.follow):
        return Problem.of("cite_error_ref_numeric_key")
    if arguments.follow and (arguments.name or arguments.details):
        return Problem.of("cite_error_ref_follow_conflicts")
    if not arguments.name and arguments.text is None:
        return Problem.of("cite_error_ref_no_key")
    if not arguments.name and arguments.content is None:
        return Problem.of("cite_error_ref_no_input")
    if holds_open_ref(arguments.text or ""):
        return Problem.of("cite_error_included_ref")
    return None


def define(arguments: RefArguments, group: str, citations: Citations) -> None:
    """Give a footnote of the text its content, from within the list of a group."""
    note = citations.stack.find(group, arguments.name) if arguments.name else None
    refusal = _refused_definition(arguments, group, note)
    if refusal:
        citations.list_problems.append(arguments.problem or refusal)
    elif note:
        citations.stack.define(note, arguments)


def _refused_definition(
    arguments: RefArguments, group: str, note: Footnote | None
) -> Problem | None:
    if arguments.group not in (None, group):
        return Problem.of("cite_error_references_group_mismatch", arguments.group or "")
    if not arguments.name:
        return Problem.of("cite_error_references_no_key")
    if arguments.details:
        return Problem.of("cite_error_references_details", arguments.name)
    if arguments.content is None:
        return Problem.of("cite_error_references_empty_define", arguments.name, group)
    if note is None:
        return Problem.of("cite_error_references_missing_key", arguments.name)
    return None


DECLARATION = ExtensionTag("ref", ref)
