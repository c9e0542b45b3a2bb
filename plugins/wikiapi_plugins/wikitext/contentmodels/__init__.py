"""Content models, which define how a page's text is converted to HTML."""

from __future__ import annotations

from wikiapi_plugins.wikitext.contentmodels import code, json, unknown, wikitext

DECLARATIONS = (
    *code.DECLARATIONS,
    *json.DECLARATIONS,
    *unknown.DECLARATIONS,
    *wikitext.DECLARATIONS,
)
