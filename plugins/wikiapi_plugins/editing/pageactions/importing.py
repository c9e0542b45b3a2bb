"""``action=import``."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from wikiapi.accounts import block_against, user_kind
from wikiapi.api import (
    Arr,
    Obj,
    WriteAction,
    boolean,
    change_tags,
    compact,
    current_page,
    enum,
    namespace,
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
from wikiapi.pages import Changelog, NewText, PageWriter, add_history, cut_comment, tag_change
from wikiapi.store import Key, NewRevision, PageRow, RevisionWriter
from wikiapi.store.models import Revision, SiteStats, User
from wikiapi.store.queries import pages
from wikiapi.title import Title, default_model

_OF_EXTENSIONS = 100
"""The first number of namespaces that mean something else on each wiki."""
_EPOCH = "19700101000000"
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
        if self.p.is_given("namespace") and self.p.is_given("rootpage"):
            raise ApiError("invalidparammix", "apierror-invalidparammix", "namespace, rootpage")
        if self.p.is_given("interwikisource"):
            self._refuse_other_wiki()
        if not self.context.user.can("importupload"):
            raise ApiError("cantimport-upload", "apierror-cantimport-upload")
        self._prefix = self._required("interwikiprefix")
        file = self.context.request.files.get(self.full("xml"))
        if file is None:
            raise ApiError("nofile", "importnofile")
        self._root = self._root_page()
        self._pages = list(_pages(self, file.data))

    def perform(self) -> None:
        """Import the pages of the file, and put the number of new revisions of each in the result.

        As in MediaWiki, pages with an invalid title, or that the user may not edit, are left out,
        and the import ends before the first revision whose content model is unknown.
        """
        self._names: dict[Key, str] = {}
        items = []
        for page in self._pages:
            items.append(self._import(page, self._prefix))
            if self.failure:
                return
        self.result.set((), self.name, Arr(filter(None, items), "page"))

    def _refuse_other_wiki(self) -> None:
        """Refuse to import from another wiki, which is not supported.

        Raises:
            ApiError: ``cantimport``, ``nointerwikipage`` or ``cantopenfile``.
        """
        if not self.context.user.can("import"):
            raise ApiError("cantimport", "apierror-cantimport")
        if not self.p.is_given("interwikipage"):
            self._required("interwikipage")
        raise ApiError("cantopenfile", "importcantopen")

    def _required(self, name: str) -> str:
        """Return a parameter that this kind of import requires."""
        value = self.p.text_or_none(name)
        if not value:
            full = self.full(name)
            raise ApiError(f"no{full}", "apierror-missingparam", Plain(full))
        return value

    def _root_page(self) -> Title | None:
        """Return the page whose subpages the imported pages become; ``None`` for none.

        Raises:
            ApiError: ``import-rootpage-invalid`` or ``import-rootpage-nosubpage``.
        """
        name = (self.p.text_or_none("rootpage") or "").rstrip("/")
        if not self.p.text_or_none("rootpage"):
            return None
        title = self.site.titles.try_parse(name)
        if title is None or title.interwiki:
            raise ApiError("import-rootpage-invalid", "import-rootpage-invalid")
        if not title.namespace.subpages:
            key = "import-rootpage-nosubpage"
            raise ApiError(key, key, Plain(title.namespace.name))
        return title

    def _import(self, page: _Imported, prefix: str) -> Obj | None:
        """Import a page; return its number of revisions, or ``None`` if it is left out.

        If a revision has an unknown content model, only those before it are imported.
        """
        title = self._title(page.head)
        if title is None or not page.revisions:
            return None
        # Two pages of the file must not become one, with the histories of both.
        other = self._names.setdefault(title.key, page.head.title)
        if other != page.head.title:
            one, target = page.head.title, title.prefixed_text
            raise _failure(f"{other!r} and {one!r} would both become {target!r}")
        row = pages.by_titles(self.db, [title.key]).get(title.key)
        is_blocked = block_against(self.context.performer, "edit", title, row) is not None
        if is_blocked or self.reasons_against("edit", title, row):
            return None
        revisions = list(self._acceptable(page.revisions, title))
        page_id = row.page_id if row else PageWriter(self.context.performer).next_page_id()
        rows, edits = self._new_rows(revisions, row, page_id, prefix)
        item = Obj(title_data(title) | {"revisions": len(rows)})
        if not rows:
            return item
        add = partial(RevisionWriter(self.db).add, rows)
        # As in MediaWiki, an import leaves the number of articles as it is.
        add_history(self.context.performer, title, row, page_id, add, is_edited=False)
        counted = SiteStats.update(ss_total_edits=SiteStats.ss_total_edits + edits)
        self.db.execute_write(counted)
        if not self.failure:
            self._log(title, len(rows))
        return item

    def _acceptable(
        self, revisions: Iterable[DumpRevision], title: Title
    ) -> Iterator[DumpRevision]:
        """Yield the revisions before the first with an unknown content model, the failure.

        The main slot has the default model of the title if the file tells none.

        Raises:
            ApiError: ``import-unknownerror``, if a text is not valid in its content model.
        """
        models = self.site.content_models
        for revision in revisions:
            main = revision.main
            model = default_model(title) if main.model is None else main.model
            slots = (main._replace(model=model), *revision.slots[1:])
            for slot in slots:
                if slot.model is not None and slot.model not in models:
                    self.failure = _failure(f"the content model {slot.model!r} is unknown")
                    return
                if slot.model and not slot.absent and not models[slot.model].is_valid(slot.text):
                    name = title.prefixed_text
                    raise _failure(f"a text of {name!r} is not valid {slot.model}")
            yield revision._replace(slots=slots)

    def _title(self, head: PageHead) -> Title | None:
        """Return the title under which a page is imported; ``None`` if it is invalid.

        What precedes the colon of a title is the name of a namespace if the page is not in the main
        one. A namespace that has a number below 100 is the one of the same number here.
        """
        prefix, colon, rest = head.title.partition(":")
        name = rest if head.ns and colon else head.title
        namespaces, titles = self.site.namespaces, self.site.titles
        if self._root is not None:
            title = titles.try_parse(f"{self._root.prefixed_text}/{head.title}")
        elif self.p.is_given("namespace"):
            title = self._made(self.p.number("namespace"), name)
        elif 0 <= head.ns < _OF_EXTENSIONS and head.ns in namespaces:
            title = self._made(head.ns, name)
        else:
            declared = namespaces.find(prefix) if colon else None
            title = self._made(declared.id, name) if declared else self._made(0, head.title)
        if title is None or title.interwiki or title.namespace.is_virtual:
            return None
        return title

    def _made(self, ns: int, name: str) -> Title | None:
        """Return a title in a namespace, whose name may begin with that of another namespace."""
        made = self.site.titles.make(ns, name.replace(" ", "_"))
        return self.site.titles.try_parse(made.prefixed_text)

    def _new_rows(
        self, revisions: Sequence[DumpRevision], row: PageRow | None, page_id: int, prefix: str
    ) -> tuple[list[NewRevision], int]:
        """Return rows for the revisions to add, in the order of the file, and how many are edits.

        Those that the page has already are left out if the file tells their hash. The parent of
        each is the newest revision of the page that is not newer than it. Those that become the
        latest revision of the page, with another text than the one before, are edits.
        """
        query = Revision.select(Revision.rev_timestamp, Revision.rev_id, Revision.rev_sha1)
        there = self.db.execute(query.where(Revision.rev_page == page_id)) if row else []
        present = {(moment, digest) for moment, _, digest in there}
        history = sorted((moment, number) for moment, number, _ in there)
        latest, digest = next(
            ((moment, digest) for moment, number, digest in there if row and number == row.latest),
            ("", None),
        )
        number, edits = PageWriter(self.context.performer).next_revision_id(), 0
        users: dict[str, int] = {}
        if self.p.flag("assignknownusers"):
            names = {revision.contributor.name for revision in revisions}
            local = User.select(User.user_name, User.user_id)
            users = dict(self.db.execute(local.where(User.user_name.in_(sorted(names)))))
        rows: list[NewRevision] = []
        for revision in revisions:
            timestamp = revision.timestamp
            if timestamp == _EPOCH:  # The file has no time.
                timestamp = compact(self.context.now)
            if revision.main.sha1 and (timestamp, revision.main.sha1) in present:
                continue
            older = bisect_right(history, (timestamp, number))
            stored = new_revision(
                revision._replace(
                    id=number,
                    parent_id=history[older - 1][1] if older else 0,
                    timestamp=timestamp,
                    comment=cut_comment(revision.comment),
                    contributor=_credited(revision.contributor, users, prefix),
                ),
                page_id,
            )
            history.insert(older, (timestamp, number))
            present.add((timestamp, stored.sha1))
            rows.append(stored)
            number += 1
            if timestamp >= latest:
                edits += stored.sha1 != digest
                latest, digest = timestamp, stored.sha1
        return rows, edits

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
        for record in read_records([data], limits, is_lenient=True):
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
