"""MediaWiki's built-in extension tags."""

from __future__ import annotations

import re

from wikiapi.site import Site
from wikiapi.wikitext import (
    Expansion,
    ExtensionTag,
    PageConverter,
    TagCall,
    checked_attributes,
    encode_attributes,
    error_element,
    finish_fragment,
    outside_markers,
    trim,
)
from wikiapi_plugins.wikitext.tags.gallery import gallery


def escape_tags(text: str) -> str:
    """Return the text with its tags escaped, but not its character references."""
    return text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def nowiki(call: TagCall) -> Expansion:
    """Return the content as plain text."""
    text = (call.inner or "").replace("-{", "-&#123;").replace("}-", "&#125;-")
    return Expansion(outside_markers(escape_tags, text), nowiki=True)


# An unclosed <nowiki> matches the rest of the text, so that no further ones are searched for.
_NOWIKI = re.compile(r"<nowiki>(.*?)</nowiki>|(<nowiki>.*+)", re.DOTALL)


def pre(call: TagCall) -> str:
    """Return a ``<pre>`` element; ``<nowiki>`` inside it is dropped."""
    text = _NOWIKI.sub(r"\1\2", call.inner or "")
    checked = checked_attributes(call.attributes, "pre", call.state.fragments)
    attributes = encode_attributes(checked)
    text = text.replace("<", "&lt;").replace(">", "&gt;")
    text = text.replace("-{", "-&#123;").replace("}-", "&#125;-")
    return f"<pre{attributes}>{text}</pre>"


def indicator(call: TagCall) -> str:
    """Add the content to the indicators of the page. Return "", or an error without a name."""
    name = trim(call.attributes.get("name", ""))
    sources = call.state.sources
    if not name:
        key = "invalid-indicator-name"
        text = call.state.messages.html(key)
        return error_element(key, (), text) if sources else f'<span class="error">{text}</span>'
    html = finish_fragment(trim(call.parse(call.inner or "")), call.state)
    if sources:
        sources.note_html(html)
    call.state.budget.keep(html)
    call.state.output.indicators[name] = html
    return ""


def langconvert(call: TagCall) -> str:
    """Return the content in the variant ``to`` of the language that ``from`` is a variant of.

    If there is no conversion table for the variant, the text is not converted, and the page gets a
    warning.
    """
    state = call.state
    source, target = (call.attributes.get(name, "").strip().lower() for name in ("from", "to"))
    languages = call.state.parser.converters.values()
    of_both = (each for each in languages if {source, target} <= each.by_code.keys())
    language = next(of_both, None)
    if language is None:
        return f'<span class="error">{state.messages.html("invalid-langconvert-attrs")}</span>'
    html = call.parse(call.inner or "")
    if source == target:
        return html
    if not len(language.table(target)):
        state.notices.warn("langconvert-unknown", source, target)
    return PageConverter(language, target, state.budget, state.messages.error_html).convert(html)


_SCRIPT = re.compile(
    r"(<(script|style)\b[^<>]*+>)((?:[^<]++|<(?!/\2\b))*+)", re.IGNORECASE | re.DOTALL
)
"""Matches an element that contains no HTML, up to its end."""


def raw_html(call: TagCall) -> Expansion:
    """Return the content as it is; in a text of the interface, an error instead.

    Scripts and style sheets are held, so that no stage changes them as if they were text.
    """
    state = call.state
    if state.options.is_interface_message:
        return Expansion(state.messages.error_html("rawhtml-notallowed"), html=True)
    html = _SCRIPT.sub(lambda match: match[1] + state.hold_code(match[3]), call.inner or "")
    return Expansion(html, html=True, nowiki=True)


def declarations(site: Site) -> list[ExtensionTag]:
    """Return the tags of a site."""
    tags = [
        ExtensionTag("nowiki", nowiki, is_verbatim=True),
        ExtensionTag("pre", pre, is_verbatim=True),
        ExtensionTag("gallery", gallery),
        ExtensionTag("indicator", indicator),
        ExtensionTag("langconvert", langconvert),
    ]
    if site.config.wikitext.raw_html:
        tags.append(ExtensionTag("html", raw_html, is_verbatim=True))
    return tags
