from __future__ import annotations

import pytest
from click.testing import CliRunner

from wikiapi.cli.support.advice import ADVICE, Failure, Interrupted, advice_for
from wikiapi.errors import (
    ConfigError,
    DumpError,
    SearchRefused,
    StoreError,
    StoreUnavailable,
    StoreVersionError,
    WikiapiError,
)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StoreUnavailable("no database file at x"), "wikiapi import DUMP"),
        (StoreUnavailable("MySQL driver not installed! Install the package PyMySQL."), "[mysql]"),
        (StoreUnavailable("PostgreSQL needs the package psycopg[binary]"), "[postgresql]"),
        (StoreUnavailable("something new"), "wikiapi doctor"),
        (StoreVersionError("the store has layout 1, 2 is needed: upgrade it"), "db upgrade"),
        (ConfigError("cannot listen on 'x'"), "--listen"),
        (ConfigError("unknown setting x"), "wikiapi doctor"),
        (DumpError("this is a dump of 'a', but the store has 'b'"), "--any-wiki"),
        (SearchRefused("this database has no full-text index"), "list=prefixsearch"),
    ],
)
def test_what_to_do_next(error: WikiapiError, words: str) -> None:
    assert words in advice_for(error)


def test_nothing_is_advised_where_nothing_is_known() -> None:
    assert advice_for(StoreError("no such store")) == ""


def test_a_general_advice_never_hides_a_special_one() -> None:
    for number, advice in enumerate(ADVICE):
        later = [other for other in ADVICE[number + 1 :] if other.kind is advice.kind]
        assert advice.fragment or not later


def test_failure_shows_what_helps() -> None:
    runner = CliRunner()
    with runner.isolation() as (_, err, _):
        Failure("it broke", "Mend it.").show()
        assert err.getvalue() == b"Error: it broke\nHint: Mend it.\n"


def test_interruption_has_the_status_of_shells() -> None:
    assert Interrupted().exit_code == 130
