"""``{{#language:code}}``, ``#dir`` and ``#bcp47``: a language's name, direction and usual code.

Without a code they are about the language of the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.i18n.languages import direction, html_code, internal_code
from wikiapi.wikitext.declarations import ParserFunction, Variable
from wikiapi_plugins.facts import facts

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_BCP47 = "bcp47"


def language_name(code: str) -> str:
    """What a language is called in itself; its code where nobody has told."""
    names = facts("languages")
    code = code.lower()
    return names.get(code) or names.get(internal_code(code)) or html_code(code)


def _language(call: FunctionCall) -> str:
    return language_name(call.first or call.state.page_language)


def _direction(call: FunctionCall) -> str:
    code = call.first.lower() or call.state.page_language
    return direction(internal_code(code) if call.arg(1) == _BCP47 else code)


def _bcp47(call: FunctionCall) -> str:
    return html_code(call.first or call.state.page_language)


VARIABLES = (
    Variable("#language", lambda state: language_name(state.page_language), case_sensitive=False),
    Variable("#dir", lambda state: direction(state.page_language)),
    Variable("#bcp47", lambda state: html_code(state.page_language)),
)
DECLARATIONS = (
    ParserFunction("#language", _language),
    ParserFunction("#dir", _direction, case_sensitive=True),
    ParserFunction("#bcp47", _bcp47, case_sensitive=True),
)
