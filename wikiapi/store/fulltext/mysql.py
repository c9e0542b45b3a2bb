"""MariaDB and MySQL: InnoDB's full-text indexes."""

from __future__ import annotations

from collections.abc import Sequence

from wikiapi.store.fulltext.base import Term
from wikiapi.store.fulltext.server import ServerIndex, words

# A prefix of all words, so that single letters are long enough for the index and no word is a stop
# word: see innodb_ft_min_token_size and innodb_ft_default_stopword.
_HEAD = "wq"

# innodb_ft_max_token_size is 84.
_LONGEST = 80


class MysqlIndex(ServerIndex):
    """An index of words encoded in ASCII, which all parsers and collations treat alike.

    Of words in other scripts, only about the first dozen letters are indexed. A phrase that ends in
    an asterisk is searched as single words.
    """

    # The type of si_title, which is a varchar in MediaWiki's own index.
    kind = "mediumtext"
    found = "MATCH ({column}) AGAINST (%s IN BOOLEAN MODE)"
    rank = found
    definition = (
        (
            "CREATE TABLE IF NOT EXISTS searchindex (si_page INT UNSIGNED NOT NULL PRIMARY KEY,"
            " si_title MEDIUMTEXT NOT NULL, si_text MEDIUMTEXT NOT NULL,"
            " FULLTEXT INDEX si_title (si_title), FULLTEXT INDEX si_text (si_text))"
            " ENGINE=InnoDB DEFAULT CHARSET=ascii COLLATE=ascii_bin"
        ),
    )

    def value(self, text: str) -> str:
        """Return the words, separated by spaces."""
        return " ".join(map(_written, words(text)))

    def expression(self, terms: Sequence[Term], *, any_of: bool = False) -> str:
        """Return words and phrases, all or any of which must be present."""
        parts = " ".join(part for term in terms if (part := _part(term)))
        # A plus makes a word mandatory; words themselves contain only letters and digits.
        return parts.replace("+", "") if any_of else parts


def _part(term: Term) -> str:
    found = [_written(word) for word in words(term.text)]
    if not found:
        return ""
    if term.prefix:
        return " ".join(f"+{word}" for word in found) + "*"
    return f'+"{" ".join(found)}"' if len(found) > 1 else f"+{found[0]}"


def _written(word: str) -> str:
    if word.isascii():
        return (_HEAD + word)[:_LONGEST]
    return (_HEAD + "".join(map(_letter, word)))[:_LONGEST]


def _letter(char: str) -> str:
    return char if char.isascii() else f"q{ord(char):x}q"
