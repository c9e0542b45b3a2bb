"""The language a page is written in."""

from __future__ import annotations

from wikiapi.i18n.languages import is_known_language
from wikiapi.title.contentmodel import CODE_MODELS
from wikiapi.title.namespaces import MEDIAWIKI
from wikiapi.title.title import Title

_CODE_LANGUAGE = "en"


def page_language(title: Title, model: str, stored: str | None, content_language: str) -> str:
    """Return the code of a page's language.

    Args:
        title: the page's title; interface messages end in the code of their language.
        model: the page's content model.
        stored: the language set for this page alone, if one is.
        content_language: the wiki's.
    """
    if stored:
        return stored
    if model in CODE_MODELS:
        return _CODE_LANGUAGE
    if title.ns == MEDIAWIKI:
        _, mark, code = title.dbkey.rpartition("/")
        return code if mark and is_known_language(code) else content_language
    return content_language
