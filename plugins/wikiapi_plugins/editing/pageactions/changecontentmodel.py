"""``action=changecontentmodel``."""

from __future__ import annotations

from wikiapi.api import (
    PAGE,
    TAGS,
    CurrentPage,
    Obj,
    WriteAction,
    boolean,
    current_page,
    enum,
    string,
    title_or_id,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.pages import NewText, PageWriter, automatic_tags
from wikiapi.site import Site
from wikiapi.title import WIKITEXT, default_model
from wikiapi_plugins.editing.texts import stored_text
from wikiapi_plugins.wikitext.contentmodels.names import editable_models


class ChangeContentModel(WriteAction):
    """Change the content model of a page."""

    name = "changecontentmodel"
    position = 49
    params = (
        *PAGE,
        string("summary", "Edit summary and log entry."),
        TAGS,
        enum("model", choices=editable_models, required=True, help="New content model."),
        boolean("bot", "Mark the change as a bot's."),
    )
    examples = (
        (
            "action=changecontentmodel&title=Main%20Page&model=text&token=123ABC",
            "Change a page to plain text",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Help:ChangeContentModel",)

    def perform(self) -> None:
        """Save the text with its new model, and put the log entry and revision into the result.

        Raises:
            ApiError: ``changecontentmodel-missingtitle``, ``nochanges``,
                ``changecontentmodel-cannot-convert``, or the user may not change the model.
        """
        page = current_page(self, title_or_id(self))
        if page.row is None:
            name = Plain(page.title.prefixed_text)
            key = "apierror-changecontentmodel-missingtitle"
            raise ApiError("changecontentmodel-missingtitle", key, name)
        self.require_right("editcontentmodel")
        old, new = page.row.content_model or default_model(page.title), self.p.text("model")
        for model in (old, new):
            self.check_allowed("editcontentmodel", page.title, page.row, model)
            self.check_allowed("edit", page.title, page.row, model)
        if old == new:
            raise ApiError("nochanges", "apierror-nochanges")
        reason = self.p.text_or_none("summary") or ""
        user = self.context.user.name
        models = Plain(_model_name(self.site, old)), Plain(_model_name(self.site, new))
        say = self.site.messages.content_text
        changed = say(
            "logentry-contentmodel-change", user, user, f"[[{page.title.prefixed_text}]]", *models
        )
        text, redirects = self._converted_text(page, new), self.site.redirects
        before = redirects.target(page.text) if page.text and old == WIKITEXT else None
        after = redirects.target(text) if new == WIKITEXT else None
        tags = automatic_tags(page.text, text, before, after, changes_model=True)
        step = NewText(
            text,
            new,
            f"{changed}{say('colon-separator')}{reason}" if reason else changed,
            is_bot=self.p.flag("bot") and self.context.user.can("bot"),
            tags=(*tags, *self.p.texts("tags")),
        )
        writer = PageWriter(self.context.performer)
        saved = writer.save(page.title, page.row, step)
        entry_id = writer.log_model_change(
            page.title, saved.page_id, (old, new), reason, self.p.texts("tags")
        )
        data = Obj({"result": "Success", "title": page.title.prefixed_text})
        data |= {"pageid": saved.page_id, "contentmodel": new}
        data |= {"logid": entry_id, "revid": saved.revision_id}
        self.result.set((), self.name, data)

    def _converted_text(self, page: CurrentPage, model: str) -> str:
        """Return the page's text in the form in which the new model stores it.

        Raises:
            ApiError: ``changecontentmodel-cannot-convert``, if it is hidden from readers, or an
                error of the new model, in which it is not valid.
        """
        if page.is_hidden:
            key = "changecontentmodel-cannot-convert"
            name = Plain(_model_name(self.site, model))
            raise ApiError(key, key, Plain(page.title.prefixed_text), name)
        return stored_text(self.context.performer, page.title, page.text or "", model)


def _model_name(site: Site, model: str) -> str:
    """Return the name of a content model as readers see it."""
    key = f"content-model-{model}"
    message = site.messages.default(key, site.language)
    return site.messages.content_text(key) if message else model
