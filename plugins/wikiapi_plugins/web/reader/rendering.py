"""Pages as the parser renders them, made fit for the reader."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wikiapi.wikitext.options import NO_REVISION, ParserOptions
from wikiapi.wikitext.pagecache import StoredRevision
from wikiapi_plugins.actions.parse.displaytitle import display_title
from wikiapi_plugins.web.reader.grounds import with_dark_grounds
from wikiapi_plugins.web.reader.settings import NAME

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.output import LanguageLink, ParserOutput, Section
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
