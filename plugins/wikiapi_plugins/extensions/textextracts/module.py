"""``prop=extracts``."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import cast

from wikiapi.api import Obj, PropModule, bad_continue, boolean, enum, integer, limit
from wikiapi.errors import ApiError
from wikiapi.i18n import Num, Plain
from wikiapi.store import PageRow
from wikiapi.title import FILE, Title
from wikiapi.title.contentmodel import WIKITEXT, default_model
from wikiapi.wikitext.html.tidy import tidy
from wikiapi_plugins.extensions.textextracts import filtering
from wikiapi_plugins.extensions.textextracts.pages import Form, PageExtracts

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
        self._check()
        most = self._limit(len(titles))
        offset = self._offset(len(titles))
        batch = dict(islice(titles.items(), offset, offset + most))
        end = offset + self._add_extracts(batch)
        if end < len(titles):
            self.set_continue(end)
        if any(title.ns == FILE for title in batch.values()):
            self.warn("apiwarn-textextracts-title-in-file-namespace")

    def _check(self) -> None:
        if self.p["chars"] is not None and self.p["sentences"] is not None:
            names = " and ".join(f'"{self.full(name)}"' for name in ("chars", "sentences"))
            raise ApiError.of("invalidparammix", "apierror-invalidparammix", Plain(names))
        cut = [name for name in ("chars", "sentences", "plaintext") if self.p[name]]
        if self._form is Form.MARKDOWN and cut:
            names = " and ".join(f'"{self.full(name)}"' for name in ("format", *cut))
            raise ApiError.of("invalidparammix", "apierror-invalidparammix", Plain(names))

    def _limit(self, count: int) -> int:
        """Return how many extracts to add, which is only one for whole pages."""
        most: int = self.p["limit"]
        if most > 1 and count > 1 and not self.p["intro"]:
            self.warn("apiwarn-textextracts-limit", Num(1))
            return 1
        return most

    def _offset(self, count: int) -> int:
        offset: int = self.p["continue"] or 0
        if not 0 <= offset <= count:
            raise bad_continue()
        return offset

    def _add_extracts(self, batch: dict[int, Title]) -> int:
        """Add the extracts; return how many fitted into the answer."""
        rows = [self.page_set.good[page_id] for page_id, title in batch.items() if title.ns != FILE]
        readable = [row for row in rows if self._is_readable(row, batch[row.page_id])]
        found = PageExtracts.of(self.site).find(
            readable,
            form=self._form,
            intro=self.p["intro"],
            variant=self.context.variant or self.context.language,
        )
        if rows and self._form is Form.HTML:
            self._warn_of_html()
        for number, page_id in enumerate(batch):
            if not self._add(page_id, self._cut(found[page_id]) if page_id in found else ""):
                return number
        return len(batch)

    def _is_readable(self, row: PageRow, title: Title) -> bool:
        """Return whether a page is wikitext, and warn if it is not."""
        model = row.content_model or default_model(title)
        if model != WIKITEXT:
            name = Plain(title.prefixed_text)
            self.warn("apiwarn-textextracts-unsupportedmodel", name, Plain(model))
        return model == WIKITEXT

    def _warn_of_html(self) -> None:
        if self.p["sentences"]:
            self.warn("apiwarn-textextracts-sentences-and-html", Plain(self.actual_prefix))
        self.warn("apiwarn-textextracts-malformed-html")

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
        return filtering.formatted(text, self.p["sectionformat"]) if plain else text

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
_BLANKS = " \t\n\r\0\x0b"


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
        if _is_abbreviation(text, match):
            continue
        if match.start() != end or not end:
            if not count:
                break
            count -= 1
        end = match.end()
    if not end:
        return text.partition("\n")[0].strip(_BLANKS)
    return _balanced(text[:end], plain=plain)


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if match[0] != ".":
        return False
    before = match.start() - 1
    return before < 0 or unicodedata.category(text[before]) == _UPPERCASE


def _balanced(text: str, *, plain: bool) -> str:
    return (text if plain else tidy(text)).strip(_BLANKS)
