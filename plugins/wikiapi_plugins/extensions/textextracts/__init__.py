"""TextExtracts: ``prop=extracts``, pages as plain text or as limited HTML.

The setting ``remove`` of ``[extensions.textextracts]`` lists the elements to leave out, as ``tag``,
``tag.class``, ``.class`` or ``#id``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import islice
from pathlib import Path
from sys import getsizeof
from typing import NamedTuple, cast

from wikiapi.api import Obj, PropModule, bad_continue, boolean, enum, integer, limit
from wikiapi.cache import BoundedCache
from wikiapi.errors import ApiError
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import Num, Plain
from wikiapi.plugins import Extension
from wikiapi.site import Site
from wikiapi.store import PageRow, RevisionRow
from wikiapi.store.queries import PageText, revisions, texts
from wikiapi.title import FILE, WIKITEXT, Title, default_model
from wikiapi.wikitext import ParserOptions, ParserOutput, Revision, tidy, trim
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.textextracts.filtering import (
    MEDIA,
    REMOVED,
    Filter,
    formatted,
    introduction,
    limited_html,
    plain_text,
)
from wikiapi_plugins.markdown.addresses import Addresses
from wikiapi_plugins.markdown.document import to_markdown

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "TextExtracts",
            kind="other",
            description="Extracts of pages as plain text or limited HTML",
            query_modules=(Extracts,),
            messages=FOLDER / "messages",
        ),
    )


_XML = frozenset({"xml", "xmlfm"})
_VALUE = "extract"


class Extracts(PropModule):
    """Returns plain-text or limited HTML extracts of the given pages."""

    name = "extracts"
    prefix = "ex"
    params = (
        integer("chars", "How many characters to return; the text may be a little longer.",
                minimum=1, maximum=1200),
        integer("sentences", "How many sentences to return.", minimum=1, maximum=10),
        limit("How many extracts to return; more than one only with exintro.",
              default=20, largest=20, highest=20),
        boolean("intro", "Return only what comes before the first section."),
        boolean("plaintext", "Return extracts as plain text instead of limited HTML."),
        enum("sectionformat", "plain", "wiki", "raw", default="wiki",
             help="How to show section titles in plain text.",
             value_help=(("plain", "As lines of their own."),
                         ("wiki", "As in wikitext (== like this ==)."),
                         ("raw", "Between control characters, level first."))),
        integer("continue", "When more results are available, use this to continue."),
    )  # fmt: skip
    examples = (
        ("action=query&prop=extracts&exchars=175&titles=Therion", "The first 175 characters"),
        ("action=query&prop=extracts&exintro=&explaintext=&titles=Therion", "The introduction"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:TextExtracts#API",)

    def execute(self) -> None:
        """Add the extracts of as many pages as the limit allows."""
        titles = self.page_set.titles
        if not titles:
            return
        if self.p["chars"] is not None and self.p["sentences"] is not None:
            names = " and ".join(f'"{self.full(name)}"' for name in ("chars", "sentences"))
            raise ApiError("invalidparammix", "apierror-invalidparammix", Plain(names))
        cut = [name for name in ("chars", "sentences", "plaintext") if self.p[name]]
        if self._form is Form.MARKDOWN and cut:
            names = " and ".join(f'"{self.full(name)}"' for name in ("format", *cut))
            raise ApiError("invalidparammix", "apierror-invalidparammix", Plain(names))
        # Of whole pages, one extract is added.
        most: int = self.p["limit"]
        if most > 1 and len(titles) > 1 and not self.p["intro"]:
            self.warn("apiwarn-textextracts-limit", Num(1))
            most = 1
        offset: int = self.p["continue"] or 0
        if not 0 <= offset <= len(titles):
            raise bad_continue()
        batch = dict(islice(titles.items(), offset, offset + most))
        end = offset + self._add_extracts(batch)
        if end < len(titles):
            self.set_continue(end)
        if any(title.ns == FILE for title in batch.values()):
            self.warn("apiwarn-textextracts-title-in-file-namespace")

    def _add_extracts(self, batch: dict[int, Title]) -> int:
        """Add the extracts; return how many fitted into the answer."""
        rows = [self.page_set.good[page_id] for page_id, title in batch.items() if title.ns != FILE]
        readable = [row for row in rows if self._is_readable(row, batch[row.page_id])]
        extracts = PageExtracts.of(self.site).find(
            readable,
            form=self._form,
            intro=self.p["intro"],
            variant=self.context.variant or self.context.language,
        )
        if rows and self._form is Form.HTML:
            if self.p["sentences"]:
                self.warn("apiwarn-textextracts-sentences-and-html", Plain(self.actual_prefix))
            self.warn("apiwarn-textextracts-malformed-html")
        for number, page_id in enumerate(batch):
            if not self._add(page_id, self._cut(extracts[page_id]) if page_id in extracts else ""):
                return number
        return len(batch)

    def _is_readable(self, row: PageRow, title: Title) -> bool:
        """Return whether a page is wikitext, and warn if it is not."""
        model = row.content_model or default_model(title)
        if model != WIKITEXT:
            name = Plain(title.prefixed_text)
            self.warn("apiwarn-textextracts-unsupportedmodel", name, Plain(model))
        return model == WIKITEXT

    @property
    def _form(self) -> Form:
        """The requested form; ``format`` is a parameter only if a plugin adds it."""
        if self.p.get("format") is not None:
            return Form(self.p.text("format"))
        return Form.PLAIN if self.p.flag("plaintext") else Form.HTML

    def _cut(self, text: str) -> str:
        if self._form is Form.MARKDOWN:
            return text
        plain: bool = self.p["plaintext"]
        if self.p["chars"]:
            text = first_characters(text, self.p["chars"], plain=plain)
        elif self.p["sentences"]:
            text = first_sentences(text, self.p["sentences"], plain=plain)
        return formatted(text, self.p["sectionformat"]) if plain else text

    def _add(self, page_id: int, text: str) -> bool:
        if not self.add_page_value(page_id, _VALUE, text):
            return False
        if self.context.request.params.get("format") in _XML:
            page = cast("Obj", self.result.node(("query", "pages", page_id)))
            page.subelements |= {_VALUE}
        return True


ELLIPSIS = "..."
_REST_OF_WORD = re.compile(r"[\w/]*>?")
_END = re.compile(r"[.!?](?=[ \n]|\Z)|[。．！？｡]")
_UPPERCASE = "Lu"


def first_characters(text: str, count: int, *, plain: bool) -> str:
    """Return at least ``count`` characters, up to the end of a word or tag, with dots if cut."""
    if len(text) <= count:
        return text
    match = _REST_OF_WORD.match(text, count)
    end = match.end() if match else count
    return text if end == len(text) else _balanced(text[:end], plain=plain) + ELLIPSIS


def first_sentences(text: str, count: int, *, plain: bool) -> str:
    """Return ``count`` sentences, or all complete ones; the first line if there are none.

    A full stop after a capital letter is taken for an abbreviation.
    """
    end = 0
    for match in _END.finditer(text):
        before = text[max(match.start() - 1, 0) : match.start()]
        if match[0] == "." and (not before or unicodedata.category(before) == _UPPERCASE):
            continue
        if match.start() != end or not end:
            if not count:
                break
            count -= 1
        end = match.end()
    if not end:
        return trim(text.partition("\n")[0])
    return _balanced(text[:end], plain=plain)


def _balanced(text: str, *, plain: bool) -> str:
    return trim(text if plain else tidy(text))


class Form(Enum):
    """How an extract is written."""

    HTML = "html"
    PLAIN = "plain"
    MARKDOWN = "markdown"


class Key(NamedTuple):
    """What an extract depends on: revision, time of the page's last change, form and variant."""

    latest: int
    touched: str
    form: Form
    intro: bool
    variant: str


