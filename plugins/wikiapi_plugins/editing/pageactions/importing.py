"""``action=import``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from wikiapi.accounts import user_kind
from wikiapi.api import (
    Arr,
    Obj,
    WriteAction,
    boolean,
    change_tags,
    current_page,
    enum,
    namespace,
    parse_title,
    string,
    title_data,
    uploaded_file,
)
from wikiapi.errors import ApiError, DumpError
from wikiapi.importing.convert import new_revision
from wikiapi.importing.source import limits_for
from wikiapi.importing.xml.reader import read_records
from wikiapi.importing.xml.records import Contributor, DumpRevision, PageEnd, PageHead
from wikiapi.languages import Num, Plain
from wikiapi.pages import Changelog, NewText, PageWriter, add_history, tag_change
from wikiapi.store import Key, NewRevision, RevisionWriter
from wikiapi.store.models import Revision, SiteStats, User
from wikiapi.store.queries import pages
from wikiapi.title import Title

_SEPARATOR = ">"
"""Separates the interwiki prefix from the name of a user of that wiki."""


@dataclass(slots=True)
class _Imported:
    """A page of the file, with its revisions in their order in the file."""

    head: PageHead
    revisions: list[DumpRevision] = field(default_factory=list)


class Import(WriteAction):
    """Import pages from another wiki or from an XML file."""

    name = "import"
    position = 39
    params = (
        string("summary", "Summary of the log entry."),
        uploaded_file("xml", "The XML file."),
        string("interwikiprefix", "Prefix for the names of users who have no account here."),
        enum(
            "interwikisource",
            choices=lambda site: site.config.editing.import_sources,
            help="Wiki to import from.",
        ),
        string("interwikipage", "Page of that wiki to import."),
        boolean("fullhistory", "Import the full history, not only the current revision."),
        boolean("templates", "Import the transcluded templates as well."),
        namespace("namespace", "Namespace to import to. Not together with ``rootpage``."),
        boolean("assignknownusers", "Assign edits to local users of the same name."),
        string("rootpage", "Page to import as subpages of. Not together with ``namespace``."),
        change_tags("tags", "Change tags for the log entry and the null revisions."),
    )
    examples = (
        (
            "action=import&interwikisource=meta&interwikipage=Help:ParserFunctions&namespace=100&fullhistory=&token=123ABC",
            "Import a page with its history",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Import",)

    def prepare(self) -> None:
        """Read the file.

        Raises:
            ApiError: the file cannot be read, or the user may not import pages.
        """
        if self.p.is_given("interwikisource"):
            self._refuse_other_wiki()
        if not self.context.user.can("importupload"):
            raise ApiError("cantimport-upload", "apierror-cantimport-upload")
        file = self.context.request.files.get(self.full("xml"))
        if file is None:
            raise ApiError("nofile", "importnofile")
        self._prefix = self.p.text_or_none("interwikiprefix") or ""
        if not self._prefix:
            name = Plain(self.full("interwikiprefix"))
            raise ApiError("missingparam", "paramvalidator-missingparam", name)
        if self.p.is_given("namespace") and self.p.is_given("rootpage"):
            raise ApiError("invalidparammix", "apierror-invalidparammix", "namespace, rootpage")
        self._pages = list(_pages(self, file.data))

    def perform(self) -> None:
        """Import the pages of the file, and put the number of new revisions of each in the result.

        Raises:
            ApiError: the user may not edit one of the pages.
        """
        self._names: dict[Key, str] = {}
        items = [self._import(page, self._prefix) for page in self._pages]
        self.result.set((), self.name, Arr(filter(None, items), "page"))

    def _refuse_other_wiki(self) -> None:
        """Refuse to import from another wiki, which is not supported.

        Raises:
            ApiError: ``cantimport``, ``missingparam`` or ``cantopenfile``.
        """
        if not self.context.user.can("import"):
            raise ApiError("cantimport", "apierror-cantimport")
        if not self.p.is_given("interwikipage"):
            name = Plain(self.full("interwikipage"))
            raise ApiError("missingparam", "paramvalidator-missingparam", name)
        raise ApiError("cantopenfile", "importcantopen")

    def _import(self, page: _Imported, prefix: str) -> Obj | None:
        """Import a page; return its number of revisions, or ``None`` for an invalid title."""
        title = self._title(page.head)
        if title is None:
            return None
        # Two pages of the file must not become one, with the histories of both.
        other = self._names.setdefault(title.key, page.head.title)
        if other != page.head.title:
            one, target = page.head.title, title.prefixed_text
            raise _failure(f"{other!r} and {one!r} would both become {target!r}")
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        self.check_allowed("edit", title, row)
        page_id = row.page_id if row else PageWriter(self.context.performer).next_page_id()
        rows = self._new_rows(page, page_id, prefix)
        item = Obj(title_data(title) | {"revisions": len(rows)})
        if not rows:
            return item
        add = partial(RevisionWriter(self.db).add, rows)
        add_history(self.context.performer, title, row, page_id, add)
        edits = SiteStats.update(ss_total_edits=SiteStats.ss_total_edits + len(rows))
        self.db.execute_write(edits)
        self._log(title, len(rows))
        return item

    def _title(self, head: PageHead) -> Title | None:
        """Return the title under which a page is imported; ``None`` if it is invalid."""
        title = self.site.titles.try_parse(head.title)
        if title is None or title.interwiki or title.namespace.is_virtual:
            return None
        if self.p.is_given("namespace"):
            # Read again: the rest of a title may begin with the name of another namespace.
            made = self.site.titles.make(self.p.number("namespace"), title.dbkey)
            title = self.site.titles.try_parse(made.prefixed_text)
            if title is None or title.interwiki or title.namespace.is_virtual:
                return None
            return title
        root = self.p.text_or_none("rootpage")
        if root:
            return parse_title(self, f"{root}/{title.prefixed_text}")
        return title

    def _new_rows(self, page: _Imported, page_id: int, prefix: str) -> list[NewRevision]:
        """Return rows for the revisions that the page does not have yet, oldest first.

        The parent of each is the newest revision of the page that is not newer than it.
        """
        query = Revision.select(Revision.rev_timestamp, Revision.rev_id, Revision.rev_sha1)
        there = self.db.execute(query.where(Revision.rev_page == page_id))
        present = {(moment, digest) for moment, _, digest in there}
        history = sorted((moment, number) for moment, number, _ in there)
        number = PageWriter(self.context.performer).next_revision_id()
        names = {revision.contributor.name for revision in page.revisions}
        users = self._local_users(names) if self.p.flag("assignknownusers") else {}
        rows: list[NewRevision] = []
        parent, older = 0, iter(history)
        following = next(older, None)
        for revision in sorted(page.revisions, key=lambda one: (one.timestamp, one.id)):
            person = _credited(revision.contributor, users, prefix)
            while following and following[0] <= revision.timestamp:
                if not rows or following[0] > rows[-1].timestamp:
                    parent = following[1]
                following = next(older, None)
            stored = new_revision(
                revision._replace(id=number, parent_id=parent, contributor=person), page_id
            )
            if (stored.timestamp, stored.sha1) in present:
                continue
            present.add((stored.timestamp, stored.sha1))
            rows.append(stored)
            parent, number = number, number + 1
        return rows

    def _local_users(self, names: set[str]) -> dict[str, int]:
        query = User.select(User.user_name, User.user_id).where(User.user_name.in_(list(names)))
        return dict(self.db.execute(query))

    def _log(self, title: Title, count: int) -> None:
        """Record the import in the page's history and in the import log."""
        page = current_page(self, title)
        reason, tags = self.p.text_or_none("summary") or "", self.p.texts("tags")
        say = self.site.messages.content_text
        detail = say("import-logentry-upload-detail", Num(count))
        step = NewText(
            "",
            page.model,
            f"{detail}{say('colon-separator')}{reason}" if reason else detail,
            is_minor=True,
            skips_recent_changes=True,
            counts_for_author=False,
            tags=tags,
            is_null=True,
        )
        saved = PageWriter(self.context.performer).save(title, page.row, step)
        entry_id = Changelog(self.context.performer).add_entry(
            "import",
            "upload",
            title,
            page_id=saved.page_id,
            reason=reason,
            params={"4:number:count": count},
            revision_id=saved.revision_id,
        )
        tag_change(self.db, tags, log_id=entry_id)


def _pages(action: Import, data: bytes) -> Iterator[_Imported]:
    """Yield the pages of an XML file.

    Raises:
        ApiError: ``import-unknownerror``, if the file cannot be read.
    """
    limits = limits_for(action.site.config.limits.article_size)
    page: _Imported | None = None
    try:
        for record in read_records([data], limits):
            if isinstance(record, PageHead):
                page = _Imported(record)
            elif isinstance(record, DumpRevision) and page:
                page.revisions.append(record)
            elif page and isinstance(record, PageEnd):
                yield page
                page = None
    except DumpError as error:
        raise _failure(str(error)) from error


def _failure(text: str) -> ApiError:
    key = "apierror-import-unknownerror"
    return ApiError("import-unknownerror", key, Plain(text))


def _credited(contributor: Contributor, users: dict[str, int], prefix: str) -> Contributor:
    """Return the author to store for an imported revision.

    IP addresses and the local ``users`` keep their names, other accounts get the prefix.
    """
    if user_kind(contributor.name)[0] == "ip":
        return Contributor(contributor.name)
    if contributor.name in users:
        return Contributor(contributor.name, users[contributor.name])
    return Contributor(f"{prefix}{_SEPARATOR}{contributor.name}")
