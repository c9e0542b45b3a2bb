"""``Special:ExpandTemplates``: wikitext with its templates expanded."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.http import Reply
from wikiapi.title import Title
from wikiapi_plugins.web.reader.context import ViewContext


def show_expansion(context: ViewContext, _: Title) -> Reply:
    """Show a form for wikitext and, if it has been sent, the text with its calls expanded."""
    text, page = context.param("wpInput"), context.param("wpContextTitle")
    expanded: str | None = None
    reasons: Sequence[str] = ()
    if text:
        answer = context.api_calls().post(
            action="expandtemplates", text=text, title=page or None, prop="wikitext"
        )
        expanded = answer.data.get("expandtemplates", {}).get("wikitext")
        reasons = answer.reasons
    return context.render(
        "expandtemplates.html",
        context.text("special-expandtemplates"),
        page=page,
        text=text,
        expanded=expanded,
        reasons=reasons,
    )
