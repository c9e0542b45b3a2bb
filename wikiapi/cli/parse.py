"""The options of ``wikiapi parse``."""

from __future__ import annotations

from collections.abc import Iterable

import click

from wikiapi.cli.support.options import TEXT, Choice, Command, configured
from wikiapi.config import Config


def _stages() -> Iterable[str]:
    from wikiapi.cli.work.parse import SHOWS

    return SHOWS


@click.command(
    "parse",
    cls=Command,
    short_help="Render a text or a page, or show one stage of rendering.",
    examples=(
        ("wikiapi parse \"'''Tea''' is [[hot]].\"", "Render a text to HTML."),
        ("wikiapi parse --page 'Main Page'", "Render a page of the store."),
        ("echo '{{PAGENAME}}' | wikiapi parse --stage expand --title Tea", "Expand templates."),
        ("wikiapi parse --stage tree '{{a|b}}'", "Show the preprocessor's tree."),
        ("wikiapi parse --stages", "List the stages."),
        ("wikiapi parse --stage outgoing --page 'Main Page'", "Show a page's links."),
    ),
)
@configured
@click.option("--page", type=TEXT, help="Render this page of the store.")
@click.option(
    "--title",
    "title_text",
    type=TEXT,
    default="API",
    show_default=True,
    help="Title under which a text is rendered.",
)
@click.option(
    "--stage",
    type=Choice(_stages),
    default="html",
    metavar="NAME",
    show_default=True,
    help="The stage to show.",
)
@click.option("--stages", is_flag=True, help="List the stages in their order and exit.")
@click.argument("text", type=TEXT, required=False)
def command(
    config: Config,
    page: str | None,
    title_text: str,
    stage: str,
    stages: bool,
    text: str | None,
) -> None:
    """Render TEXT, standard input, or a page of the store to HTML.

    A text needs no store: without one, it is rendered as on a wiki without pages. With --stage, the
    result of one stage of rendering is shown; --stages lists them.
    """
    from wikiapi.cli.work.parse import print_stages, run

    if stages:
        print_stages()
    else:
        run(config, page, title_text, stage, text)
