"""``<langconvert from= to=>``: converts a text from one variant of a language to another.

Both variants must belong to the same language. If there is no conversion table for the target, the
text is not converted, and the page gets a warning.
"""

from __future__ import annotations

from wikiapi.i18n import LanguageConverter
from wikiapi.wikitext import ExtensionTag, TagCall
from wikiapi.wikitext.variants.page import PageConverter


def langconvert(call: TagCall) -> str:
    """Return the content in the requested variant."""
    state = call.state
    source, target = (call.attributes.get(name, "").strip().lower() for name in ("from", "to"))
    language = _language_of(call, source, target)
    if language is None:
        return f'<span class="error">{state.messages.text("invalid-langconvert-attrs")}</span>'
    html = call.parse(call.inner or "")
    if source == target:
        return html
    if not len(language.table(target)):
        state.notices.warn("langconvert-unknown", source, target)
    return PageConverter(language, target, state.budget, state.messages.error).convert(html)


def _language_of(call: TagCall, source: str, target: str) -> LanguageConverter | None:
    """Return the language that both variants belong to, or ``None``."""
    for language in call.state.registries.converters.values():
        if {source, target} <= language.by_code.keys():
            return language
    return None


DECLARATION = ExtensionTag("langconvert", langconvert)
