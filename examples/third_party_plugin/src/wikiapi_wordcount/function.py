"""``{{#wordcount: text | shortest }}``: the number of words of a text."""

from __future__ import annotations

from wikiapi.wikitext import FunctionCall, ParserFunction
from wikiapi_wordcount.words import count_words


def wordcount(call: FunctionCall) -> str:
    """Return the number of words that have at least as many letters as the second argument."""
    shortest = call.arg(1)
    is_number = shortest.isascii() and shortest.isdigit() and len(shortest) < 4
    return str(count_words(call.first, int(shortest) if is_number else 1))


DECLARATION = ParserFunction("#wordcount", wordcount)
