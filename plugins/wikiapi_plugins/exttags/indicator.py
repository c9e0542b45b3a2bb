"""``<indicator name="x">``: something shown beside the page's title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ExtensionTag

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import TagCall


def indicator(call: TagCall) -> str:
    """Keep the content apart; a name is needed."""
    name = call.attributes.get("name", "").strip()
    if not name:
        return f'<span class="error">{call.state.message("invalid-indicator-name")}</span>'
    html = call.state.finish_fragment(call.parse(call.inner or "").strip())
    call.state.budget.keep(html)
    call.state.output.indicators[name] = html
    return ""


DECLARATION = ExtensionTag("indicator", indicator)
