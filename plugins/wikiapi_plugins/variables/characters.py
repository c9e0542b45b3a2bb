"""Characters that mean something within a call, and how to write them there."""

from __future__ import annotations

from wikiapi.wikitext.declarations import Variable

DECLARATIONS = (
    Variable("!", lambda state: "|"),
    Variable("=", lambda state: "="),
)
