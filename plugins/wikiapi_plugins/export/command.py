"""The options of ``wikiapi export``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from wikiapi.cli.support.options import Command, cluster_option, configured, jobs_option
from wikiapi.config import Config
from wikiapi_plugins.export import CHUNK_CHARACTERS, CHUNKS, PAGES, Shard

_SHARD = re.compile(r"([1-9][0-9]{0,4})/([1-9][0-9]{0,4})\Z", re.ASCII)


def shard_of(ctx: click.Context, param: click.Parameter, value: str | None) -> Shard | None:
    """Return the shard that an option names, such as ``3/16``.

    Raises:
        BadParameter: it is not a number and the number of shards.
    """
    if value is None:
        return None
    match = _SHARD.match(value)
    if match is None or int(match[1]) > int(match[2]):
        raise click.BadParameter(f"{value!r} is not a number and the number of shards, as in 3/16")
    return Shard(int(match[1]), int(match[2]))


@click.command(
    "export",
    cls=Command,
    short_help="Write pages as a static site, ZIM, JSON lines, Parquet or Markdown.",
    examples=(
        ("wikiapi export --html site", "A site for any web server, or to open from disk."),
        ("wikiapi export --zim wiki.zim", "A file for Kiwix."),
        ("wikiapi export --jsonl wiki.jsonl", "Pages and chunks, one record per line."),
        ("wikiapi export --parquet dataset", "The same as a dataset, for pandas and others."),
        ("wikiapi export --markdown pages --namespace 0", "One Markdown file per article."),
        ("wikiapi export --html site --cluster tcp://host:8786", "Rendered by a cluster of Dask."),
        ("wikiapi export --html site --shard 2/4", "The second of four shards."),
        ("wikiapi export merge --html site", "A site from its shards."),
    ),
)
@configured
@click.option(
    "--html", type=click.Path(file_okay=False, path_type=Path), help="Folder for a static site."
)
@click.option("--zim", type=click.Path(dir_okay=False, path_type=Path), help="A ZIM file.")
@click.option(
    "--jsonl", type=click.Path(dir_okay=False, path_type=Path), help="A file of JSON lines."
)
@click.option(
    "--parquet",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a dataset: Parquet files of the records, and a card that describes them.",
)
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help="Folder for one Markdown file per page, or a single file if the name ends with .md.",
)
@click.option(
    "--namespace",
    "namespaces",
    type=int,
    multiple=True,
    help="Number of a namespace to export; may be repeated. By default content namespaces and, for"
    " a site, the namespaces of files, categories, project and help pages.",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice([PAGES, CHUNKS]),
    multiple=True,
    help="Kinds of records that --jsonl and --parquet write; by default both.",
)
@click.option(
    "--chunk-size",
    type=click.IntRange(200, 100_000),
    default=CHUNK_CHARACTERS,
    show_default=True,
    help="Maximum length of a chunk in characters.",
)
@click.option(
    "--parser",
    type=click.Choice(["legacy", "parsoid"]),
    default="legacy",
    show_default=True,
    help="Whose HTML --html and --zim write: with parsoid, the elements tell which templates, files"
    " and tags they come from.",
)
@click.option("--url", default="", help="URL of the future static site, for its sitemap.")
@jobs_option
@cluster_option
@click.option(
    "--shard",
    callback=shard_of,
    metavar="NUMBER/TOTAL",
    help="Render one of several shards only, into a file beside the export, for schedulers of jobs."
    " When all have been rendered, `wikiapi export merge` makes the export of them.",
)
@click.argument("step", type=click.Choice(["merge"]), required=False)
def command(config: Config, **options: Any) -> None:
    """Export the rendered pages of the wiki, with templates expanded and tables preserved.

    To resume an interrupted export, run the same command again. The result does not depend on
    --jobs, --cluster or --shard. With "merge", the shards are read instead of the pages.
    """
    from wikiapi_plugins.export.writing import run

    run(config, options)
