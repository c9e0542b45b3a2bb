"""Language conversion of a rendering: its HTML, headings, title and categories."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wikiapi.languages.language import language
from wikiapi.title.namespaces import CATEGORY, PROJECT, local_name
from wikiapi.title.variants import stored_variants
from wikiapi.wikitext.html.sanitizer import sanitize_tags
from wikiapi.wikitext.output import PageName
from wikiapi.wikitext.variants.page import PageConverter

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

_NO_CONTENT_CONVERSION = "nocontentconvert"
_NO_TITLE_CONVERSION = "notitleconvert"


def convert_page(html: str, state: ParseState) -> str:
    """Return HTML in the requested variant, unless the page switches conversion off."""
    converter = _content_converter(state)
    if converter is None:
        return html
    converted = converter.convert(html)
    for link in state.headings.edit_links:
        state.strip.fill(link.marker, link.html(converter.convert(link.section)))
    return converted


def exempt_from_conversion(text: str, state: ParseState) -> str:
    """Return text, such as a URL, within markup that exempts it from conversion, if needed."""
    return f"-{{R|{text}}}-" if _content_converter(state) else text


def finish_conversion(state: ParseState) -> None:
    """Convert the headings and the title of a page, using all rules in it."""
    converter, output = state.converter, state.output
    if converter is None:
        return
    output.variant = converter.variant
    _find_categories(state)
    if _content_converter(state) is None:
        return
    output.sections = [
        replace(section, line=converter.convert(section.line)) for section in output.sections
    ]
    if output.title_html or _NO_TITLE_CONVERSION in output.switches:
        return
    if converter.title is not None:
        output.title_html = sanitize_tags(converter.title, fragments=state.fragments)
        return
    output.name_in_variant = PageName(
        _namespace_name(state, converter), converter.translate(state.title.text)
    )


def _namespace_name(state: ParseState, converter: PageConverter) -> str:
    """Return the name of the page's namespace in the variant.

    That is what a message of the wiki says, or else the name in the variant as a language.
    """
    namespace, variant = state.title.namespace, converter.variant
    if message := state.messages.template(f"conversion-ns{namespace.id}", variant):
        is_general = message.language == state.site.language
        return converter.translate(message.text) if is_general else message.text
    names, project = state.site.namespaces, state.site.namespaces[PROJECT].name
    usual = local_name(namespace.id, project, language(state.site.language))
    if usual != names[namespace.id].name:
        return converter.translate(namespace.name)
    return local_name(namespace.id, project, language(variant))


def _find_categories(state: ParseState) -> None:
    """Replace missing categories by existing ones whose names are variants of theirs."""
    titles, output = state.site.titles, state.output
    if not output.categories:
        return
    existing = state.parser.pages.existing((CATEGORY, name) for name in output.categories)
    missing = [
        titles.make(CATEGORY, name)
        for name in output.categories
        if (CATEGORY, name) not in existing
    ]
    stored = stored_variants(
        missing,
        state.language_converter,
        titles,
        lambda keys: state.parser.pages.existing(keys).keys(),
    )
    named = {name: stored.get((CATEGORY, name)) for name in output.categories}
    output.categories = {
        title.dbkey if title else name: output.categories[name] for name, title in named.items()
    }


def _content_converter(state: ParseState) -> PageConverter | None:
    return None if _NO_CONTENT_CONVERSION in state.output.switches else state.converter
