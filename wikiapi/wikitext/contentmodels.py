"""Content models: how pages that are not wikitext are stored and shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wikiapi.registry import Registry, collect, own_name
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.parser import Parser


@dataclass(frozen=True, slots=True)
class ContentModel:
    """How pages with one content model are stored and shown.

    ``formats`` are MIME types, the default first. ``render`` returns the :class:`ParserOutput` for
    the text of a page. ``has_sections`` says whether sections can be read and edited separately.
    ``redirect_target`` returns the page that a text redirects to, or ``None`` if it is not a
    redirect; ``redirect_text`` returns a text that redirects to a page, or ``None`` if the model
    has no redirects. ``saved`` returns the text that is stored when a user saves a text, and raises
    :class:`~wikiapi.errors.ApiError` if the text must not be saved. ``is_valid`` says whether a
    text may be stored as it is, as when it is imported. ``is_editable`` says whether clients may
    edit such pages, or change a page to this model.
    """

    name: str
    formats: tuple[str, ...]
    render: Callable[[Parser, str, Title, ParserOptions], ParserOutput]
    has_sections: bool = False
    redirect_target: Callable[[Wiki, str], Title | None] = lambda site, text: None
    is_editable: bool = True
    redirect_text: Callable[[Wiki, Title], str | None] = lambda site, title: None
    saved: Callable[[Parser, str, Title], str] = lambda parser, text, title: text
    is_valid: Callable[[str], bool] = lambda text: True


def content_models(site: Wiki) -> Registry[ContentModel]:
    """Return the content models that plugins declare, by name.

    Raises:
        PluginError: two plugins register the same name, or a plugin's hook fails.
    """
    return collect(
        site.plugins, "register_content_models", own_name, instances_of=ContentModel, site=site
    )
