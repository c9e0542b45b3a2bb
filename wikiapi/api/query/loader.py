"""Loads page sets from titles, ids, revision ids or the output of a generator.

Each step takes one database query, however many pages are requested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from wikiapi.api.params.validate import clean, split
from wikiapi.api.query.pageset import GeneratedPages, InvalidPage, PageSet, ResolvedRedirect
from wikiapi.errors import InvalidTitle
from wikiapi.site import Site
from wikiapi.store.queries import pages, redirects
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.queries.redirects import RedirectRow
from wikiapi.title.namespaces import MAIN, SPECIAL
from wikiapi.title.title import Title
from wikiapi.title.variants import stored_variants

Key = tuple[int, str]
_NONE: Mapping[Key, Title] = MappingProxyType({})


class PageSetLoader:
    """Loads one page set."""

    def __init__(
        self,
        site: Site,
        *,
        follow_redirects: bool = False,
        find_deleted: bool = False,
        convert_titles: bool = False,
        default_namespace: int = MAIN,
    ) -> None:
        """Create an empty page set.

        Args:
            site: the wiki.
            follow_redirects: whether redirects are replaced with their targets.
            find_deleted: whether the user may see deleted revisions.
            convert_titles: whether missing pages are looked up by the variants of their titles.
            default_namespace: the namespace of titles without prefix.
        """
        self._site = site
        self._follow = follow_redirects
        self._find_deleted = find_deleted
        self._language = site.parser.content_converter if convert_titles else None
        self._namespace = default_namespace
        self._pending: dict[int, Title] = {}
        self._loaded: set[Key] = set()
        self.page_set = PageSet()

    def load_texts(self, texts: Iterable[str]) -> PageSet:
        """Load pages by the texts of their titles in a request."""
        self._load_titles(self._converted(self._parsed(texts)))
        return self._finished()

    def note_normalised(self, raw: str, texts: Iterable[str]) -> None:
        """Record the titles in a request that were changed by cleaning their characters."""
        requested = set(texts)
        for part in split(raw, len(raw)):
            text = clean(part)[0]
            if text != part and text in requested:
                self.page_set.normalized[part] = text

    def load_ids(self, page_ids: Iterable[int]) -> PageSet:
        """Load pages by id."""
        self._load_ids(page_ids)
        return self._finished()

    def load_revisions(self, revision_ids: Iterable[int]) -> PageSet:
        """Load the pages of revisions; redirects are not followed."""
        self._follow = False
        return self._load_revisions(revision_ids)

    def _load_revisions(self, revision_ids: Iterable[int]) -> PageSet:
        requested = list(revision_ids)
        rows = pages.by_revision_ids(self._site.db, [rev for rev in requested if rev > 0])
        self.page_set.revisions |= {rev: rows[rev].page_id for rev in requested if rev in rows}
        self._add_rows(sorted(set(rows.values())))
        self._load_deleted([revision_id for revision_id in requested if revision_id not in rows])
        return self._finished()

    def _load_deleted(self, revision_ids: list[int]) -> None:
        """Load the deleted revisions if the user may see them; mark all others as missing."""
        keys: dict[int, Key] = {}
        if self._find_deleted:
            positive = [revision_id for revision_id in revision_ids if revision_id > 0]
            archived = pages.archived_revision_ids(self._site.db, positive)
            keys = {
                revision_id: archived[revision_id]
                for revision_id in positive
                if revision_id in archived
            }
            self._load_titles(self._site.titles.make(*key) for key in keys.values())
        ids = self.page_set.ids_by_key()
        ids |= {title.key: page_id for page_id, title in self._pending.items()}
        for revision_id in revision_ids:
            if revision_id in keys:
                self.page_set.deleted_revisions[revision_id] = ids[keys[revision_id]]
            else:
                self.page_set.missing_revisions.append(revision_id)

    def load_generated(self, generated: GeneratedPages) -> PageSet:
        """Load the pages that a generator has found."""
        if generated.revision_ids:
            return self._load_revisions(generated.revision_ids)
        self._add_rows(generated.rows)
        if generated.page_ids:
            self._load_ids(generated.page_ids)
        if generated.titles:
            self._load_titles(self._converted(list(generated.titles)))
        return self._finished()

    def _parsed(self, texts: Iterable[str]) -> list[Title]:
        titles: list[Title] = []
        for text in texts:
            try:
                title = self._with_local_name(self._site.titles.parse(text, self._namespace))
            except InvalidTitle as error:
                invalid = self.page_set.invalid
                if all(page.text != text for page in invalid.values()):
                    invalid[self.page_set.fake_id()] = InvalidPage(text, error.message)
                continue
            spelled = title.prefixed_text
            if title.interwiki:
                self.page_set.interwiki[spelled] = title
            if text != spelled:
                self.page_set.normalized[text] = spelled
            titles.append(title)
        return titles

    def _converted(self, titles: list[Title]) -> list[Title]:
        """Return the titles, with missing ones replaced with variants that exist."""
        if self._language is None:
            return titles
        db = self._site.db
        by_key = {title.key: title for title in titles if not title.interwiki and title.ns >= 0}
        stored = pages.existing(db, by_key) if by_key else set()
        missing = [title for key, title in by_key.items() if key not in stored]
        variants = stored_variants(
            missing, self._language, self._site.titles, lambda keys: pages.existing(db, keys)
        )
        for title in missing:
            if variant := variants.get(title.key):
                self.page_set.converted[title.prefixed_text] = variant.prefixed_text
        return [variants.get(title.key, title) for title in titles]

    def _load_titles(self, titles: Iterable[Title]) -> None:
        requested: dict[Key, Title] = {}
        for title in titles:
            key = title.key
            if title.interwiki or not title.dbkey or key in self._loaded:
                continue
            self._loaded.add(key)
            if title.namespace.is_virtual:
                self.page_set.special[self.page_set.fake_id()] = title.without_fragment()
            else:
                requested[key] = title.without_fragment()
        if not requested:
            return
        rows = pages.by_titles(self._site.db, requested)
        order = {namespace: n for n, namespace in enumerate(dict.fromkeys(k[0] for k in requested))}
        # Rows are sorted by namespace in the order of the request, then by title as in the index.
        self._add_rows(
            sorted(rows.values(), key=lambda row: (order[row.namespace], row.title.encode())),
            requested,
        )
        missing = [title for key, title in requested.items() if key not in rows]
        for title in sorted(missing, key=lambda title: order[title.ns]):
            self.page_set.missing[self.page_set.fake_id()] = title

    def _load_ids(self, page_ids: Iterable[int]) -> None:
        requested = list(page_ids)
        if not requested:
            return
        rows = pages.by_ids(self._site.db, [number for number in requested if number > 0])
        self._add_rows(rows[number] for number in sorted(rows))
        self.page_set.missing_ids += [number for number in requested if number not in rows]

    def _add_rows(self, rows: Iterable[PageRow], titles: Mapping[Key, Title] = _NONE) -> None:
        """Add existing pages; ``titles`` contains those of their titles that exist as objects."""
        for row in rows:
            key = row.namespace, row.title
            title = titles.get(key) or self._site.titles.make(*key)
            self._loaded.add(key)
            if self._follow and row.is_redirect:
                self._pending[row.page_id] = title
            else:
                self.page_set.good[row.page_id] = row
                self.page_set.titles[row.page_id] = title

    def _finished(self) -> PageSet:
        """Follow redirects until there are none left; each page of a loop is visited once."""
        while self._pending:
            pending, self._pending = self._pending, {}
            targets = redirects.targets(self._site.db, pending)
            # Pages that are marked as redirects but have no target are normal pages.
            page_ids = pending.keys() - targets.keys()
            rows = pages.by_ids(self._site.db, page_ids) if page_ids else {}
            for page_id, row in rows.items():
                self.page_set.good[page_id] = row
                self.page_set.titles[page_id] = self._site.titles.make(row.namespace, row.title)
            self._load_titles(self._followed(pending, targets))
        return self.page_set

    def _followed(
        self, pending: Mapping[int, Title], rows: Mapping[int, RedirectRow]
    ) -> list[Title]:
        targets = []
        for page_id in sorted(rows):
            row = rows[page_id]
            plain = self._site.titles.make(row.namespace, row.title)
            target = Title(plain.namespace, plain.dbkey, row.fragment, row.interwiki)
            self.page_set.redirects.append(ResolvedRedirect(pending[page_id], target))
            if target.interwiki:
                self.page_set.interwiki[target.prefixed_text] = target
            targets.append(target)
        return targets

    def _with_local_name(self, title: Title) -> Title:
        """Return the title of a special page with its name in the wiki's language."""
        if title.ns != SPECIAL or title.interwiki:
            return title
        return replace(title, dbkey=self._site.special_pages.local_name(title.dbkey))
