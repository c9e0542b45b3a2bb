"""``wikiapi fetch-messages``: get the messages of the interface."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikiapi.cli.support.advice import Failure, resumable
from wikiapi.cli.support.options import TEXT, Command, configured
from wikiapi.cli.support.progress import say_retry
from wikiapi.config import Config
from wikiapi.errors import StoreError
from wikiapi.languages.codes import is_existing_language
from wikiapi.languages.language import ENGLISH, language
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.importing.messages import MessageStore, RemoteMessages


_GO_ON = "What was fetched is kept: run the same command again to resume."
_Counts = dict[str, tuple[int, int]]
"""The numbers of messages, and of those that a wiki has customised, by language."""


def _checked(_context: click.Context, _option: click.Parameter, value: Any) -> Any:
    for code in value:
        if not is_existing_language(code):
            raise click.BadParameter(f"{code!r} is not the code of a language, such as fr or pt-br")
    return value


@click.command(
    "fetch-messages",
    cls=Command,
    short_help="Get the interface in other languages.",
    examples=(
        (
            "wikiapi fetch-messages https://fr.wikipedia.org/",
            "Get them from a live wiki, in the wiki's language and in those that stand in for it.",
        ),
        (
            "wikiapi fetch-messages /usr/share/mediawiki --language ar --language en",
            "Copy those in Arabic and in English from an installed MediaWiki.",
        ),
    ),
)
@click.argument("place", metavar="URL|FOLDER", type=TEXT)
@click.option(
    "--language",
    "languages",
    metavar="CODE",
    multiple=True,
    type=TEXT,
    callback=_checked,
    help="Language to get. Can be repeated. Defaults to the wiki's language and those whose texts"
    " stand in for missing ones, English included.",
)
@click.option(
    "--to",
    "folder",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to store the messages in. Defaults to the one beside the SQLite database.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0.01, 100),
    default=1,
    show_default=True,
    help="Maximum number of requests per second. They are sent one at a time.",
)
@click.option(
    "--contact",
    type=TEXT,
    default="",
    help="Your mail or web address, for the operators of the wiki. Wikimedia asks for one.",
)
@configured
def command(
    config: Config,
    place: str,
    languages: tuple[str, ...],
    folder: Path | None,
    rate: float,
    contact: str,
) -> None:
    """Get the messages of the interface, which wikiapi itself has in English only.

    They come from the API of the live wiki at URL, with what its administrators have changed, or
    from FOLDER: an installed MediaWiki with its extensions, or files XX.json. They are stored
    beside the database, where `wikiapi serve` finds them. An interrupted run resumes when the same
    command is run again.
    """
    from wikiapi.importing.messages import MessageStore
    from wikiapi.store.messagesfolder import stored_messages_folder

    if not contact.isprintable():
        raise click.UsageError("--contact is not a mail or web address")
    target = folder or stored_messages_folder(config.database.url)
    if target is None:
        raise click.UsageError(
            "this database has no folder beside it: give one with --to FOLDER, and write"
            ' folders = ["FOLDER"] in [messages] of wikiapi.toml'
        )
    store = MessageStore(target)
    chosen = list(dict.fromkeys(languages))
    if "://" in place:
        with resumable(_GO_ON):
            counts = _from_wiki(config, place, chosen, store, rate, contact)
    else:
        counts = _from_folder(config, Path(place), chosen, store)
    _report(counts, target)


def _from_wiki(
    config: Config,
    address: str,
    languages: Sequence[str],
    store: MessageStore,
    rate: float,
    contact: str,
) -> _Counts:
    from wikiapi.fetching import RateLimit, user_agent
    from wikiapi.importing.live.client import LiveApi
    from wikiapi.importing.live.discovery import find_api
    from wikiapi.importing.messages import RemoteMessages

    api = find_api(
        address,
        partial(
            LiveApi,
            wait=time.sleep,
            agent=user_agent("fetch-messages", contact),
            before_request=RateLimit(rate, time.sleep),
            on_retry=say_retry,
        ),
    )
    remote = RemoteMessages(api)
    run = store.unfinished(api.url)
    if run.done or len(run.fetched.texts):
        click.echo("Resuming an interrupted run.", err=True)
    codes = languages or _languages_of(config, remote)
    for code in codes:
        if code in run.done:
            continue
        run.begin(code)
        for position in remote.fetch(code, run.fetched, run.position):
            run.position = position
            store.save(run)
        if len(run.fetched.texts):
            store.write(code, run.fetched.texts)
        run.complete()
        store.save(run)
    store.finish()
    return {code: run.done[code] for code in codes}


def _from_folder(
    config: Config, folder: Path, languages: Sequence[str], store: MessageStore
) -> _Counts:
    from wikiapi.importing.messages import MessageFolder

    if not folder.is_dir():
        raise click.UsageError(
            f"{folder} is neither a folder nor the address of a wiki, such as https://fr.example.org/"
        )
    source = MessageFolder(folder)
    if store.folder.resolve() == folder.resolve():
        raise click.UsageError(f"{folder} is the folder that messages are stored in")
    counts = {}
    for code in languages or _languages_of(config):
        texts = source.texts(code)
        if len(texts):
            store.write(code, texts)
        counts[code] = len(texts), 0
    return counts


def _languages_of(config: Config, remote: RemoteMessages | None = None) -> Sequence[str]:
    """Return the content language of the wiki and those that stand in for it.

    If neither the configuration nor the store says which it is, it is that of the live wiki.
    """
    from wikiapi.importing.origin import load_origin
    from wikiapi.store.database import Database

    code = config.site.language
    if not code:
        try:
            with closing(Database(config.database.url, read_only=True)) as db:
                code = load_origin(db).language
        except StoreError:
            code = ""  # There is no store yet.
    return language(code or (remote and remote.content_language()) or ENGLISH).chain


def _report(counts: _Counts, folder: Path) -> None:
    stored = {code: numbers for code, numbers in counts.items() if numbers[0]}
    for code in counts.keys() - stored.keys():
        click.echo(f"There are no messages in the language {code!r}.", err=True)
    if not stored:
        raise Failure("nothing was stored", "--language CODE gets those of another language.")
    listed = ", ".join(_described(code, *numbers) for code, numbers in stored.items())
    click.echo(f"Stored {listed} in {folder}.", err=True)
    click.echo(
        "`wikiapi serve` shows them from its next start. Tracking categories have their names from"
        " messages: `wikiapi links --all` renames those of stored pages.",
        err=True,
    )


def _described(code: str, count: int, customised: int) -> str:
    changed = f", {customised} of them changed by that wiki" if customised else ""
    return f"{counted(count, 'message')} of {code}{changed}"
