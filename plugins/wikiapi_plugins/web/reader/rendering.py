"""Pages as the parser renders them, made fit for the reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import tinycss2

from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi.wikitext import LanguageLink, ParserOptions, ParserOutput, Section
from wikiapi.wikitext.options import NO_REVISION
from wikiapi.wikitext.pagecache import StoredRevision
from wikiapi_plugins.actions.parse.facts import display_title
from wikiapi_plugins.web.reader.settings import NAME
from wikiapi_plugins.web.reader.stored import StoredPage


@dataclass(frozen=True, slots=True)
class Rendering:
    """What of a rendering is shown. ``html``, ``title_html`` and indicators are safe HTML."""

    html: str
    title_html: str
    sections: tuple[Section, ...]
    categories: tuple[str, ...]
    languages: tuple[LanguageLink, ...]
    indicators: tuple[str, ...]
    is_indexed: bool


class Renderings:
    """Renders pages, or finds them in the page cache."""

    def __init__(self, site: Site) -> None:
        """Take the wiki."""
        self._site = site

    def of(self, page: StoredPage, language: str) -> Rendering | None:
        """The rendering of a page's text; ``None`` where nothing can render its model."""
        model = self._site.parser.registries.content_models.get(page.model)
        if model is None:
            return None
        options = _options(language, page)

        def render() -> ParserOutput:
            return _for_the_dark(model.render(self._site, page.text or "", page.title, options))

        revision = StoredRevision(page.row.page_id, page.revision.rev_id, page.row.touched)
        output = self._site.page_cache.output(revision, options, render, NAME)
        return _rendering(output, display_title(page.title, page.model, output))

    def of_text(self, text: str, title: Title, language: str) -> Rendering:
        """The rendering of a text that is no page's own, which is not kept."""
        output = self._site.parser.parse(text, title, _options(language))
        return _rendering(_for_the_dark(output), output.title_html)


def _for_the_dark(output: ParserOutput) -> ParserOutput:
    return replace(output, html=with_dark_grounds(output.html))


def _options(language: str, page: StoredPage | None = None) -> ParserOptions:
    return ParserOptions(
        language=language,
        edit_sections=False,
        limit_report=False,
        toc_in_page=False,
        revision=NO_REVISION if page is None else page.parser_revision,
    )


def _rendering(output: ParserOutput, title_html: str) -> Rendering:
    return Rendering(
        html=output.html,
        title_html=title_html,
        sections=tuple(output.sections) if output.show_toc else (),
        categories=tuple(output.categories),
        languages=tuple(output.language_links.values()),
        indicators=tuple(output.indicators.values()),
        is_indexed="noindex" not in output.properties,
    )


# Templates bring sheets that were made for dark letters on white (TemplateStyles). Where a rule
# sets a ground and leaves the letters as they are, the colours of daylight are set for what it
# matches.

_SHEET = re.compile(r"(<style\b[^<>]*+>)([^<]*+)(</style>)")
_DAYLIGHT = (
    "color-scheme:light;color:#1f2326;--paper:#fff;--sunken:#f0efeb;--line:#d5d3cc;--edge:#8b887f;"
    "--ink:#1f2326;--quiet:#575d63;--link:#0a5c8a;--visited:#6a3d8f;--new:#a8261b"
)
_GROUNDS = ("background", "background-color")
_NO_GROUND = re.compile(r"\A\s*(?:none|transparent|inherit|unset|initial)\b|var\(--", re.I)


def with_dark_grounds(html: str) -> str:
    """The HTML with rules for the dark added to each of its style sheets that needs some."""
    if "<style" not in html:
        return html
    return _SHEET.sub(lambda match: f"{match[1]}{match[2]}{_rules(match[2])}{match[3]}", html)


def _rules(sheet: str) -> str:
    selectors = ",".join(_selectors(sheet))
    if not selectors:
        return ""
    return f"@media (prefers-color-scheme:dark){{{selectors}{{{_DAYLIGHT}}}}}"


def _selectors(sheet: str) -> Iterator[str]:
    """What rules match that set a ground and no colour; those in ``@media`` stay as they are."""
    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule" and _needs_daylight(rule.content):
            yield tinycss2.serialize(rule.prelude).strip()


def _needs_daylight(content: object) -> bool:
    declared = {
        node.lower_name: tinycss2.serialize(node.value)
        for node in tinycss2.parse_blocks_contents(
            content, skip_comments=True, skip_whitespace=True
        )
        if node.type == "declaration"
    }
    grounds = [declared[name] for name in _GROUNDS if name in declared]
    return "color" not in declared and any(not _NO_GROUND.search(value) for value in grounds)
