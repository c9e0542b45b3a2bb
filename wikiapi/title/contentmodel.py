"""The default content model of a page, which depends on its title."""

from __future__ import annotations

import re

from wikiapi.title.namespaces import MEDIAWIKI, MODULE, TEMPLATE, USER
from wikiapi.title.title import Title

WIKITEXT = "wikitext"

_BY_ENDING = {"css": "css", "js": "javascript", "json": "json", "vue": "vue"}
_ENDING = re.compile(r"\.(css|js|json|vue)\Z")

CODE_MODELS = frozenset({"css", "javascript", "json", "vue", "sanitized-css", "Scribunto"})
"""The models of code, whose language is English on every wiki."""


_FORMATS = {
    "wikitext": "text/x-wiki",
    "css": "text/css",
    "sanitized-css": "text/css",
    "javascript": "text/javascript",
    "vue": "text/javascript",
    "json": "application/json",
    "unknown": "application/octet-stream",
}


def default_format(model: str) -> str:
    """Return the MIME type of the text of a content model."""
    return _FORMATS.get(model, "text/plain")


def default_model(title: Title) -> str:
    """Return the default content model of a page.

    The rules are those of MediaWiki and of the extensions Scribunto and TemplateStyles: site and
    user scripts by the extension in their name, pages of ``Module:`` except ``/doc`` pages, and
    ``Template:x/y.css``. Any other page has the model of its namespace, or wikitext.
    """
    name = title.dbkey
    ending = _ENDING.search(name)
    match title.ns:
        case n if n == MODULE and not name.endswith("/doc"):
            return "Scribunto"
        case n if n == TEMPLATE and "/" in name and name.endswith(".css"):
            return "sanitized-css"
        case n if ending and (n == MEDIAWIKI or (n == USER and "/" in name)):
            return _BY_ENDING[ending[1]]
    return title.namespace.content_model or WIKITEXT
