"""``action=stashedit``."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n import Plain
from wikiapi.store.queries import revisions
from wikiapi.title.contentmodel import WIKITEXT
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.identity.throttling import exceeds_rate_limit
from wikiapi_plugins.editing.objectcache import Entries
from wikiapi_plugins.editing.pages import CurrentPage, current_page, parse_title
from wikiapi_plugins.editing.parameters import one_of
from wikiapi_plugins.editing.texts.sections import NEW, add_section, replace_section
from wikiapi_plugins.query.users.preferences import signature_of

_LASTS = timedelta(minutes=5)
_MAX_TEXTS = 50
"""Largest number of texts that are kept for a wiki; the oldest are removed."""
_TEXTS = Entries("stashedit")
"""The texts, by their hashes."""


class StashEdit(WriteAction):
    """Keeps a text that is about to be saved, and parses it with everything that it transcludes.

    This fills the caches of syntax trees, so that saving the text is faster.
    """

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
            raise ApiError.of("botsnotsupported", "apierror-botsnotsupported")
        title = parse_title(self, self.p.text("title"))
        if title.ns < 0:
            raise ApiError.of("pagecannotexist", "apierror-pagecannotexist")
        self._check_format()
        self._digest, self._text = self._digest_and_text()
        page = current_page(self, title)
        number = self.p.number("baserevid")
        if page.row and number > 0 and number not in revisions.by_ids(self.db, [number]):
            raise ApiError.of("nosuchrevid", "apierror-nosuchrevid", number)
        self._status = "stashed"
        if exceeds_rate_limit(self.context, self.name):
            self._status = "ratelimited"
        elif self.p.text("contentmodel") == WIKITEXT:
            self._read(page, self._text)

    def perform(self) -> None:
        """Keep the text, and put its hash and the outcome into the result."""
        if self._status == "stashed":
            _TEXTS.delete_expired(self.site)
            _TEXTS.delete(self.site, self._digest)  # it does not count among the others
            _TEXTS.keep_latest(self.site, _MAX_TEXTS - 1)
            _TEXTS.put(self.site, self._digest, self._text, self.context.now + _LASTS)
        self.result.set((), self.name, Obj({"status": self._status, "texthash": self._digest}))

    def _check_format(self) -> None:
        model, form = self.p.text("contentmodel"), self.p.text("contentformat")
        known = self.site.parser.registries.content_models.get(model)
        if known is not None and form not in known.formats:
            message_params = (Plain(form), Plain(model))
            raise ApiError.of("badmodelformat", "apierror-badformat-generic", *message_params)

    def _digest_and_text(self) -> tuple[str, str]:
        """Return the hash of the text, and the text, which is given or kept from before."""
        if one_of(self, "stashedtexthash", "text") == "text":
            text = self.p.text("text").rstrip().replace("\r\n", "\n")
            return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), text
        digest = self.p.text("stashedtexthash")
        kept = _TEXTS.get(self.site, digest)
        if kept is None:
            raise ApiError.of("missingtext", "apierror-stashedit-missingtext")
        return digest, kept.value

    def _read(self, page: CurrentPage, text: str) -> None:
        """Parse the text of the whole page as saving will do."""
        parser, user = self.site.parser, self.context.user
        section = self.p.text_or_none("section") or ""
        whole: str | None = text
        if section == NEW:
            heading = self.p.text_or_none("sectiontitle") or self.p.text("summary")
            whole = add_section(page.text or "", heading, text)
        elif section and page.text is not None:
            whole = replace_section(parser, page.text, section, text)
        if whole is not None:
            saved = parser.saved(whole, page.title, user.name, signature_of(user))
            parser.links_of(saved, page.title)
