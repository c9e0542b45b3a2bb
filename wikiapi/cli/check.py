"""``wikiapi check``: verify a store against itself, its texts and the dump it came from."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.options import (
    Command,
    check_readable,
    cluster_option,
    configured,
    jobs_option,
)
from wikiapi.config import Config
from wikiapi.importing.source import limits_for, open_source
from wikiapi.texts import counted

if TYPE_CHECKING:
    from wikiapi.pages.links.check import Derive
    from wikiapi.site import Site
    from wikiapi.store.check import Finding
    from wikiapi.workers.batchworkers import BatchWorkers


@click.command(
    "check",
    cls=Command,
    short_help="Verify a store, alone or against its dump.",
    examples=(
        ("wikiapi check", "Verify the store, and the links of 200 pages."),
        ("wikiapi check pages.xml.gz", "Also compare the store with its dump."),
        ("wikiapi check --links --json", "Verify the links of all pages, and print JSON."),
    ),
)
@configured
@click.option("--links", is_flag=True, help="Verify the links of all pages, not of a sample.")
@click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=200,
    show_default=True,
    help="Number of pages in the sample.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Maximum number of findings of one kind to print.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@jobs_option
@cluster_option
@click.argument("dump", required=False)
def command(
    config: Config,
    links: bool,
    sample: int,
    most: int,
    as_json: bool,
    jobs: int,
    cluster: str,
    dump: str | None,
) -> None:
    """Verify a store: counts, sizes and hashes of texts, references and link tables.

    With a DUMP, compare its pages, revisions and texts with the store. Nothing is changed. The exit
    status is 1 if there are errors, and 0 if there are only warnings and notes.
    """
    from wikiapi.cli.support.findings import Printer
    from wikiapi.factory import existing_site, reading_workers
    from wikiapi.store.check import limited
    from wikiapi.store.check.contents import totals

    check_readable([dump] if dump else [])
    with existing_site(config, read_only=True) as site:
        printer = Printer(lambda key: site.titles.make(*key).prefixed_text, as_json=as_json)
        total = totals(site.db)
        workers = reading_workers(config, jobs, cluster)
        findings = _findings(site, workers, None if links else sample, dump)
        printer.show_all(limited(findings, most))
        facts = total._asdict()
        summary = (
            f"{counted(total.pages, 'page')}, {counted(total.revisions, 'revision')},"
            f" {counted(total.files, 'file')}:"
        )
        if not printer.finish(facts, summary):
            sys.exit(1)


def _findings(
    site: Site, workers: BatchWorkers[Site] | None, sample: int | None, dump: str | None
) -> Iterator[Finding]:
    from wikiapi.cli.support.progress import Progress
    from wikiapi.pages.links.check import check_links, pages_to_check
    from wikiapi.store.check.contents import (
        check_categories,
        check_contents,
        check_site_stats,
        totals,
    )
    from wikiapi.store.check.references import check_references

    yield from check_references(site.db)
    yield from check_site_stats(site.db, site.namespaces.content)
    yield from check_categories(site.db)
    with Progress("Texts", totals(site.db).revisions, "revisions", 1) as bar:
        yield from check_contents(site.db, bar.move_to)
    pages = pages_to_check(site.db, sample)
    with Progress("Links", pages, "pages", 1) as bar, _deriving(site, workers, pages) as derive:
        yield from check_links(site.db, derive, sample, bar.move_to)
    if dump:
        yield from _compared(site, dump)


@contextmanager
def _deriving(site: Site, workers: BatchWorkers[Site] | None, pages: int) -> Iterator[Derive]:
    from wikiapi.pages.links.check import skipping_unreadable
    from wikiapi.pages.links.deriver import LinkDeriver
    from wikiapi.pages.links.update import PAGES_WORTH_WORKERS
    from wikiapi.pages.links.workers import link_workers

    if workers is None or not workers.are_worth(pages, PAGES_WORTH_WORKERS):
        yield skipping_unreadable(LinkDeriver(site).derive)
        return
    with link_workers(workers) as running:
        yield running.derive


def _compared(site: Site, dump: str) -> Iterator[Finding]:
    from wikiapi.cli.support.progress import Progress
    from wikiapi.importing.compression import unpacked_ahead
    from wikiapi.importing.xml.reader import read_records
    from wikiapi.importing.xml.verify import DumpComparison

    limits = limits_for(site.config.limits.article_size)
    with open_source(dump) as source, Progress("Dump", source.size) as bar:
        comparison = DumpComparison(site)
        for finding in comparison.compare(read_records(unpacked_ahead(source, limits), limits)):
            yield finding
            bar.move_to(source.position, counted(comparison.pages, "page"))
        bar.move_to(source.position, counted(comparison.pages, "page"))
