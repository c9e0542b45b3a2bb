"""``action=setpagelanguage``."""

from __future__ import annotations

from wikiapi.api import Obj, compact
from wikiapi.errors import ApiError
from wikiapi.i18n import Plain
from wikiapi.store.models import Page
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.pages import current_page
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.recording.derived import DerivedData
from wikiapi_plugins.editing.recording.tagging import tag_change
from wikiapi_plugins.query.titleorid import title_or_id

_DEFAULT = "default"


class SetPageLanguage(WriteAction):
    """Changes the language of a page."""

    def perform(self) -> None:
        """Set the language, and put the old and new one into the result.

        Raises:
            ApiError: ``pagelang-disabled``, ``missingtitle``, ``pagelang-unchanged-language``, or
                the user may not change it.
        """
        if not self.site.config.editing.page_languages:
            raise ApiError.of("pagelang-disabled", "apierror-pagelang-disabled")
        page = current_page(self, title_or_id(self))
        self.check_allowed("pagelang", page.title, page.row)
        if page.row is None:
            raise ApiError.of("missingtitle", "apierror-missingtitle")
        self.check_allowed("edit", page.title, page.row)
        given = self.p.text("lang")
        new, old = None if given == _DEFAULT else given, page.row.language
        if new == old:
            key = "pagelang-unchanged-language" + ("" if new else "-default")
            name = Plain(page.title.prefixed_text)
            raise ApiError.of(key, key, name, Plain(new or self.site.language))
        changed = Page.update(page_lang=new, page_touched=compact(self.context.now))
        self.db.execute_write(changed.where(Page.page_id == page.row.page_id))
        DerivedData(self.site).update_links([page.title])
        shown = {"oldlanguage": self._shown(old), "newlanguage": self._shown(new)}
        entry_id = Changelog(self.context).add_entry(
            "pagelang",
            "pagelang",
            page.title,
            page_id=page.row.page_id,
            reason=self.p.text_or_none("reason") or "",
            params={"4::oldlanguage": shown["oldlanguage"], "5::newlanguage": shown["newlanguage"]},
        )
        tag_change(self.db, self.p.texts("tags"), log_id=entry_id)
        data = Obj({"title": page.title.prefixed_text, **shown, "logid": entry_id})
        self.result.set((), self.name, data)

    def _shown(self, language: str | None) -> str:
        return language or f"{self.site.language}[def]"
