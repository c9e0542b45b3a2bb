"""Advice for failed commands, selected by the type and text of the error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wikiapi.errors import (
    ConfigError,
    DumpError,
    PluginError,
    SearchRefused,
    StoreCorrupt,
    StoreFull,
    StoreUnavailable,
    StoreVersionError,
)

if TYPE_CHECKING:
    from wikiapi.errors import WikiapiError


_ENDS = (".", "?", "!")


class Advice(NamedTuple):
    """Advice for errors of a type whose text contains a fragment."""

    kind: type[WikiapiError]
    fragment: str
    text: str


ADVICE: tuple[Advice, ...] = (
    Advice(
        StoreUnavailable,
        "no database file",
        "`wikiapi import DUMP` creates a store. To use another one, pass --database URL or set url"
        " in [database] of wikiapi.toml.",
    ),
    *(
        Advice(
            StoreUnavailable,
            fragment,
            "Another process is writing to the store: wait for it, then run the same command again."
            " Committed changes are kept.",
        )
        for fragment in ("locked", "lock wait timeout", "lock timeout", "deadlock")
    ),
    Advice(
        StoreUnavailable, "PyMySQL", "`pip install 'wikiapi-server[mysql]'` installs the driver."
    ),
    Advice(
        StoreUnavailable,
        "psycopg",
        "`pip install 'wikiapi-server[postgresql]'` installs the driver.",
    ),
    Advice(
        StoreUnavailable,
        "of kind",
        "A database URL is sqlite:///FILE, mysql://USER:PASSWORD@HOST/NAME or postgresql://...",
    ),
    Advice(StoreUnavailable, "", "`wikiapi doctor` checks the configuration and the store."),
    Advice(
        StoreFull,
        "",
        "Free some space, then run the same command again: committed changes are kept, and an"
        " import resumes.",
    ),
    Advice(StoreCorrupt, "not a database", "Check the database URL: the file is not a database."),
    Advice(StoreCorrupt, "", "`wikiapi check` shows what is damaged."),
    Advice(StoreVersionError, "upgrade it", "Copy the store, then run `wikiapi db upgrade`."),
    Advice(StoreVersionError, "upgrade wikiapi", "Run `pip install --upgrade wikiapi-server`."),
    Advice(
        ConfigError,
        "cannot listen",
        "The port may be in use: choose another one with --listen 127.0.0.1:PORT.",
    ),
    Advice(
        ConfigError,
        "site.main_page is",
        "Set main_page in [site] to the name of a page, which cannot contain # < > [ ] { } or |.",
    ),
    Advice(
        ConfigError,
        "site.writable is set",
        "Set writable = false in [site], or import a dump of the wiki into a new store.",
    ),
    Advice(ConfigError, "", "`wikiapi doctor` lists all problems with it."),
    Advice(
        PluginError,
        "",
        'disabled = ["NAME"] in [plugins] of wikiapi.toml disables a plugin;'
        " `wikiapi doctor` shows which plugins fail.",
    ),
    Advice(
        SearchRefused,
        "no full-text index",
        "`wikiapi import` of a dump into a new store creates one. `wikiapi get action=query"
        " list=prefixsearch pssearch=WORD` finds titles by their beginning without one.",
    ),
    Advice(
        DumpError,
        "this is a dump of",
        "Use --database URL to import it into another store, or --any-wiki to import both into"
        " one.",
    ),
    Advice(
        DumpError,
        "set files.folder",
        'Add a line with [files] and one with folder = "images" to wikiapi.toml.',
    ),
    Advice(
        DumpError,
        "found no API of",
        "Name the address of the wiki's api.php, as shown by its Special:Version.",
    ),
    Advice(
        DumpError,
        "redirects to",
        "Use the address to which api.php redirects, as shown by the wiki's Special:Version.",
    ),
    *(
        Advice(
            DumpError,
            fragment,
            "Use the address of the wiki's api.php, as shown by its Special:Version.",
        )
        for fragment in ("does not answer with", "answers HTTP", "address of an api.php")
    ),
    *(
        Advice(
            DumpError,
            fragment,
            "Earlier changes are kept, and this answer was ignored. If the address is the api.php"
            " of a MediaWiki, run the same command again when it works.",
        )
        for fragment in (
            "sends an answer",
            "does not send its answer",
            "did not answer",
            "compresses its answer",
        )
    ),
    Advice(
        DumpError,
        "one of the clocks",
        "Correct the clock of this machine or of the wiki: updates continue from the wiki's time.",
    ),
    Advice(
        DumpError,
        "ends too early",
        "Probably the download stopped: download the file again, then run the same command again.",
    ),
    Advice(
        DumpError,
        "not well-formed",
        "A dump is MediaWiki's XML export, plain or compressed. If a download is incomplete,"
        " download it again and run the same command again.",
    ),
)
"""All advice; the first entry that matches an error is shown."""


class Failure(click.ClickException):
    """An error of wikiapi, shown with advice."""

    def __init__(self, message: str, advice: str = "") -> None:
        """Initialise the failure with a message and advice."""
        super().__init__(message)
        self.advice = advice

    @classmethod
    def of(cls, error: WikiapiError) -> Failure:
        """Return the failure for an exception."""
        return cls(str(error), advice_for(error))

    def show(self, file: Any = None) -> None:
        super().show(file)
        if self.advice:
            click.echo(f"Hint: {self.advice}", file=file, err=file is None)


class Misused(click.UsageError):
    """A usage error, shown in one line that refers to ``--help``."""

    @classmethod
    def of(cls, error: click.UsageError) -> click.UsageError:
        """Return the error to show for one of click; an error that shows the help is unchanged."""
        if isinstance(error, cls | click.exceptions.NoArgsIsHelpError):
            return error
        return cls(" ".join(error.format_message().split()), error.ctx)

    def show(self, file: Any = None) -> None:
        text = f"Error: {self.format_message()}"
        if self.ctx is not None:
            text = (
                f"{text}{'' if text.endswith(_ENDS) else '.'} See `{self.ctx.command_path} --help`."
            )
        click.echo(text, file=file, err=file is None, color=self.ctx.color if self.ctx else None)


class Interrupted(Failure):
    """The command was interrupted by Ctrl-C."""

    exit_code = 130
    """The exit status that shells use for interrupted programs."""

    def __init__(self, advice: str = "") -> None:
        """Initialise the interruption with advice."""
        super().__init__("interrupted", advice)

    def show(self, file: Any = None) -> None:
        click.echo(file=file, err=file is None)  # after the ^C that terminals show
        super().show(file)


@contextmanager
def resumable(advice: str) -> Iterator[None]:
    """Tell whoever interrupts the block by Ctrl-C how to go on.

    Raises:
        Interrupted: instead of KeyboardInterrupt.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(advice) from None


def advice_for(error: WikiapiError) -> str:
    """Return advice for an error, or an empty string if there is none."""
    text = str(error)
    lowered = text.lower()
    fitting = (
        advice.text
        for advice in ADVICE
        if isinstance(error, advice.kind)
        and (advice.fragment in text or advice.fragment in lowered)
    )
    return next(fitting, "")
