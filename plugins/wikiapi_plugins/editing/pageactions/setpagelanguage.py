"""``action=setpagelanguage``."""

from __future__ import annotations

from wikiapi.api import (
    OPTIONAL_REASON,
    PAGE,
    TAGS,
    Obj,
    WriteAction,
    compact,
    current_page,
    enum,
    title_or_id,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.pages import Changelog, DerivedData, tag_change
from wikiapi.site import Site
from wikiapi.store.models import Page
from wikiapi_plugins.shared.facts import facts

_DEFAULT = "default"


def _languages(_: Site) -> tuple[str, ...]:
    """Return the languages that pages can have: those with an interface translation."""
    without = facts("languageswithoutinterface")
    return (*(code for code in facts("languages") if code not in without), "default")


class SetPageLanguage(WriteAction):
    """Change the language of a page."""

    name = "setpagelanguage"
    position = 48
    params = (
        *PAGE,
        enum(
            "lang",
            choices=_languages,
            required=True,
            help="Language code; ``default`` for the language of the wiki.",
        ),
        OPTIONAL_REASON,
        TAGS,
    )
    examples = (
        (
            "action=setpagelanguage&title=Main%20Page&lang=eu&token=123ABC",
            "Change a language to Basque",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:SetPageLanguage",)

    def perform(self) -> None:
        """Set the language, and put the old and new one into the result.

        Raises:
            ApiError: ``pagelang-disabled``, ``missingtitle``, ``pagelang-unchanged-language``, or
                the user may not change it.
        """
        if not self.site.config.editing.page_languages:
            raise ApiError("pagelang-disabled", "apierror-pagelang-disabled")
        self.require_right("pagelang")
        page = current_page(self, title_or_id(self))
        if page.row is None:
            raise ApiError("missingtitle", "apierror-missingtitle")
        self.check_allowed("edit", page.title, page.row)
        code = self.p.text("lang")
        new, old = None if code == _DEFAULT else code, page.row.language
        if new == old:
            key = "pagelang-unchanged-language" + ("" if new else "-default")
            name = Plain(page.title.prefixed_text)
            raise ApiError(key, key, name, Plain(new or self.site.language))
        changed = Page.update(page_lang=new, page_touched=compact(self.context.now))
        self.db.execute_write(changed.where(Page.page_id == page.row.page_id))
        DerivedData(self.site).update_links([page.title])
        names = {"oldlanguage": self._language_name(old), "newlanguage": self._language_name(new)}
        entry_id = Changelog(self.context.performer).add_entry(
            "pagelang",
            "pagelang",
            page.title,
            page_id=page.row.page_id,
            reason=self.p.text_or_none("reason") or "",
            params={"4::oldlanguage": names["oldlanguage"], "5::newlanguage": names["newlanguage"]},
        )
        tag_change(self.db, self.p.texts("tags"), log_id=entry_id)
        data = Obj({"title": page.title.prefixed_text, **names, "logid": entry_id})
        self.result.set((), self.name, data)

    def _language_name(self, language: str | None) -> str:
        return language or f"{self.site.language}[def]"
