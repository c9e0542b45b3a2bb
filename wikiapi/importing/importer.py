"""Imports dumps into a store in transactions of some megabytes, and resumes after the last one.

The progress is saved in the same transactions, in the table ``updatelog``, where MediaWiki logs the
updates of a database.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field

from wikiapi.errors import DumpError
from wikiapi.importing import multistream
from wikiapi.importing.compression import unpacked_ahead
from wikiapi.importing.convert import ImportedPage, RefusedTitles, configured_namespaces
from wikiapi.importing.deletion import PRUNE_IDENTITY, begin_pruning
from wikiapi.importing.origin import origin_of, save_origin, set_wiki_id, wiki_id
from wikiapi.importing.sink import RecordSink
from wikiapi.importing.source import DumpLimits, DumpSource, limits_for
from wikiapi.importing.xml.reader import read_records
from wikiapi.importing.xml.records import Record, SiteInfo
from wikiapi.pages.links.derivation import set_unfinished
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import UpdateLog
from wikiapi.store.notes import note, put_note
from wikiapi.store.write.search import begin_bulk, end_bulk
from wikiapi.texts import counted
from wikiapi.workers.batchworkers import BatchWorkers

ITEMS_PER_TRANSACTION = 20_000
BYTES_PER_TRANSACTION = 1 << 23
_ITEMS_PER_PROGRESS = 500
_DUMP_KEY = "wikiapi-import-"


@dataclass(slots=True)
class Checkpoint:
    """The progress of the import of one dump.

    ``items`` is the number of pages and log entries read, ``position`` the number of bytes of the
    file that they took, or 0 when the import is done.
    """

    identity: str
    items: int = 0
    done: bool = False
    position: int = 0

    def save(self, db: Database) -> None:
        """Save the progress; call inside the transaction that writes the items."""
        values = asdict(self)
        del values["identity"]
        put_note(db, _DUMP_KEY + self.identity, json.dumps(values))


def load_checkpoint(db: Database, identity: str) -> Checkpoint:
    """Return the progress of a dump's import; for an unknown dump, that of an import not begun."""
    text = note(db, _DUMP_KEY + identity)
    return Checkpoint(identity, **json.loads(text)) if text else Checkpoint(identity)


def unfinished(db: Database) -> list[int]:
    """Return the progress of each unfinished import, in pages and log entries."""
    query = UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key.startswith(_DUMP_KEY))
    states = [json.loads(value) for (value,) in db.execute(query) if value]
    return [state["items"] for state in states if not state["done"]]


@dataclass(slots=True)
class ImportReport:
    """The result of an import.

    ``items`` is the number of pages and log entries read, including those of an earlier run;
    ``pages``, ``revisions`` and ``log_entries`` count what was written. ``refused`` are invalid
    titles. ``without_text`` counts revisions whose text is missing from the dump although it is not
    marked as suppressed.
    """

    items: int = 0
    pages: int = 0
    revisions: int = 0
    log_entries: int = 0
    without_text: int = 0
    refused: RefusedTitles = field(default_factory=RefusedTitles)
    site_info: SiteInfo | None = None
    already_done: bool = False


