"""Derives the links of stored pages by parsing them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from wikiapi.errors import BudgetExceeded, StoreError
from wikiapi.filerepo.lookups import FileLookups
from wikiapi.languages.collation import Collation
from wikiapi.site import Site
from wikiapi.store.models import ImageLinks
from wikiapi.store.queries import generation, texts
from wikiapi.store.queries.texts import PageText
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.write.links import CategoryLink, PageLinkSet, RedirectTarget
from wikiapi.texts import counted
from wikiapi.title.contentmodel import WIKITEXT
from wikiapi.title.namespaces import CATEGORY, FILE
from wikiapi.title.title import Title
from wikiapi.wikitext.expand.loader import TemplateLoader
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import DEFAULT_SORT, ParserOutput
from wikiapi.workers.executor import working_on

logger = logging.getLogger(__name__)

_BATCHES_PER_LOADER = 10
_OPTIONS = ParserOptions(target=Target.LINKS, limit_report=False)
_FILES = ByValues(ImageLinks.select(ImageLinks.il_from, ImageLinks.il_to), ImageLinks.il_from)


class LinkDeriver:
    """Parses pages for their links.

    Templates are cached for ten batches, then read again, or sooner if the wiki was written to.

    Files are looked up for all pages of a batch together: before the pages are parsed those whose
    names occur in the texts or were links of the pages, and afterwards the others, which requires
    parsing their pages again.
    """

    def __init__(self, site: Site) -> None:
        """Parse pages of a site."""
        self._site = site
        self._loader: TemplateLoader | None = None
        self._often: dict[str, Title] = {}
        self._batches = 0
        self._generation: int | None = None

    def derive(self, keys: Sequence[Key]) -> list[PageLinkSet]:
        """Return the links of pages, in the order of the titles; missing pages are skipped.

        If a foreign file repository cannot be reached, a page keeps its stored rows that depend on
        whether the files exist there. A warning in the log says how many pages these are.
        """
        # The first batch is mostly the only one.
        now = generation.current(self._site.db) if self._batches else None
        is_old = now != self._generation or self._batches % _BATCHES_PER_LOADER == 0
        if self._loader is None or is_old:
            self._loader, self._generation = self._site.parser.loader(), now
            self._often = {}
        self._batches += 1
        loader = self._loader
        stored = texts.current(self._site.db, keys)
        pages = [stored[key] for key in keys if key in stored]
        files = FileLookups(self._site.files)
        if self._site.files.foreign:
            files.load(self._likely_files(pages))
        with self._site.budgets.batch():
            with files.deferring():
                outputs = [self._parsed(page, loader, files) for page in pages]
            if deferred := files.load_deferred():
                self._often |= deferred
                for index, page in enumerate(pages):
                    if not outputs[index].unknown_files.isdisjoint(deferred):
                        outputs[index] = self._parsed(page, loader, files)
        unclear = sum(bool(output.unknown_files) for output in outputs)
        if unclear:
            text = "a file repository cannot be reached: %s keep what they said of missing files"
            logger.warning(text, counted(unclear, "page"))
        make, collation = self._site.titles.make, self._site.collation
        return [
            link_set(
                page.page_id, make(page.namespace, page.title), page.timestamp, output, collation
            )
            for page, output in zip(pages, outputs, strict=True)
        ]

    def _likely_files(self, pages: Sequence[PageText]) -> list[Title]:
        """Return the files that pages probably use, by their links and texts. One query."""
        names = dict.fromkeys(self._often)
        for _, name in _FILES.rows(self._site.db, (page.page_id for page in pages)):
            names.setdefault(name)
        for page in pages:
            for name in islice(_file_names(page.text or ""), _LIKELY_FILES_PER_PAGE):
                title = self._site.titles.try_parse(name, FILE)
                if title and title.ns == FILE and not title.interwiki:
                    names.setdefault(title.dbkey)
        return [self._site.titles.make(FILE, name) for name in names]

    def _parsed(self, page: PageText, loader: TemplateLoader, files: FileLookups) -> ParserOutput:
        title = self._site.titles.make(page.namespace, page.title)
        working_on(title.prefixed_text)
        try:
            output = self._output(page, title, loader, files)
            if output.interrupted:
                output = self._output(page, title, loader, files)
        except (StoreError, BudgetExceeded):
            raise
        except Exception as error:
            # An error in a plugin's content model, or a bug, affects the links of one page only.
            name, failed = title.prefixed_text, f"parsing ({type(error).__name__})"
            text = "page %r: no links are derived, since parsing it failed: %s: %s"
            arguments = (name, type(error).__name__, error)
            logger.error(text, *arguments, exc_info=error, extra={"failed": failed})
            output = ParserOutput()
        return output

    def _output(
        self, page: PageText, title: Title, loader: TemplateLoader, files: FileLookups
    ) -> ParserOutput:
        text = page.text or ""
        if page.model == WIKITEXT:
            return self._site.parser.links_of(text, title, loader, files)
        model = self._site.content_models.get(page.model)
        if model is None:
            return ParserOutput()
        output = model.render(self._site.parser, text, title, _OPTIONS)
        output.redirect = model.redirect_target(self._site, text)
        return output


_LIKELY_FILES_PER_PAGE = 200
_SEPARATORS = re.compile(r"[\[\]{}|<>=/#\n]+")
_LONGEST_NAME = 240
_ENDINGS = (
    ".apng", ".djvu", ".flac", ".gif", ".jpeg", ".jpg", ".mid", ".mp3", ".mpeg", ".mpg", ".oga",
    ".ogg", ".ogv", ".opus", ".pdf", ".png", ".stl", ".svg", ".tif", ".tiff", ".wav", ".webm",
    ".webp", ".xcf",
)  # fmt: skip


def _file_names(text: str) -> Iterator[str]:
    """Yield what looks like the name of a file in wikitext, with a namespace or without."""
    for part in _SEPARATORS.split(text):
        if len(part) <= _LONGEST_NAME and part.rstrip().lower().endswith(_ENDINGS):
            yield part.strip()


_MEMBER_TYPES = {CATEGORY: "subcat", FILE: "file"}
_PREFIX_BYTES = 255
_CONTROL = str.maketrans("\n\t", "  ")


def link_set(
    page_id: int, title: Title, timestamp: str, output: ParserOutput, collation: Collation
) -> PageLinkSet:
    """Return the rows of the link tables for one page.

    Args:
        page_id: the id of the page.
        title: the title of the page.
        timestamp: the time since when it is in its categories, 14 digits.
        output: the result of parsing it.
        collation: makes its sort keys.
    """
    target = output.redirect
    return PageLinkSet(
        page_id,
        title.ns,
        templates=list(output.templates),
        pages=[key for key in output.links if key[0] >= 0],
        existence=list(output.existence_links),
        images=list(output.images),
        categories=_categories(title, timestamp, output, collation),
        external=list(output.external_links),
        interwiki=list(output.interwiki_links),
        languages=[(link.prefix, link.title) for link in output.language_links.values()],
        redirect=None
        if target is None
        else RedirectTarget(target.ns, target.dbkey, target.interwiki, target.fragment),
        properties=output.properties,
        plugin_data=output.plugin_data,
        title=title.dbkey,
    )


def _categories(
    title: Title, timestamp: str, output: ParserOutput, collation: Collation
) -> list[CategoryLink]:
    member = _MEMBER_TYPES.get(title.ns, "page")
    default = output.properties.get(DEFAULT_SORT, "")
    links = []
    for name, sort_key in output.categories.items():
        text = (sort_key or default).translate(_CONTROL)
        prefix = text.encode()[:_PREFIX_BYTES].decode("utf-8", "ignore")
        key = collation.member_key(title.text, prefix)
        links.append(CategoryLink(name, prefix, key, member, timestamp))
    return links
