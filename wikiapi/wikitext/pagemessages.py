"""Interface messages in a page, warnings for editors, and tracking categories."""

from __future__ import annotations

from functools import cached_property

from wikiapi.budget import Budget
from wikiapi.languages.catalog import unknown_text
from wikiapi.languages.message import Message, MessageParam, Template
from wikiapi.texts import trim
from wikiapi.title.codec import TitleCodec
from wikiapi.title.namespaces import CATEGORY, MEDIAWIKI
from wikiapi.title.title import Title
from wikiapi.wikitext.expand.loader import TemplateLoader
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.output import DEFAULT_SORT, ParserOutput
from wikiapi.wikitext.sitemessages import SiteMessages


class LoadedPages:
    """The pages that change texts, each of which is fetched once for all renderings in a batch."""

    def __init__(self, loader: TemplateLoader, messages: SiteMessages) -> None:
        """Read with the loader of the renderings."""
        self._loader = loader
        self._messages = messages

    def names(self) -> frozenset[str]:
        """Return the names of the pages as they were when the batch first asked."""
        if self._loader.message_names is None:
            self._loader.message_names = self._messages.names()
        return self._loader.message_names

    def page_text(self, title: Title) -> str | None:
        """Return the text of a page, or None if there is none."""
        text = self._loader.get(title)
        return text.text if text else None


class PageMessages:
    """The messages of one rendering, in the content language and in the interface language."""

    def __init__(
        self,
        messages: SiteMessages,
        titles: TitleCodec,
        loader: TemplateLoader,
        title: Title,
        language: str,
        interface_language: str,
    ) -> None:
        """Look up messages, and in ``loader`` the pages of the wiki that replace them.

        ``title`` is the page that is rendered, to which functions in a message refer.
        """
        self._messages = messages
        self._titles = titles
        self._pages = LoadedPages(loader, messages)
        self._title = title
        self._templates: dict[tuple[str, str], Template] = {}
        self.language = language
        """The content language."""
        self.interface_language = interface_language
        """The language of the parts of a page that depend on the reader's settings."""

    def text(self, key: str, *params: MessageParam) -> str:
        """Return a message in the content language, as wikitext without templates."""
        return self.text_in(self.language, key, *params)

    def interface_text(self, key: str, *params: MessageParam) -> str:
        """Return a message in the interface language, as wikitext without templates."""
        return self.text_in(self.interface_language, key, *params)

    def text_in(self, language: str, key: str, *params: MessageParam) -> str:
        """Return a message in a language, as wikitext without templates."""
        template = self.template(key, language)
        if template is None:
            return unknown_text(key)
        return self._messages.fill(template, Message(key, params), self._title)

    def html(self, key: str, *params: MessageParam) -> str:
        """Return a message in the content language as HTML.

        Its links do not count as links of the page.
        """
        template = self.template(key, self.language)
        if template is None:
            return escape_text(unknown_text(key))
        return self._messages.render(template, Message(key, params), self._title)

    def template(self, key: str, language: str) -> Template | None:
        """Return a message with its placeholders in a language, or None.

        It is looked up once in a rendering, since a page has as many edit links as sections.
        """
        template = self._templates.get((key, language))
        if template is None and (template := self._messages.find(key, language, self._pages)):
            self._templates[key, language] = template
        return template

    def error(self, key: str, *params: MessageParam) -> str:
        """Return wikitext that shows an error message in the page."""
        return f'<span class="error">{self.text(key, *params)}</span>'

    def error_html(self, key: str, *params: MessageParam) -> str:
        """Return HTML that shows an error message in the page."""
        return f'<span class="error">{self.html(key, *params)}</span>'

    def page_text(self, key: str) -> str:
        """Return the text of the page in the MediaWiki namespace; empty if there is none."""
        page = self._titles.try_parse(key, MEDIAWIKI)
        return trim(self._pages.page_text(page) or "") if page else ""

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
            name = self._messages.page_text(key) or self._messages.text(key)
            title = None if name == "-" else self._titles.try_parse(name, CATEGORY)
            self._categories[key] = title.dbkey if title and title.ns == CATEGORY else ""
        return self._categories[key]
