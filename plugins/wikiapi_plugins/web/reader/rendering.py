"""Pages as the parser renders them, kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.wikitext.options import NO_REVISION, ParserOptions
from wikiapi_plugins.actions.parse.displaytitle import display_title
from wikiapi_plugins.web.reader.coalescing import OneAtATime
from wikiapi_plugins.web.reader.grounds import with_dark_grounds

if TYPE_CHECKING:
    from wikiapi.site import Site
    from wikiapi.title.title import Title
    from wikiapi.wikitext.output import LanguageLink, ParserOutput, Section
    from wikiapi_plugins.web.reader.settings import Settings
    from wikiapi_plugins.web.reader.stored import StoredPage

_OVERHEAD = 1000


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

    @property
    def cost(self) -> int:
        """Its size in memory, roughly, in characters."""
        return len(self.html) + 200 * len(self.sections) + _OVERHEAD


class _Kept(NamedTuple):
    rendering: Rendering
    until: float


class Renderings:
    """Renders pages, each once at a time, and keeps what was made."""

    def __init__(self, site: Site, settings: Settings) -> None:
        """Keep as much, and as long, as the settings say."""
        self._site = site
        self._most = settings.rendering_bytes
        self._seconds = settings.rendering_seconds
        self._kept: OrderedDict[tuple[object, ...], _Kept] = OrderedDict()
        self._size = 0
        self._guard = Lock()
        self._work = OneAtATime()

    def of(self, page: StoredPage, language: str) -> Rendering | None:
        """The rendering of a page's text; ``None`` where nothing can render its model."""
        key = (page.title.key, page.revision.rev_id, page.row.touched, language)
        found = self._get(key)
        if found is None:
            with self._work.holding(key):
                found = self._get(key)
                if found is None:
                    found = self._make(page, language, key)
        return found

    def of_text(self, text: str, title: Title, language: str) -> Rendering:
        """The rendering of a text that is no page's own, which is not kept."""
        output = self._site.parser.parse(text, title, _options(language))
        return _rendering(output, output.title_html)

    def _make(self, page: StoredPage, language: str, key: tuple[object, ...]) -> Rendering | None:
        model = self._site.parser.registries.content_models.get(page.model)
        if model is None:
            return None
        options = _options(language, page)
        output = model.render(self._site, page.text or "", page.title, options)
        rendering = _rendering(output, display_title(page.title, page.model, output))
        expiry = self._seconds if output.cache_expiry is None else output.cache_expiry
        self._put(key, _Kept(rendering, self._now + min(expiry, self._seconds)))
        return rendering

    @property
    def _now(self) -> float:
        return self._site.clock().timestamp()

    def _get(self, key: tuple[object, ...]) -> Rendering | None:
        with self._guard:
            kept = self._kept.get(key)
            if kept is None or kept.until <= self._now:
                return None
            self._kept.move_to_end(key)
            return kept.rendering

    def _put(self, key: tuple[object, ...], kept: _Kept) -> None:
        if kept.rendering.cost > self._most:
            return
        with self._guard:
            if (old := self._kept.pop(key, None)) is not None:
                self._size -= old.rendering.cost
            self._kept[key] = kept
            self._size += kept.rendering.cost
            while self._size > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._size -= oldest.rendering.cost


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
        html=with_dark_grounds(output.html),
        title_html=title_html,
        sections=tuple(output.sections) if output.show_toc else (),
        categories=tuple(output.categories),
        languages=tuple(output.language_links.values()),
        indicators=tuple(output.indicators.values()),
        is_indexed="noindex" not in output.properties,
    )
