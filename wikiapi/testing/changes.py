"""Changes pages of a wiki under test between requests."""

from __future__ import annotations

from wikiapi.importing.finish import finish_import
from wikiapi.importing.importer import Checkpoint, DumpImporter
from wikiapi.importing.xml.records import Contributor, DumpRevision, DumpSlot, PageEnd, PageHead
from wikiapi.pages.archive import archive, remove_rows
from wikiapi.pages.links.derivation import mark_pages_using
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store.models import Archive, Logging, Page, Revision
from wikiapi.store.models import User as UserRow
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries import texts
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.queries.slots import MAIN
from wikiapi.store.write import search
from wikiapi.store.write.ids import Actors, Comments, Person, next_id
from wikiapi.testing.declaration import VISITOR, Edit
from wikiapi.timestamps import compact
from wikiapi.title.contentmodel import default_model
from wikiapi.title.title import Title

_MOVE_PARAMS = (
    'a:3:{{s:9:"4::target";s:{length}:"{target}";s:10:"5::noredir";s:1:"{silent}";'
    's:17:"associated_rev_id";i:{revision};}}'
)


class Changes:
    """Edits, deletes and moves pages in a site's store.

    Afterwards the store is as after MediaWiki's jobs have run: revisions, archive, logs, recent
    changes, links (also of pages that transclude the page or test whether it exists), full-text
    index and counts.
    """

    def __init__(self, site: Site) -> None:
        """Change this site's store."""
        self._site = site
        self._db = site.db

    def edit(self, name: str, edit: Edit) -> int:
        """Save a text, creating the page if necessary; return the id of its latest revision.

        If the page already has the text, no revision is created.

        Raises:
            InvalidTitle: the name is not a valid title.
        """
        title = self._site.titles.parse(name)
        row = self._row(title)
        current = texts.current(self._db, [title.key]).get(title.key)
        if row and current and current.text == edit.text:
            return row.latest
        self._save(title, row, edit)
        self._settle(title)
        return self._next_revision() - 1

    def delete(self, name: str, *, user: str = VISITOR, reason: str = "") -> None:
        """Delete a page; its revisions are moved to the archive.

        Raises:
            LookupError: the page does not exist.
        """
        title = self._site.titles.parse(name)
        row = self._existing(title)
        with self._db.atomic():
            archive(self._db, row.page_id, row.namespace, row.title)
            remove_rows(self._db, [row.page_id])
            self._log("delete", title, row.page_id, user, reason, "a:0:{}")
        self._settle(title)

    def move(
        self, name: str, to: str, *, user: str = VISITOR, reason: str = "", redirect: bool = True
    ) -> None:
        """Move a page with its history to another title, by default leaving a redirect.

        Raises:
            LookupError: the page does not exist.
            FileExistsError: a page with the new title exists.
        """
        title, target = self._site.titles.parse(name), self._site.titles.parse(to)
        row = self._existing(title)
        if self._row(target):
            raise FileExistsError(f"there is a page {target.prefixed_text!r}")
        text = texts.current(self._db, [title.key])[title.key]
        with self._db.atomic(), search.reindexing(self._db, row.page_id):
            renamed = Page.update(page_namespace=target.ns, page_title=target.dbkey)
            self._db.execute_write(renamed.where(Page.page_id == row.page_id))
        summary = f"{user} moved [[{title.prefixed_text}]] to [[{target.prefixed_text}]]"
        summary += f": {reason}" if reason else ""
        moved = Edit(text.text or "", user, summary, model=text.model)
        self._save(target, self._existing(target), moved)
        # The parameters of the log entry are a serialised PHP array, with lengths in bytes.
        params = _MOVE_PARAMS.format(
            length=len(target.prefixed_text.encode()),
            target=target.prefixed_text,
            silent=int(not redirect),
            revision=self._next_revision() - 1,
        )
        self._log("move", title, row.page_id, user, reason, params)
        if redirect:
            left = Edit(self._site.redirects.text(target), user, summary)
            self._save(title, None, left)
        self._settle(title, target)

    def _row(self, title: Title) -> PageRow | None:
        return stored_pages.by_titles(self._db, [title.key]).get(title.key)

    def _existing(self, title: Title) -> PageRow:
        row = self._row(title)
        if row is None:
            raise LookupError(f"there is no page {title.prefixed_text!r}")
        return row

    def _save(self, title: Title, row: PageRow | None, edit: Edit) -> None:
        page_id = row.page_id if row else next_id(self._db, Page.page_id, Archive.ar_page_id)
        model = edit.model or ((row.content_model or "") if row else "") or default_model(title)
        # An import ignores revisions that are older than the stored page.
        query = Revision.select(Revision.rev_timestamp).where(
            Revision.rev_id == (row.latest if row else 0)
        )
        revision = DumpRevision(
            self._next_revision(),
            row.latest if row else 0,
            edit.timestamp or max(compact(self._site.clock()), self._db.scalar(query) or ""),
            Contributor(edit.user, self._user_id(edit.user)),
            edit.comment,
            edit.minor,
            0,
            (DumpSlot(MAIN, model, edit.text),),
        )
        target = self._site.redirects.target(edit.text)
        head = PageHead(
            page_id, title.ns, title.prefixed_text, target.prefixed_text if target else None
        )
        records = (head, revision, PageEnd(revision.id))
        DumpImporter(self._site).import_records(records, Checkpoint(f"edit-{revision.id}"))

    def _settle(self, *changed: Title) -> None:
        """Update the links, counters and recent changes after pages have changed."""
        mark_pages_using(self._db, [title.key for title in changed])
        LinksUpdate(self._site).run()
        finish_import(self._site)

    def _log(
        self, kind: str, title: Title, page_id: int, user: str, reason: str, params: str
    ) -> None:
        person = Person(self._user_id(user), user)
        actor = Actors(self._db).ids([person])[person]
        comment = Comments(self._db).ids([reason])[reason]
        number = next_id(self._db, Logging.log_id)
        moment = compact(self._site.clock())
        row = (number, kind, kind, moment, actor, *title.key, page_id, comment, params, 0)
        self._db.insert_many(Logging, [row])

    def _user_id(self, name: str) -> int:
        query = UserRow.select(UserRow.user_id).where(UserRow.user_name == name)
        return int(self._db.scalar(query) or 0)

    def _next_revision(self) -> int:
        return next_id(self._db, Revision.rev_id, Archive.ar_rev_id)
