"""``{{plural:number|one|other|12=dozen}}``: the form of a word that goes with a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from wikiapi.i18n.catalog import plural_index
from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.numbers import parse_formatted

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def plural(call: FunctionCall) -> str:
    """The form by the rules of the page's language; ``12=`` is for that number alone."""
    language = call.state.page_language
    number = parse_formatted(call.first, language)
    forms: list[str] = []
    for form in call.args[1:]:
        exact, mark, text = form.partition("=")
        if mark and exact.isascii() and exact.isdigit():
            if exact == number:
                return text
        else:
            forms.append(form)
    if not forms:
        return ""
    return forms[min(_index(number, language), len(forms) - 1)]


def _index(number: str, language: str) -> int:
    """A text that is no number, or none that could be counted to, counts as 0."""
    try:
        finite = math.isfinite(float(number))
    except ValueError:
        finite = False
    return plural_index(number if finite else "0", language)


DECLARATIONS = (ParserFunction("plural", plural),)
