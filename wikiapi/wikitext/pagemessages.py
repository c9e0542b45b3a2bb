"""Interface messages in a page, warnings for editors, and tracking categories."""

from __future__ import annotations

from functools import cached_property
from importlib import resources
from pathlib import Path

from wikiapi.budget import Budget
from wikiapi.i18n.catalog import MessageCatalog, Template
from wikiapi.i18n.localized import localized_texts
from wikiapi.i18n.message import Message, MessageParam
from wikiapi.title.codec import TitleCodec
from wikiapi.title.namespaces import CATEGORY, MEDIAWIKI
from wikiapi.wikitext.expand.loader import TemplateLoader
from wikiapi.wikitext.output import DEFAULT_SORT, ParserOutput
from wikiapi.wikitext.syntax import trim


class ParserMessages(MessageCatalog):
    """Messages from the site's catalogue, else the parser's own, else derived from CLDR."""

    def __init__(self, site: MessageCatalog) -> None:
        """Load the parser's messages; those of ``site`` take precedence."""
        folder = Path(str(resources.files("wikiapi.wikitext.messages")))
        self._site = site
        self._own = MessageCatalog.load([folder])
        super().__init__({})

    def find(self, key: str, language: str) -> Template | None:
        """Return the text of a message with unfilled parameters, or ``None``."""
        for catalog in (self._site, self._own):
            if found := catalog.find(key, language):
                return found
        text = localized_texts(language).get(key)
        return None if text is None else Template(text, language)


class PageMessages:
    """The messages of one rendering, in the content language and in the interface language."""

    def __init__(
        self,
        catalog: ParserMessages,
        titles: TitleCodec,
        loader: TemplateLoader,
        language: str,
        interface_language: str,
    ) -> None:
        """Look up messages in ``catalog``, and the wiki's pages that replace them in ``loader``."""
        self._catalog = catalog
        self._titles = titles
        self._loader = loader
        self.language = language
        """The content language."""
        self.interface_language = interface_language
        """The language of the parts of a page that depend on the reader's settings."""

    def text(self, key: str, *params: MessageParam) -> str:
        """Return a message in the content language."""
        return self._catalog.text(Message(key, params), self.language)

    def interface_text(self, key: str, *params: MessageParam) -> str:
        """Return a message in the interface language."""
        return self._catalog.text(Message(key, params), self.interface_language)

    def error(self, key: str, *params: MessageParam) -> str:
        """Return wikitext that shows an error message in the page."""
        return f'<span class="error">{self.text(key, *params)}</span>'

    def page_text(self, key: str) -> str:
        """Return the text of the page in the MediaWiki namespace; empty if there is none."""
        page = self._titles.try_parse(key, MEDIAWIKI)
        text = self._loader.get(page) if page else None
        return trim(text.text) if text else ""

    @cached_property
    def red_link_tip(self) -> str:
        """The tooltip of a link to a missing page; ``$1`` in it stands for the page."""
        return self.text("red-link-title", "$1")


class Notices:
    """Adds warnings and tracking categories to the output of one rendering."""

    def __init__(
        self, output: ParserOutput, messages: PageMessages, titles: TitleCodec, budget: Budget
    ) -> None:
        """Add to ``output``, using the texts of ``messages``."""
        self._output = output
        self._messages = messages
        self._titles = titles
        self._budget = budget
        self._categories: dict[str, str] = {}

    def warn(self, key: str, *params: MessageParam) -> None:
        """Add a warning for editors of the page; a later one with the same key replaces it."""
        text = self._messages.text(key, *params)
        self._budget.keep(text)
        self._output.add_warning(key, text)

    def add_tracking_category(self, key: str) -> None:
        """Put the page into the category that a message names (``-`` for none).

        The sort key is the page's default sort key, if it has been set by now.
        """
        if name := self.tracking_category(key):
            output = self._output
            sort_key = output.properties.get(DEFAULT_SORT) or output.categories.get(name, "")
            output.add_category(name, sort_key)

    def tracking_category(self, key: str) -> str:
        """Return the database key of the category that a message names; empty for none."""
        if key not in self._categories:
            self._categories[key] = self._category(key)
        return self._categories[key]

    def _category(self, key: str) -> str:
        name = self._messages.page_text(key) or self._messages.text(key)
        title = None if name == "-" else self._titles.try_parse(name, CATEGORY)
        return title.dbkey if title and title.ns == CATEGORY else ""
