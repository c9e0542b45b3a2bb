"""Content models: how a page's text becomes HTML."""

from __future__ import annotations

from wikiapi_plugins.wikitext.contentmodels import code, json, unknown, wikitext

DECLARATIONS = (
    *code.DECLARATIONS,
    *json.DECLARATIONS,
    *unknown.DECLARATIONS,
    *wikitext.DECLARATIONS,
)
