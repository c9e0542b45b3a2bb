"""Language conversion of a rendering: its HTML, headings, title and categories."""

from __future__ import annotations

from dataclasses import replace

from wikiapi.title.namespaces import CATEGORY
from wikiapi.title.variants import stored_variants
from wikiapi.wikitext.html.sanitizer import sanitize_tags
from wikiapi.wikitext.output import PageName
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.variants.page import PageConverter

_NO_CONTENT_CONVERSION = "nocontentconvert"
_NO_TITLE_CONVERSION = "notitleconvert"


def convert_page(html: str, state: ParseState) -> str:
    """Return HTML in the requested variant, unless the page switches conversion off."""
    converter = _content_converter(state)
    return converter.convert(html) if converter else html


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
        output.title_html = sanitize_tags(converter.title)
        return
    namespace = state.title.namespace.name
    output.name_in_variant = PageName(
        converter.translate(namespace), converter.translate(state.title.text)
    )


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
    found = stored_variants(
        missing,
        state.language_converter,
        titles,
        lambda keys: state.parser.pages.existing(keys).keys(),
    )
    named = {name: found.get((CATEGORY, name)) for name in output.categories}
    output.categories = {
        title.dbkey if title else name: output.categories[name] for name, title in named.items()
    }


def _content_converter(state: ParseState) -> PageConverter | None:
    return None if _NO_CONTENT_CONVERSION in state.output.switches else state.converter
