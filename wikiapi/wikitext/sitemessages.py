"""The texts of a wiki's interface, in every language and form.

A text is that of the wiki's page in the MediaWiki namespace (``MediaWiki:Key`` in the content
language, ``MediaWiki:Key/xx`` in another), else that of the catalogue. The text of a page is
written by users, and treated like the text of any page.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from wikiapi.budget import Budget
from wikiapi.languages.catalog import MAIN_PAGE, MessageCatalog, unknown_text
from wikiapi.languages.codes import is_language_code
from wikiapi.languages.filling import (
    insert,
    needs_parser,
    render_param,
    resolve_genders,
    resolve_plurals,
)
from wikiapi.languages.folders import with_spaces
from wikiapi.languages.language import language as language_facts
from wikiapi.languages.message import Message, MessageParam, Plain, Template
from wikiapi.store.queries import interface, texts
from wikiapi.temporary import temporary_attribute
from wikiapi.title.namespaces import MEDIAWIKI
from wikiapi.title.title import Title
from wikiapi.wikitext.html.entities import escape_all, escape_text
from wikiapi.wikitext.html.spacing import armour_french_spaces
from wikiapi.wikitext.options import ParserOptions, Target

if TYPE_CHECKING:
    from wikiapi.budget import Budgets
    from wikiapi.store.database import Database
    from wikiapi.store.genders import Genders
    from wikiapi.title.codec import TitleCodec
    from wikiapi.wikitext.expand.loader import PageTexts
    from wikiapi.wikitext.output import ParserOutput

_TITLE = "API"
"""The page whose name stands for ``{{PAGENAME}}`` where a text belongs to no page."""
_MAX_DEPTH = 2
"""How many texts may be expanded within each other, such as an error within another text."""
_MARKUP = re.compile(r"[\[{<>&\n]|''|//|__|[a-z]:\w|^[*#:;= ]")
"""Matches what may be markup, so that a text without it need not be parsed."""
_PARAGRAPH = re.compile(r"<p>((?:(?!</?p\b).)*)</p>", re.DOTALL)
_EXPANDED = ParserOptions(
    target=Target.WIKITEXT, limit_report=False, is_interface_message=True, remove_comments=False
)
_RENDERED = ParserOptions(
    limit_report=False, wrapper_class="", edit_sections=False, toc=False, is_interface_message=True
)


class PageSource(Protocol):
    """Where the pages with which a wiki changes its texts are read."""

    def names(self) -> frozenset[str]:
        """Return the names of these pages."""

    def page_text(self, title: Title) -> str | None:
        """Return the text of a page, or None if there is none."""


class MessageParser(Protocol):
    """What texts need of the parser, which itself needs the texts of its wiki."""

    @property
    def pages(self) -> PageTexts:
        """Where the texts of pages are read."""

    def expand(self, text: str, title: Title, options: ParserOptions) -> str:
        """Return the text with its templates, variables and parser functions expanded."""

    def parse(self, text: str, title: Title, options: ParserOptions) -> ParserOutput:
        """Return the output of rendering a text as the page ``title``."""


class _ThreadState(threading.local):
    budget: Budget | None = None
    """The budget of the request or batch for which ``names`` were read."""
    names: frozenset[str] = frozenset()
    depth: int = 0


class SiteMessages:
    """The texts of one wiki's interface. Can be used by several threads."""

    parser: MessageParser
    """Set once, by the parser itself."""

    def __init__(
        self,
        catalog: MessageCatalog,
        language: str,
        titles: TitleCodec,
        genders: Genders,
        db: Database,
        budgets: Budgets,
    ) -> None:
        """Take the catalogue, for texts that the wiki has no pages for, and parts of the wiki.

        ``language`` is that of the wiki's content.
        """
        self._language = language
        self._titles = titles
        self._genders = genders
        self._db = db
        self._budgets = budgets
        self.catalog = catalog
        """The texts without the wiki's pages."""
        self._thread = _ThreadState()
        self._pages: tuple[interface.State | None, frozenset[str]] = (None, frozenset())

    # Templates: texts with their placeholders

    def find(self, key: str, language: str, source: PageSource | None = None) -> Template | None:
        """Return the template of a key in a language or its nearest fallback, or None.

        Args:
            key: the key, beginning with a small letter.
            language: the code of the language.
            source: where pages are read, by default the store.
        """
        if (page := self._changed(key, language, source)) is not None:
            return page
        if (template := self.default(key, language)) is not None:
            return template
        for code in (*language_facts(language).chain[1:], self._language):
            if (page := self._changed(key, code, source)) is not None:
                return page
        return None

    def default(self, key: str, language: str) -> Template | None:
        """Return the template of a key that the wiki has before its pages change it, or None."""
        if key == MAIN_PAGE and language == self._language:
            return Template(self._titles.main_page.prefixed_text, language)
        return self.catalog.find(key, language)

    def page_of(self, key: str, language: str) -> Title | None:
        """Return the title of the page with which the wiki can change a text."""
        name = self._titles.capitalise(key.replace(" ", "_"))
        if language != self._language:
            if not is_language_code(language):
                return None
            name = f"{name}/{language}"
        title = self._titles.try_parse(name, MEDIAWIKI)
        return title if title and title.ns == MEDIAWIKI else None

    def built_in(self, name: str) -> Template | None:
        """Return the template that a page of the MediaWiki namespace has if it is not stored.

        Args:
            name: the name of the page, which can end in the code of a language, as in
                ``sidebar/de``.
        """
        key, slash, code = name.replace(" ", "_").rpartition("/")
        if not slash or not is_language_code(code) or code != code.lower():
            key, code = name.replace(" ", "_"), self._language
        return self.default(key[:1].lower() + key[1:], code)

    def _changed(self, key: str, language: str, source: PageSource | None) -> Template | None:
        """Return the text of the page of a key, or of the key that says the same in MediaWiki."""
        page = self._page(key, language, source)
        same = self.catalog.equivalents.get(key)
        if page is not None or same is None:
            return page
        other = self._page(same.key, language, source)
        text = None if other is None else same.adapted(other.text)
        return None if text is None else Template(text, language)

    def _page(self, key: str, language: str, source: PageSource | None) -> Template | None:
        """Return the text of the page of a key, or None if there is no such page."""
        title = self.page_of(key, language)
        pages = source or self
        if title is None or title.dbkey not in pages.names():
            return None
        text = pages.page_text(title)
        return None if text is None else Template(with_spaces(text), language)

    def page_text(self, title: Title) -> str | None:
        """Return the text of a page as it is in the store, or None if there is none."""
        row = self.parser.pages.current([title.key]).get(title.key)
        return row[2] if row else None

    def names(self) -> frozenset[str]:
        """Return the names of the pages with which the wiki changes texts.

        Runs one query, or none if this thread's request or batch has used texts before; a second
        one if pages have changed since the names were last read.
        """
        thread, budget = self._thread, self._budgets.current
        if thread.budget is budget and budget is not self._budgets.outside:
            return thread.names
        state = interface.state(self._db)
        if state != self._pages[0]:
            self._pages = state, interface.names(self._db)
        thread.budget, thread.names = budget, self._pages[1]
        return thread.names

    def stored(self, keys: Iterable[str], language: str) -> Mapping[str, str]:
        """Return the texts of those keys for which the wiki has pages in a language. One query."""
        titles = {key: title for key in keys if (title := self.page_of(key, language))}
        rows = texts.current(self._db, (title.key for title in titles.values()))
        return {
            key: with_spaces(row.text)
            for key, title in titles.items()
            if (row := rows.get(title.key)) is not None and row.text is not None
        }

    # Forms of a message

    def text(self, message: Message, language: str, title: Title | None = None) -> str:
        """Return a message as text, with templates and functions expanded.

        The text may contain HTML and other wikitext: escape it, or use :meth:`html`. Plural forms,
        numbers and grammar are those of the language of the text, which is a fallback language if
        there is no translation. A key that does not exist gives ``⧼key⧽``.
        """
        template = self.find(message.key, language)
        return (
            unknown_text(message.key) if template is None else self.fill(template, message, title)
        )

    def content_text(self, key: str, *params: MessageParam) -> str:
        """Return a message as text in the content language, such as a summary to be stored."""
        return self.text(Message(key, params), self._language)

    def html(self, message: Message, language: str, title: Title | None = None) -> str:
        """Return a message as HTML, parsed as wikitext and sanitised, for use within a line."""
        template = self.find(message.key, language)
        if template is None:
            return escape_text(unknown_text(message.key))
        return self.render(template, message, title)

    def fill(self, template: Template, message: Message, title: Title | None = None) -> str:
        """Return a template filled with the parameters of a message, as :meth:`text` does."""
        template = self._with_genders(template, message)
        if self._thread.depth >= _MAX_DEPTH or not needs_parser(template.text):
            return self.catalog.fill(template, message)
        options = replace(_EXPANDED, language=template.language)
        with self._deeper():
            text = self._with_wikitext(template, message)
            text = self.parser.expand(text, title or self._nowhere, options)
        return insert(
            text, message.params, lambda each: each.value if isinstance(each, Plain) else None
        )

    def render(self, template: Template, message: Message, title: Title | None = None) -> str:
        """Return a template filled with the parameters of a message, as :meth:`html` does."""
        text = self._with_wikitext(self._with_genders(template, message), message)
        if self._thread.depth >= _MAX_DEPTH or not _MARKUP.search(text):
            html = armour_french_spaces(escape_text(text))
        else:
            options = replace(_RENDERED, language=template.language)
            with self._deeper():
                html = self.parser.parse(text, title or self._nowhere, options).html.strip()
        if paragraph := _PARAGRAPH.fullmatch(html):
            html = paragraph[1].strip()
        return insert(
            html,
            message.params,
            lambda each: escape_all(each.value) if isinstance(each, Plain) else None,
        )

    def _with_genders(self, template: Template, message: Message) -> Template:
        """Return a template with the forms for users, which then seldom needs the parser."""
        text = resolve_genders(template.text, message.params, self._genders.__getitem__)
        return template if text == template.text else Template(text, template.language)

    def _with_wikitext(self, template: Template, message: Message) -> str:
        """Return a template with those parameters inserted that may be wikitext."""
        text, language = template
        params = message.params
        if not needs_parser(text):
            text = resolve_plurals(text, params, language)
        words = self.catalog.words(language)
        return insert(
            text,
            params,
            lambda each: None if isinstance(each, Plain) else render_param(each, language, words),
        )

    def _deeper(self) -> AbstractContextManager[object]:
        """Return a context manager for a block that expands a text."""
        return temporary_attribute(self._thread, "depth", self._thread.depth + 1)

    @property
    def _nowhere(self) -> Title:
        return self._titles.parse(_TITLE)
