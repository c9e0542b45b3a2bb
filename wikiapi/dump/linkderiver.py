"""Parses stored pages for what they link to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.dump.linkrows import link_set
from wikiapi.store import texts
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.site import Site
    from wikiapi.store.batches import Key
    from wikiapi.store.texts import PageText
    from wikiapi.store.write.links import PageLinkSet
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.loader import TemplateLoader

_BATCHES_PER_LOADER = 10
_WIKITEXT = "wikitext"
_OPTIONS = ParserOptions(target=Target.LINKS, limit_report=False)


class LinkDeriver:
    """Parses pages. Templates are kept for some thousand pages, then fetched again."""

    def __init__(self, site: Site) -> None:
        """Parse for this site."""
        self._site = site
        self._loader: TemplateLoader | None = None
        self._batches = 0

    def derive(self, keys: Sequence[Key]) -> list[PageLinkSet]:
        """The links of the pages that exist under the titles, in their order."""
        loader = self._fresh_loader()
        found = texts.current(self._site.db, keys)
        return [self._derive(found[key], loader) for key in keys if key in found]

    def _fresh_loader(self) -> TemplateLoader:
        if self._loader is None or self._batches % _BATCHES_PER_LOADER == 0:
            self._loader = self._site.parser.loader()
        self._batches += 1
        return self._loader

    def _derive(self, page: PageText, loader: TemplateLoader) -> PageLinkSet:
        title = self._site.titles.make(page.namespace, page.title)
        output = self._output(page, title, loader)
        if output.interrupted:
            output = self._output(page, title, loader)
        return link_set(page.page_id, title, page.timestamp, output)

    def _output(self, page: PageText, title: Title, loader: TemplateLoader) -> ParserOutput:
        text = page.text or ""
        if page.model == _WIKITEXT:
            return self._site.parser.links_of(text, title, loader)
        model = self._site.parser.registries.content_models.get(page.model)
        if model is None:
            return ParserOutput()
        output = model.render(self._site, text, title, _OPTIONS)
        output.redirect = model.redirect_target(self._site, text)
        return output
