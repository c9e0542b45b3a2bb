"""What of a rendering is converted: its HTML, the lines of its headings, and its name."""

from __future__ import annotations

from dataclasses import replace

from wikiapi.title.namespaces import CATEGORY
from wikiapi.title.variants import stored_variants
from wikiapi.wikitext.html.sanitizer import sanitize_tags
from wikiapi.wikitext.output import PageName
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.variants.page import PageConverter

_NOT_AT_ALL = "nocontentconvert"
_NOT_THE_TITLE = "notitleconvert"


def convert_page(html: str, state: ParseState) -> str:
    """Return HTML in the variant that is wanted, unless the page is not to be converted."""
    converter = _wanted(state)
    return converter.convert(html) if converter else html


def exempt_from_conversion(text: str, state: ParseState) -> str:
    """Return text of a page, such as an address, marked as one that is not converted."""
    return f"-{{R|{text}}}-" if _wanted(state) else text


def finish_conversion(state: ParseState) -> None:
    """Convert headings and name of a page, by all rules that there are on it."""
    converter, output = state.converter, state.output
    if converter is None:
        return
    output.variant = converter.variant
    _find_categories(state)
    if _wanted(state) is None:
        return
    output.sections = [
        replace(section, line=converter.convert(section.line)) for section in output.sections
    ]
    if output.title_html or _NOT_THE_TITLE in output.switches:
        return
    if converter.title is not None:
        output.title_html = sanitize_tags(converter.title)
        return
    namespace = state.title.namespace.name
    output.name_in_variant = PageName(
        converter.translate(namespace), converter.translate(state.title.text)
    )


def _find_categories(state: ParseState) -> None:
    """Put the page into categories that exist in place of variants of them that do not."""
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


def _wanted(state: ParseState) -> PageConverter | None:
    return None if _NOT_AT_ALL in state.output.switches else state.converter
