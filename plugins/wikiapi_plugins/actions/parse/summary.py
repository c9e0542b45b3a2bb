"""``summary`` and ``sectiontitle``: an edit summary as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.i18n.message import Message, Plain
from wikiapi.wikitext.comment import format_comments

if TYPE_CHECKING:
    from wikiapi.api.module import Module
    from wikiapi.title.title import Title


def parsed_summary(module: Module, title: Title) -> str | None:
    """The summary of the request as HTML; ``None`` where none is given.

    A new section that lacks either summary or heading is summed up by the other.
    """
    summary, heading = module.p["summary"], module.p["sectiontitle"]
    is_new = module.p["section"] == "new"
    if summary is None and not (is_new and heading is not None):
        return None
    text = summary or ""
    if is_new and not (summary and heading):
        text = _of_new_section(module, heading or text)
    return format_comments(module.site, [(text, title)], same_page=is_new)[0]


def _of_new_section(module: Module, heading: str) -> str:
    if not heading:
        return ""
    message = Message("newsectionsummary", (Plain(heading),))
    return module.site.parser.messages.text(message, module.site.language)
