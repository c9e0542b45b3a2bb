"""The options of ``wikiapi fetch-files``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wikiapi.cli.support.options import TEXT, Command, configured, jobs_option
from wikiapi.config import Config

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([kmgt]?)b?", re.ASCII | re.IGNORECASE)

if TYPE_CHECKING:
    _SizeType = click.ParamType[int]
else:
    _SizeType = click.ParamType  # generic since click 8.5 only


class _Size(_SizeType):
    """A number of bytes, written with a unit: ``500k``, ``20M``, ``1.5G``."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        match = _SIZE.fullmatch(str(value))
        if match is None:
            self.fail(f"{value!r} is not a size such as 500k, 20M or 1.5G", param, ctx)
        return int(float(match[1]) * _UNITS[match[2].lower()])


@click.command(
    "fetch-files",
    cls=Command,
    short_help="Get the files that pages use.",
    examples=(
        (
            "wikiapi fetch-files https://wiki.example.org/w/api.php",
            "Get them from the live wiki, and the rest from the configured repositories.",
        ),
        ("wikiapi fetch-files --dry-run", "Show the number and size of the files, but get none."),
        ("wikiapi fetch-files --from images.zip", "Get them from a ZIP archive."),
    ),
)
@click.argument("url", required=False, type=TEXT)
@click.option(
    "--from",
    "place",
    metavar="PLACE",
    type=click.Path(exists=True, path_type=Path),
    help="Folder, ZIP or tar archive to get the files from; subfolders are included.",
)
@click.option(
    "--max-size", type=_Size(), default="100M", show_default=True, help="Maximum size of a file."
)
@click.option(
    "--max-total",
    type=_Size(),
    default="10G",
    show_default=True,
    help="Maximum size of all files together.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0.01, 100),
    default=5,
    show_default=True,
    help="Maximum number of requests per second. They are sent one at a time.",
)
@click.option(
    "--host",
    "hosts",
    metavar="HOST",
    multiple=True,
    type=TEXT,
    help="Another host that files may come from, as in files.fetch_hosts. Can be repeated.",
)
@click.option(
    "--contact",
    type=TEXT,
    default="",
    help="Your mail or web address, for the operators of the wiki. Wikimedia asks for one.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be fetched.")
@jobs_option
@configured
def command(
    config: Config,
    url: str | None,
    place: Path | None,
    max_size: int,
    max_total: int,
    rate: float,
    hosts: tuple[str, ...],
    contact: str,
    dry_run: bool,
    jobs: int,
) -> None:
    """Get the files that pages use and the wiki does not have.

    They come from the live wiki whose api.php is at URL, by default the wiki in site.source, and
    from the configured repositories; or from a folder or archive. They are put into files.folder.
    An interrupted run resumes when the same command is run again. The exit status is 1 if files
    failed that a later run may get; files that are missing there or too large do not count.
    """
    from wikiapi.cli.work.fetch_files import run

    run(config, url, place, max_size, max_total, rate, hosts, contact, dry_run, jobs)
