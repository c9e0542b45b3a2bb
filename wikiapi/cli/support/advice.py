"""What to do next when a command fails, by the kind of error and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wikiapi.errors import (
    ConfigError,
    DumpError,
    PluginError,
    StoreCorrupt,
    StoreFull,
    StoreUnavailable,
    StoreVersionError,
)

if TYPE_CHECKING:
    from wikiapi.errors import WikiapiError


class Advice(NamedTuple):
    """What helps against errors of a kind whose text holds a fragment."""

    kind: type[WikiapiError]
    fragment: str
    text: str


ADVICE: tuple[Advice, ...] = (
    Advice(
        StoreUnavailable,
        "no database file",
        "`wikiapi import DUMP` makes a store; --database URL, or url in [database] of wikiapi.toml,"
        " names one that is elsewhere.",
    ),
    *(
        Advice(
            StoreUnavailable,
            fragment,
            "Another process is writing to the store: wait for it, then give the same command"
            " again. What was written stays.",
        )
        for fragment in ("locked", "lock wait timeout", "lock timeout", "deadlock")
    ),
    Advice(StoreUnavailable, "PyMySQL", "`pip install 'wikiapi[mysql]'` brings the driver."),
    Advice(StoreUnavailable, "psycopg", "`pip install 'wikiapi[postgresql]'` brings the driver."),
    Advice(
        StoreUnavailable,
        "of kind",
        "A database URL is sqlite:///FILE, mysql://USER:PASSWORD@HOST/NAME or postgresql://...",
    ),
    Advice(StoreUnavailable, "", "`wikiapi doctor` looks at the configuration and the store."),
    Advice(
        StoreFull,
        "",
        "Make room, then give the same command again: what was written stays, and an import goes on"
        " where it stopped.",
    ),
    Advice(StoreCorrupt, "not a database", "Check the database URL: that file is something else."),
    Advice(StoreCorrupt, "", "`wikiapi check` tells what is damaged."),
    Advice(StoreVersionError, "upgrade it", "`wikiapi db upgrade` does; copy the store first."),
    Advice(StoreVersionError, "upgrade wikiapi", "`pip install --upgrade wikiapi` does."),
    Advice(
        ConfigError,
        "cannot listen",
        "--listen 127.0.0.1:PORT takes another port; something else may be using this one.",
    ),
    Advice(ConfigError, "", "`wikiapi doctor` lists everything that is wrong with it."),
    Advice(
        PluginError,
        "",
        'disabled = ["NAME"] in [plugins] of wikiapi.toml leaves a plugin out;'
        " `wikiapi doctor` tells which fail.",
    ),
    Advice(
        DumpError,
        "this is a dump of",
        "--database URL gives it a store of its own; --any-wiki puts both into one.",
    ),
    Advice(
        DumpError,
        "redirects to",
        "Give the address of api.php at which the wiki itself answers, as its Special:Version tells"
        " it.",
    ),
    *(
        Advice(
            DumpError,
            fragment,
            "Give the address of the wiki's api.php, as its Special:Version tells it.",
        )
        for fragment in ("answers no JSON", "answers HTTP", "address of an api.php")
    ),
    *(
        Advice(
            DumpError,
            fragment,
            "What was taken over before stays, and nothing of this answer was. If that is the"
            " api.php of a MediaWiki, the same command goes on once it answers as one.",
        )
        for fragment in (
            "gives an answer",
            "does not send its answer",
            "did not answer",
            "packs its answer",
            "cannot be unpacked",
        )
    ),
    Advice(
        DumpError,
        "one of the clocks",
        "Set this machine's clock, or wait until the wiki's has been set: an update goes on from"
        " the time that it tells.",
    ),
    Advice(
        DumpError,
        "not well-formed",
        "A dump is MediaWiki's XML export, plain or packed. If a download broke off, fetch it anew"
        " and give the same command again.",
    ),
)
"""The first that fits is shown."""


class Failure(click.ClickException):
    """An error of ours, shown with what to do next."""

    def __init__(self, message: str, advice: str = "") -> None:
        """Take what is wrong and what helps."""
        super().__init__(message)
        self.advice = advice

    @classmethod
    def of(cls, error: WikiapiError) -> Failure:
        """The failure that an exception causes."""
        return cls(str(error), advice_for(error))

    def show(self, file: Any = None) -> None:
        super().show(file)
        if self.advice:
            click.echo(f"Hint: {self.advice}", file=file, err=file is None)


class Interrupted(Failure):
    """Ctrl-C."""

    exit_code = 130
    """As shells report a program that was interrupted."""

    def __init__(self, advice: str = "") -> None:
        """Take what to do to go on."""
        super().__init__("interrupted", advice)

    def show(self, file: Any = None) -> None:
        click.echo(file=file, err=file is None)  # after the ^C that terminals show
        super().show(file)


def advice_for(error: WikiapiError) -> str:
    """What to do about an error; empty where its text says it all."""
    text = str(error)
    lowered = text.lower()
    fitting = (
        advice.text
        for advice in ADVICE
        if isinstance(error, advice.kind)
        and (advice.fragment in text or advice.fragment in lowered)
    )
    return next(fitting, "")
