"""The language that a page is written in."""

from __future__ import annotations

from wikiapi.languages.codes import is_known_language
from wikiapi.title.contentmodel import CODE_MODELS
from wikiapi.title.namespaces import MEDIAWIKI
from wikiapi.title.title import Title

_CODE_LANGUAGE = "en"


def page_language(title: Title, model: str, stored: str | None, content_language: str) -> str:
    """Return the code of a page's language.

    Args:
        title: the title of the page; those of interface messages can end in a language code.
        model: the content model of the page.
        stored: the language set for this page, if any.
        content_language: the content language of the wiki.
    """
    if stored:
        return stored
    if model in CODE_MODELS:
        return _CODE_LANGUAGE
    if title.namespace.id == MEDIAWIKI:
        _, mark, code = title.dbkey.rpartition("/")
        return code if mark and is_known_language(code) else content_language
    return content_language
