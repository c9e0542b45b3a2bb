"""``{{#interwikilink:prefix|page|label}}`` and ``#interlanguagelink``.

They are links to other wikis even where the bare link would mean something else: the one always
shows in the text, the other always stands beside the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.escape import escape_wikitext
from wikiapi.wikitext.output import LanguageLink

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import FunctionCall


def _target(call: FunctionCall) -> Title | None:
    """The page of the other wiki; a prefix that is a namespace here is taken for that."""
    prefix = call.first.lower()
    if call.site.interwiki.get(prefix) is None or call.site.namespaces.find(prefix):
        return None
    title = call.site.titles.try_parse(f"{prefix}:{call.arg(1)}")
    return title if title and title.interwiki else None


def interwikilink(call: FunctionCall) -> str | None:
    """A link with a label, by default the name of the page there."""
    title = _target(call)
    if title is None:
        return None
    label = call.arg(2) or escape_wikitext(title.full_text)
    return f"[[:{title.full_text}|{label}]]"


def interlanguagelink(call: FunctionCall) -> str | None:
    """Nothing in the text: the link is noted."""
    title = _target(call)
    if title is None or not call.state.is_language(title.interwiki):
        return None
    page = title.text + (f"#{title.fragment}" if title.fragment else "")
    links = call.state.output.language_links
    links.setdefault(title.interwiki, LanguageLink(title.interwiki, page))
    return ""


DECLARATIONS = (
    ParserFunction("#interwikilink", interwikilink, case_sensitive=True),
    ParserFunction("#interlanguagelink", interlanguagelink, case_sensitive=True),
)
