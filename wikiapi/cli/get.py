"""``wikiapi get``: answer one request without a server."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

import click

from wikiapi.cli.support.options import TEXT, Command, configured
from wikiapi.config import Config

if TYPE_CHECKING:
    from wikiapi.store.database import Database
    from wikiapi.store.recording import QueryRecord


DEFAULTS = {"format": "json", "formatversion": "2"}


@click.command(
    "get",
    cls=Command,
    examples=(
        ("wikiapi get action=query titles='Main Page' prop=info", "Get information about a page."),
        ("wikiapi get 'action=query&list=allpages&aplimit=3'", "Use a query string."),
        (
            "wikiapi get 'http://127.0.0.1:8080/w/api.php?action=query&meta=siteinfo'",
            "Use the parameters of a URL. No request is sent to its server.",
        ),
        ("wikiapi get --post action=parse text=@page.wikitext", "Read a parameter from a file."),
        ("wikiapi get --format xml --include action=query titles=A", "Print XML with the headers."),
        ("wikiapi get --explain action=query list=allpages", "Explain the SQL statements."),
    ),
)
@configured
@click.option(
    "--format",
    "output",
    metavar="NAME",
    help="Print the answer unchanged in this format; the same as format=NAME.",
)
@click.option("--post", is_flag=True, help="Send the parameters as a form, not in the URL.")
@click.option("--include", is_flag=True, help="Also print the status and headers.")
@click.option(
    "--explain",
    is_flag=True,
    help="Print each SQL statement with its time and query plan instead of the answer.",
)
@click.argument("words", metavar="NAME=VALUE...", type=TEXT, nargs=-1, required=True)
def command(
    config: Config,
    output: str | None,
    post: bool,
    include: bool,
    explain: bool,
    words: tuple[str, ...],
) -> None:
    """Send one request to the API and print the answer.

    Each argument is a parameter, such as action=query titles='Main Page', a query string or a URL.
    The default format is indented JSON in format version 2. The exit status is 1 if the answer is
    an error.

    The value @FILE is read from that file, and @- from standard input. Write @@ for a value that
    begins with @.
    """
    from wikiapi.factory import existing_site, without_debug_info
    from wikiapi.http.wsgiclient import send_to_api

    values = {name: _value(name, value) for name, value in parameters(words).items()}
    if output:
        values["format"] = output
    pretty = "format" not in values
    if pretty:
        values = {**DEFAULTS, **values}
    with existing_site(without_debug_info(config)) as site, site.db.recording() as records:
        if post:
            reply = send_to_api(site, "POST", form=values)
        else:
            reply = send_to_api(site, "GET", urlencode(values))
        explanation = list(_explained(site.db, list(records))) if explain else []
    if include:
        lines = "".join(f"{name}: {value}\n" for name, value in reply.headers.items())
        click.echo(f"{reply.status}\n{lines}")
    failed = reply.status >= 400 or "mediawiki-api-error" in reply.headers
    if explain:
        click.echo("\n".join(explanation))
    if failed or not explain:
        text = reply.text
        if pretty and reply.headers.get("content-type", "").startswith("application/json"):
            text = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
        click.echo(text if text.endswith("\n") else text + "\n", nl=False)
    if failed:
        sys.exit(1)


def _explained(db: Database, records: Sequence[QueryRecord]) -> Iterator[str]:
    """Yield lines about each statement: its time, its module, its SQL and its query plan."""
    for number, record in enumerate(records, start=1):
        yield f"{number}. {record.time * 1000:.3f} ms, {record.function}"
        yield f"   {record.sql}"
        yield from (f"     {step}" for step in db.plan(record.statement, record.params))
        yield ""
    total = sum(record.time for record in records)
    yield f"Statements: {len(records)}, {total * 1000:.3f} ms"


def _value(name: str, value: str) -> str:
    if not value.startswith("@"):
        return value
    if value.startswith("@@"):
        return value[1:]
    try:
        with click.open_file(value[1:], encoding="utf-8") as file:
            return str(file.read())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"{name}: cannot read {value[1:]}: {reason}") from error


def parameters(words: Iterable[str]) -> dict[str, str]:
    """Return the parameters by name. The last of repeated parameters wins, as in the API.

    A word is ``name=value`` with an unencoded value, or a percent-encoded URL or query string:
    ``https://wiki.example/w/api.php?action=query``, ``?action=query``, ``action=query&titles=A``.

    Raises:
        click.UsageError: a word is neither.
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
            f"{word!r} is not a parameter: write name=value, or a whole query string"
        )
    yield name, value


def _query_string(word: str) -> str | None:
    """Return the query string in an argument, or None if it is a single parameter."""
    if word.startswith("?"):
        return word[1:]
    if word.startswith(("http://", "https://", "/")):
        return urlsplit(word).query
    # No action has an ampersand in its name, while the value of another parameter can have one.
    if word.startswith("action=") and "&" in word:
        return word
    return None
