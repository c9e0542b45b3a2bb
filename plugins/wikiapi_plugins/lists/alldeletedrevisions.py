"""``list=alldeletedrevisions``."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import (
    boolean,
    continuation,
    direction,
    namespace,
    string,
    timestamp,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Plain
from wikiapi.store import bounds, pages, revisions, tags
from wikiapi.store.models import Archive
from wikiapi_plugins.families.deletedaccess import check_access
from wikiapi_plugins.families.moments import moment_part
from wikiapi_plugins.families.revisionlists import RevisionLists, author_conditions, walked
from wikiapi_plugins.families.revisionoptions import read_options
from wikiapi_plugins.families.revisionparams import revision_params
from wikiapi_plugins.families.titlepart import title_part

if TYPE_CHECKING:
    from wikiapi.api.query.generator import GeneratedPages
    from wikiapi.store.revisions import RevisionRow
    from wikiapi.title.title import Title

_KINDS = ("name", "ip", "temp", "id", "interwiki")
_BY_TIME = (Archive.ar_timestamp, Archive.ar_id)
_BY_TITLE = (Archive.ar_namespace, Archive.ar_title, *_BY_TIME)
_OF_ALL, _OF_USER = ("from", "to", "prefix", "excludeuser"), ("start", "end")

Found = tuple["RevisionRow", "Title", str]


class AllDeletedRevisions(RevisionLists):
    """List all deleted revisions by a user or in a namespace."""

    name = "alldeletedrevisions"
    prefix = "adr"
    params = (
        *revision_params(),
        user("user", "Only revisions by this user.", kinds=_KINDS),
        namespace(multi=True),
        timestamp("start", "The moment to begin with; only with user."),
        timestamp("end", "The moment to end with; only with user."),
        direction(),
        string("from", "The title to begin with; not with user."),
        string("to", "The title to end with; not with user."),
        string("prefix", "Titles that begin with this text; not with user."),
        user("excludeuser", "No revisions by this user; not with user.", kinds=_KINDS),
        string("tag", "Only revisions with this tag."),
        continuation(),
        boolean("generatetitles", "As a generator, yield titles rather than revisions."),
    )  # fmt: skip
    examples = (
        ("action=query&list=alldeletedrevisions&adrdir=newer&adrlimit=50&adrprop=ids",
         "The first deleted revisions"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Alldeletedrevisions",)

    def execute(self) -> None:
        """List the revisions."""
        self._refuse_mixes()
        self.result.list(("query", self.name), self.element)
        if self.p["namespace"] == () and not self._is_of_user:
            return
        options = read_options(self)
        check_access(self.context, options)
        found = self._found(options.limit)
        keys = {title.key for _, title, _ in found}
        existing = pages.by_titles(self.db, keys)
        self.add_revisions(
            found,
            options,
            lambda _, title: existing[title.key].page_id if title.key in existing else 0,
        )

    def generate(self, pages: GeneratedPages) -> None:
        """Yield the revisions, or with ``generatetitles`` their titles."""
        self._refuse_mixes()
        if self.p["namespace"] == () and not self._is_of_user:
            return
        limit = read_options(self).limit

        def add(entry: Found) -> bool:
            row, title, _ = entry
            if self.p["generatetitles"]:
                pages.titles.append(title)
            else:
                pages.revision_ids.append(row.rev_id)
            return True

        self.page_through(self._found(limit), limit, lambda entry: entry[2], add)

    @property
    def _is_of_user(self) -> bool:
        return self.p["user"] is not None

    def _refuse_mixes(self) -> None:
        names = _OF_ALL if self._is_of_user else _OF_USER
        key = "cannotusewith" if self._is_of_user else "mustusewith"
        for name in names:
            if self.p[name] is not None:
                params = (Plain(self.full(name)), Plain(self.full("user")))
                message = Message(f"apierror-invalidparammix-{key}", params)
                raise ApiError(message, "invalidparammix")

    def _found(self, limit: int) -> list[Found]:
        order = _BY_TIME if self._is_of_user else _BY_TITLE
        query = revisions.select_archived(Archive.ar_namespace, Archive.ar_title, Archive.ar_id)
        conditions = [*self._going_on(), *self._wanted()]
        query = query.where(*conditions) if conditions else query
        found = []
        for values in self.rows(walked(query, order, limit, descending=self.descending)):
            row, more = revisions.read(values), values[revisions.WIDTH :]
            position = f"{row.timestamp}|{more[2]}"
            if not self._is_of_user:
                position = f"{more[0]}|{more[1]}|{position}"
            found.append((row, self.site.titles.make(more[0], more[1]), position))
        return found

    def _going_on(self) -> list[Any]:
        parts = self.continue_parts(2 if self._is_of_user else 4)
        if parts is None:
            return []
        time = [moment_part(parts[-2]), self.continue_int(parts[-1])]
        if self._is_of_user:
            return [bounds.starting_at(_BY_TIME, time, descending=self.descending)]
        values = [self.continue_int(parts[0]), parts[1], *time]
        return [bounds.starting_at(_BY_TITLE, values, descending=self.descending)]

    def _wanted(self) -> list[Any]:
        conditions = author_conditions(self, Archive.ar_deleted)
        if self._is_of_user:
            ends = (self.p["start"], self.p["end"])
            conditions += bounds.between(Archive.ar_timestamp, *ends, descending=self.descending)
            if self.p["namespace"]:
                conditions.append(Archive.ar_namespace.in_(self.p["namespace"]))
        else:
            conditions.append(self._titles())
        if self.p["tag"] is not None:
            conditions.append(Archive.ar_rev_id.in_(tags.tagged_revisions(self.p["tag"])))
        return conditions

    def _titles(self) -> Any:
        """The ranges of titles, which namespaces may spell differently."""
        known = [number for number in self.site.namespaces.ids() if number >= 0]
        namespaces = self.p["namespace"] or known
        if all(self.p[name] is None for name in _OF_ALL[:3]):
            return Archive.ar_namespace.in_(namespaces)
        return reduce(or_, (self._within(number) for number in namespaces))

    def _within(self, number: int) -> Any:
        parts = {
            name: None if self.p[name] is None else title_part(self.site, self.p[name], number)
            for name in _OF_ALL[:3]
        }
        # The direction is that of time and titles alike.
        ends = (parts["from"], parts["to"])
        conditions = bounds.between(Archive.ar_title, *ends, descending=self.descending)
        conditions += bounds.with_prefix(Archive.ar_title, parts["prefix"] or "")
        found = Archive.ar_namespace == number
        for condition in conditions:
            found &= condition
        return found
