"""The request that words of the command line describe, in any of the forms people have at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def parameters(words: Iterable[str]) -> dict[str, str]:
    """The parameters by name; of one that is given twice the last counts, as in the API.

    A word is ``name=value`` with the value as it is, or an address or query string copied from
    elsewhere, percent-encoded: ``https://wiki.example/w/api.php?action=query``, ``?action=query``,
    ``action=query&titles=A``.

    Raises:
        click.UsageError: a word is none of that.
    """
    return dict(pair for word in words for pair in _pairs(word))


def _pairs(word: str) -> Iterator[tuple[str, str]]:
    query = _query_string(word)
    if query is not None:
        yield from parse_qsl(query, keep_blank_values=True)
        return
    name, separator, value = word.partition("=")
    if not separator or not name:
        raise click.UsageError(
            f"{word!r} is no parameter: write name=value, or a whole query string"
        )
    yield name, value


def _query_string(word: str) -> str | None:
    """The query string in a word; None where it is one parameter with a value as it is."""
    if word.startswith("?"):
        return word[1:]
    if word.startswith(("http://", "https://", "/")):
        return urlsplit(word).query
    # No action is called so, while a text or title may well hold an ampersand.
    if word.startswith("action=") and "&" in word:
        return word
    return None
