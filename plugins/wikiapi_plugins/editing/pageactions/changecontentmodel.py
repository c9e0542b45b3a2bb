"""``action=changecontentmodel``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n import Plain
from wikiapi.title.contentmodel import default_model
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.pages import CurrentPage, current_page
from wikiapi_plugins.editing.saving import NewText, PageWriter
from wikiapi_plugins.query.titleorid import title_or_id

_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "Scribunto": "Scribunto module",
        "css": "CSS",
        "javascript": "JavaScript",
        "json": "JSON",
        "sanitized-css": "Sanitized CSS",
        "text": "plain text",
    }
)
"""Names of content models as readers see them, where they differ from the identifiers."""


class ChangeContentModel(WriteAction):
    """Changes the content model of a page without changing its text."""

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
            raise ApiError.of("changecontentmodel-missingtitle", key, name)
        old, new = page.row.content_model or default_model(page.title), self.p.text("model")
        if old == new:
            raise ApiError.of("nochanges", "apierror-nochanges")
        for model in (old, new):
            self.check_allowed("editcontentmodel", page.title, page.row, model)
            self.check_allowed("edit", page.title, page.row, model)
        reason = self.p.text_or_none("summary") or ""
        changed = (
            f"{self.context.user.name} changed the content model of the page "
            f'[[{page.title.prefixed_text}]] from "{_name(old)}" to "{_name(new)}"'
        )
        step = NewText(
            self._text(page, new),
            new,
            f"{changed}: {reason}" if reason else changed,
            is_bot=self.p.flag("bot") and self.context.user.can("bot"),
            tags=("mw-contentmodelchange", *self.p.texts("tags")),
        )
        writer = PageWriter(self.context)
        saved = writer.save(page.title, page.row, step)
        entry_id = writer.log_model_change(
            page.title, saved.page_id, (old, new), reason, self.p.texts("tags")
        )
        data = Obj({"result": "Success", "title": page.title.prefixed_text})
        data |= {"pageid": saved.page_id, "contentmodel": new}
        data |= {"logid": entry_id, "revid": saved.revision_id}
        self.result.set((), self.name, data)

    def _text(self, page: CurrentPage, model: str) -> str:
        """Return the page's text in the form in which the new model stores it.

        Raises:
            ApiError: ``changecontentmodel-cannot-convert``, if it is hidden from readers or is not
                valid in the new model.
        """
        if page.is_hidden:
            raise _unconvertible(page, model)
        text = page.text or ""
        try:
            declared = self.site.parser.registries.content_models[model]
            return declared.saved(self.site.parser, text, page.title)
        except ApiError as error:
            raise _unconvertible(page, model) from error


def _unconvertible(page: CurrentPage, model: str) -> ApiError:
    key = "changecontentmodel-cannot-convert"
    return ApiError.of(key, key, Plain(page.title.prefixed_text), Plain(_name(model)))


def _name(model: str) -> str:
    return _NAMES.get(model, model)