CACHED_BYTES = 16_777_216
_KEY_BYTES = 256
NAME = "textextracts"


class PageExtracts:
    """The extracts of one site's pages."""

    def __init__(self, site: Site) -> None:
        """Read from the configuration which elements to leave out."""
        self._site = site
        selectors = site.config.extensions.get(NAME, {}).get("remove", REMOVED)
        self._filter = Filter.of((*selectors, *MEDIA))
        self._cache: BoundedCache[Key, str] = BoundedCache(CACHED_BYTES)

    @classmethod
    def of(cls, site: Site) -> PageExtracts:
        """Return the extracts of a site, which are created on first use."""
        return site.derived(cls)

    def find(
        self, rows: Sequence[PageRow], *, form: Form, intro: bool, variant: str
    ) -> dict[int, str]:
        """Return the extracts by page id. A page whose text is hidden has an empty one.

        As in MediaWiki, an introduction is taken from the whole extract if that is cached, and
        otherwise from the rendered page, where it also ends at headings that extracts leave out.

        ``variant`` is a variant of the content language, if that has any. Takes two database
        queries for all pages that are not cached.
        """
        language = self._site.parser.content_converter
        variant = (language and language.find(variant)) or ""
        keys = {row.page_id: Key(row.latest, row.touched, form, intro, variant) for row in rows}
        extracts = {page_id: self._cached(key) for page_id, key in keys.items()}
        missing = [row for row in rows if extracts[row.page_id] is None]
        for page_id, text, is_cacheable in self._make_extracts(
            missing, form=form, intro=intro, variant=variant
        ):
            if is_cacheable:
                self._cache.put(keys[page_id], text, getsizeof(text) + _KEY_BYTES)
            extracts[page_id] = text
        return {page_id: text or "" for page_id, text in extracts.items()}

    def _cached(self, key: Key) -> str | None:
        text = self._cache.get(key)
        if text is None and key.intro and key.form is not Form.MARKDOWN:
            whole = self._cache.get(key._replace(intro=False))
            return None if whole is None else introduction(whole, plain=key.form is Form.PLAIN)
        return text

    def _make_extracts(
        self, rows: Sequence[PageRow], *, form: Form, intro: bool, variant: str
    ) -> Iterable[tuple[int, str, bool]]:
        """Yield page ids and extracts, and whether they may be cached."""
        if not rows:
            return
        stored = texts.current(self._site.db, [row.key for row in rows])
        written = revisions.by_ids(self._site.db, [row.latest for row in rows])
        for row in rows:
            page = stored.get(row.key)
            if page is not None:
                output = self._rendered(page, written.get(row.latest), variant)
                html = introduction(output.html, plain=False) if intro else output.html
                if form is Form.MARKDOWN:
                    text = to_markdown(html, self._site.derived(Addresses).resolve)
                else:
                    text = (plain_text if form is Form.PLAIN else limited_html)(html, self._filter)
                yield row.page_id, text, not output.interrupted

    def _rendered(self, page: PageText, revision: RevisionRow | None, variant: str) -> ParserOutput:
        model = self._site.content_models.get(page.model)
        if model is None or page.text is None:
            return ParserOutput()
        options = ParserOptions(
            variant=variant,
            edit_sections=False,
            limit_report=False,
            toc=False,
            redirect_note=False,
            wrapper_class="",
            revision=Revision.of(revision),
        )
        title = self._site.titles.make(page.namespace, page.title)
        return model.render(self._site.parser, page.text, title, options)
