"""``{{#wordcount: text | shortest }}``: how many words a text has."""

from __future__ import annotations

from wikiapi.wikitext import FunctionCall, ParserFunction
from wikiapi_wordcount.words import count_words


def wordcount(call: FunctionCall) -> str:
    """The number; words shorter than the second argument are left out, if that is a number."""
    shortest = call.arg(1)
    is_number = shortest.isascii() and shortest.isdigit() and len(shortest) < 4
    return str(count_words(call.first, int(shortest) if is_number else 1))


DECLARATION = ParserFunction("#wordcount", wordcount)
