"""The command ``wikiapi wordcount``."""

from __future__ import annotations

from typing import TextIO

import click

from wikiapi_wordcount.words import count_words


@click.command()
@click.argument("file", type=click.File(encoding="utf-8"))
def wordcount(file: TextIO) -> None:
    """Count the words of a file."""
    click.echo(count_words(file.read()))
