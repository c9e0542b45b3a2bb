"""The options of ``wikiapi get``."""

from __future__ import annotations

import click

from wikiapi.cli.support.options import TEXT, Command, configured
from wikiapi.config import Config


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
    from wikiapi.cli.work.get import run

    run(config, output, post, include, explain, words)
