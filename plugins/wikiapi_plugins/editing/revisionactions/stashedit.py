"""``action=stashedit``."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from wikiapi.accounts import Entries, exceeds_rate_limit, signature_of
from wikiapi.api import (
    Obj,
    WriteAction,
    current_page,
    enum,
    integer,
    one_of,
    parse_title,
    string,
    text,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.store.queries import revisions
from wikiapi.title import WIKITEXT
from wikiapi_plugins.editing.texts import NEW, add_section, replace_section
from wikiapi_plugins.wikitext.contentmodels.names import content_formats, content_models

_LASTS = timedelta(minutes=5)
_MAX_TEXTS = 50
"""Largest number of texts that are kept for a wiki; the oldest are removed."""
_TEXTS = Entries("stashedit")
"""The texts, by their hashes."""


class StashEdit(WriteAction):
    """Prepare an edit before it is saved."""

    name = "stashedit"
    position = 12
    params = (
        string("title", "Title of the page.", required=True),
        string("section", "Section: ``0`` for the lead, ``new`` for a new one."),
        string("sectiontitle", "Heading of a new section."),
        text("text", "Content of the page."),
        string("stashedtexthash", "Hash of a text stashed before, instead of the text."),
        string("summary", "Edit summary.", default=""),
        enum(
            "contentmodel", choices=content_models, required=True, help="Content model of the text."
        ),
        enum(
            "contentformat",
            choices=content_formats,
            required=True,
            help="Serialisation of the text.",
        ),
        integer("baserevid", "Revision that the edit is based on.", required=True),
    )
    is_internal = True

    def check_rate(self) -> None:
        """Refuse nobody: beyond the rate limit, requests are answered, but texts are not kept."""

    def prepare(self) -> None:
        """Check the request, and parse the text.

        Raises:
            ApiError: ``botsnotsupported``, ``invalidtitle``, ``pagecannotexist``,
                ``badmodelformat``, ``missingparam``, ``invalidparammix``, ``missingtext`` or
                ``nosuchrevid``.
        """
        if self.context.user.can("bot"):
            raise ApiError("botsnotsupported", "apierror-botsnotsupported")
        title = parse_title(self, self.p.text("title"))
        if title.ns < 0:
            raise ApiError("pagecannotexist", "apierror-pagecannotexist")
        model, form = self.p.text("contentmodel"), self.p.text("contentformat")
        content_model = self.site.content_models.get(model)
        if content_model is not None and form not in content_model.formats:
            key = "apierror-badformat-generic"
            raise ApiError("badmodelformat", key, Plain(form), Plain(model))
        self._digest, self._text = self._digest_and_text()
        page = current_page(self, title)
        number = self.p.number("baserevid")
        base = revisions.by_ids(self.db, [number]).get(number) if number > 0 else None
        if page.row and number > 0 and (base is None or base.page_id != page.row.page_id):
            raise ApiError("nosuchrevid", "apierror-nosuchrevid", number)
        self._status = "stashed"
        if exceeds_rate_limit(self.context.performer, self.name):
            self._status = "ratelimited"
        elif self.p.text("contentmodel") == WIKITEXT:
            parser, user = self.site.parser, self.context.user
            section = self.p.text_or_none("section") or ""
            whole: str | None = self._text
            if section == NEW:
                heading = self.p.text_or_none("sectiontitle") or self.p.text("summary")
                whole = add_section(page.text or "", heading, self._text)
            elif section and page.text is not None:
                whole = replace_section(parser, page.text, section, self._text)
            if whole is not None:
                saved = parser.saved(whole, page.title, user.name, signature_of(user))
                parser.links_of(saved, page.title)

    def perform(self) -> None:
        """Keep the text, and put its hash and the outcome into the result."""
        if self._status == "stashed":
            _TEXTS.delete_expired(self.site)
            _TEXTS.delete(self.site, self._digest)  # it does not count among the others
            _TEXTS.keep_latest(self.site, _MAX_TEXTS - 1)
            _TEXTS.put(self.site, self._digest, self._text, self.context.now + _LASTS)
        self.result.set((), self.name, Obj({"status": self._status, "texthash": self._digest}))

    def _digest_and_text(self) -> tuple[str, str]:
        """Return the hash of the text, and the text, which is given or kept from before."""
        if one_of(self, "stashedtexthash", "text") == "text":
            text = self.p.text("text").rstrip().replace("\r\n", "\n")
            return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), text
        digest = self.p.text("stashedtexthash")
        kept = _TEXTS.get(self.site, digest)
        if kept is None:
            raise ApiError("missingtext", "apierror-stashedit-missingtext")
        return digest, kept.value