@dataclass
class DumpImporter:
    """Imports dumps into a site's store, one after another.

    ``on_site_info`` is called with the head of a dump before anything is written, and may raise an
    exception to stop. ``on_resume`` is called with the progress of an interrupted import of the
    same dump. ``on_progress`` is called every few hundred pages. ``any_wiki`` allows dumps of
    different wikis in one store, where equal ids may hide pages. With ``for_pruning``, every page
    is recorded for :func:`~wikiapi.importing.deletion.prune`. ``workers`` parse multistream dumps
    that have their index beside them.
    """

    site: Site
    limits: DumpLimits | None = None
    workers: BatchWorkers[DumpLimits] | None = None
    any_wiki: bool = False
    for_pruning: bool = False
    items_per_transaction: int = ITEMS_PER_TRANSACTION
    on_site_info: Callable[[SiteInfo], None] = lambda _: None
    on_resume: Callable[[Checkpoint], None] = lambda _: None
    on_progress: Callable[[ImportReport], None] = lambda _: None

    def import_dump(self, source: DumpSource) -> ImportReport:
        """Import a dump, or continue an earlier import of it.

        Raises:
            DumpError: the dump is malformed or hostile, or of another wiki. Complete pages before
                the error remain in the store; the message gives their number.
            StoreError: the store cannot be written.
        """
        limits = self.limits or limits_for(self.site.config.limits.article_size)
        identity = source.identity + (PRUNE_IDENTITY if self.for_pruning else "")
        checkpoint = load_checkpoint(self.site.db, identity)
        if checkpoint.done:
            return ImportReport(already_done=True)
        if checkpoint.items:
            self.on_resume(checkpoint)
        starts = multistream.starts_of(source, self.workers)
        if self.workers is None or starts is None:
            records = read_records(unpacked_ahead(source, limits), limits, skip=checkpoint.items)
        else:
            records = multistream.read_records(
                source, starts, self.workers, limits, checkpoint.items
            )
        return self.import_records(_noting_position(records, source, checkpoint), checkpoint)

    def import_records(self, records: Iterable[Record], checkpoint: Checkpoint) -> ImportReport:
        """Import records from any source, which ``checkpoint`` identifies.

        Raises:
            DumpError, StoreError: see :meth:`import_dump`.
        """
        db, report, resumed = self.site.db, ImportReport(), checkpoint.items
        namespaces = configured_namespaces(self.site.namespaces)
        sink = RecordSink(db, namespaces, for_pruning=self.for_pruning)
        remaining = iter(records)
        if self.for_pruning:
            begin_pruning(db)
        try:
            while not checkpoint.done:
                with db.atomic():
                    begin_bulk(db)
                    self._write(remaining, sink, checkpoint, report)
                    sink.finish_transaction()
                    set_unfinished(db)
                    checkpoint.save(db)
                    if checkpoint.done:
                        end_bulk(db)
                pages = sink.take_written()
                report.pages += len(pages)
                report.revisions, report.log_entries = sink.revisions, sink.log_entries
                report.without_text = sink.without_text
                report.refused = sink.refused
                self._call_plugins(pages)
                self.on_progress(report)
        except DumpError as error:
            raise _with_progress(error, resumed, report) from error
        return report

    def _write(
        self,
        records: Iterator[Record],
        sink: RecordSink,
        checkpoint: Checkpoint,
        report: ImportReport,
    ) -> None:
        """Write the records of one transaction, which always ends at the end of a page."""
        last = checkpoint.items + self.items_per_transaction
        stop_at = sink.size + BYTES_PER_TRANSACTION
        for record in records:
            if isinstance(record, SiteInfo):
                self._take_site_info(record, sink)
                report.site_info = record
            elif sink.add(record):
                checkpoint.items += 1
                report.items = checkpoint.items
                if not checkpoint.items % _ITEMS_PER_PROGRESS:
                    self.on_progress(report)
                if checkpoint.items >= last or sink.size >= stop_at:
                    return
        checkpoint.done, checkpoint.position = True, 0

    def _take_site_info(self, info: SiteInfo, sink: RecordSink) -> None:
        """Store what the head of a dump says about its wiki, which must be that of the store."""
        self.on_site_info(info)
        stored_id = wiki_id(self.site.db)
        is_other = bool(stored_id and info.wiki_id and stored_id != info.wiki_id)
        if is_other and not self.any_wiki:
            raise DumpError(f"this is a dump of {info.wiki_id!r}, but the store has {stored_id!r}")
        if info.wiki_id and not stored_id:
            set_wiki_id(self.site.db, info.wiki_id)
        if not is_other:
            save_origin(self.site.db, origin_of(info))
        if info.namespaces:
            sink.use_namespaces(info.namespaces)

    def _call_plugins(self, pages: list[ImportedPage]) -> None:
        hook = self.site.plugins.hook.on_import_page
        if hook.get_hookimpls():
            for page in pages:
                hook(site=self.site, page=page.row, revision=page.latest)


def _noting_position(
    records: Iterable[Record], source: DumpSource, checkpoint: Checkpoint
) -> Iterator[Record]:
    """Yield the records, and keep the position of the source in the checkpoint up to date."""
    for record in records:
        checkpoint.position = source.position
        yield record


def _with_progress(error: DumpError, resumed: int, report: ImportReport) -> DumpError:
    if not (report.pages or resumed):
        text = f"{error}; nothing was imported"
    else:
        before = f" in addition to {counted(resumed, 'item')} of an earlier run" if resumed else ""
        text = f"{error}; {counted(report.pages, 'page was', 'pages were')} imported before{before}"
    described = DumpError(text)
    described.line = error.line
    return described
