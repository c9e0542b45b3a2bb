"""Derives the links of some pages of a wiki that is in use.

:mod:`~wikiapi.pages.links.update` does it for all pages after an import.
"""

from __future__ import annotations

import logging
from collections.abc import Container, Iterable, Sequence
from functools import partial

from wikiapi.pages.links.derivation import waiting_pages
from wikiapi.site import Site
from wikiapi.store.models import Page, PageLinks, Redirect
from wikiapi.store.queries import generation, pages, watermark
from wikiapi.store.queries.watermark import Watermark
from wikiapi.store.sql.batches import Key, chunked
from wikiapi.store.sql.compiled import ByKeys, CompiledQuery
from wikiapi.store.write.counts import PageCounts
from wikiapi.store.write.links import LinkWriter, PageLinkSet
from wikiapi.store.write.sharing import sharing

logger = logging.getLogger(__name__)

_KEY = (Page.page_namespace, Page.page_title)
_WAITING = ByKeys(waiting_pages(*_KEY), *_KEY)
_END_WAITING = CompiledQuery(
    lambda page_id, is_redirect: Page.update(
        page_links_updated=Page.page_touched, page_is_redirect=is_redirect
    ).where(Page.page_id == page_id)
)
_PAGES_PER_TRANSACTION = 20
_MAX_ATTEMPTS = 5
"""How often links are derived that others outdate meanwhile, before ``wikiapi links`` does it."""
_MAX_WAITING = 1_000


class PendingLinks:
    """The pages whose links are to be derived when a transaction is committed.

    Calling it derives the links of those that still wait, as ``page_links_updated`` says.
    """

    def __init__(self, site: Site, keys: Iterable[Key] = ()) -> None:
        """Take the titles of pages, some of which may be missing, or need not wait any more.

        They count as edited.
        """
        self._site, self._db = site, site.db
        self._keys = dict.fromkeys(keys)
        self._edited = set(self._keys)

    def add(self, keys: Iterable[Key], edited: Iterable[Key] = ()) -> None:
        """Add more pages, among them those that were edited.

        Only these can become articles or cease to be articles, as in MediaWiki, whose statistics
        do not follow links that change with a template.
        """
        self._keys |= dict.fromkeys(keys)
        self._edited.update(edited)

    def __call__(self) -> None:
        """Derive and store the links, outside of any transaction.

        The change itself is committed, so that a failure is only logged: what is missing then is
        derived by ``wikiapi links``, or when the server starts.
        """
        keys = list(self._keys)
        try:
            for _ in range(_MAX_ATTEMPTS):
                if not keys:
                    return
                keys = self._db.repeated(partial(self._update, keys))
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            logger.warning("the links of some pages are to be derived later: %s", problem)

    def _update(self, keys: Sequence[Key]) -> list[Key]:
        """Update the links of pages; return the pages that a change outdated meanwhile.

        A page is skipped if it was saved again, so that its links are derived after that, or if
        this has been done already.
        """
        # Imported here, so that actions that write do not load the parser.
        from wikiapi.pages.links.deriver import LinkDeriver

        mark = watermark.now(self._db)
        waiting = _WAITING.rows(self._db, keys)
        deriver, outdated = LinkDeriver(self._site), []
        for batch in chunked(waiting, _PAGES_PER_TRANSACTION):
            derived = deriver.derive([(namespace, title) for namespace, title in batch])
            with sharing(self._db, durable=False):
                # Who edits one of these pages marks it as waiting before or after this.
                pages.lock(self._db, [links.page_id for links in derived])
                changed = watermark.changed_since(self._db, mark)
                current = []
                for links in derived:
                    if links.page_id in changed.edited:
                        continue
                    if links.depends_on(changed.keys):
                        outdated.append(links.key)
                    else:
                        current.append(links)
                if current:
                    self._write(current)
            outdated += self._outdated_since(mark, current)
        return outdated

    def _outdated_since(self, mark: Watermark, derived: Sequence[PageLinkSet]) -> list[Key]:
        """Return the pages whose links, which were stored, others have outdated meanwhile.

        They go on waiting. Who changes a page looks for those that use it when the change is
        committed, and this looks for changes when the links are: one of them sees the other.
        """
        if not (derived and self._db.can_share):
            return []
        changed = watermark.changed_since(self._db, mark)
        outdated = {
            links.page_id: links.key
            for links in derived
            if links.page_id not in changed.edited and links.depends_on(changed.keys)
        }
        if outdated:
            with sharing(self._db, durable=False):
                waits = Page.update(page_links_updated=None)
                self._db.execute_write(waits.where(Page.page_id.in_(sorted(outdated))))
        return list(outdated.values())

    def _write(self, sets: Sequence[PageLinkSet]) -> None:
        edited = [links for links in sets if links.key in self._edited]
        writer = LinkWriter(self._db, self._site.collation.name)
        if writer.lacks_targets(edited):
            targets = {key for links in edited for key in links.pages}
            present = pages.existing(self._db, targets) if targets else set()
            for links in edited:
                links.pages = _in_order_of_ids(links.pages, present)
        changes = writer.changes(sets)
        # As in MediaWiki, a category goes on counting a page that becomes another kind of member by
        # being moved as the kind that it was.
        members = changes.members()
        articles = changes.pages(PageLinks, Redirect) & {links.page_id for links in edited}
        # Most edits change neither the categories of a page nor whether it has links.
        content = self._site.namespaces.content
        counts = PageCounts(self._db, content, members, articles) if members | articles else None
        writer.write(changes)
        self._site.plugins.hook.on_links_updated(site=self._site, pages=sets)
        for links in sets:
            is_redirect = int(links.redirect is not None)
            self._db.execute_write(_END_WAITING(links.page_id, is_redirect))
        if counts:
            counts.update()
        generation.advance(self._db)


def _in_order_of_ids(targets: Iterable[Key], present: Container[Key]) -> list[Key]:
    """Return the targets of a page's links in the order in which they get ids if they have none.

    Lists of all links are in the order of these ids. As in MediaWiki, it is that of the namespaces;
    in each, the targets that exist come before the others.
    """
    titles = list(targets)
    existing = sorted(key for key in titles if key in present)
    met = [*existing, *(key for key in titles if key not in present)]
    namespaces = {ns: place for place, ns in enumerate(dict.fromkeys(ns for ns, _ in met))}
    return sorted(met, key=lambda key: namespaces[key[0]])


def update_waiting(site: Site) -> None:
    """Derive the links that a process has not derived because it was killed.

    If there are very many pages, they are left to ``wikiapi links``.
    """
    waiting = waiting_pages(Page.page_id).limit(_MAX_WAITING)
    if len(site.db.execute(waiting)) == _MAX_WAITING:
        logger.warning("the links of many pages are to be derived: run `wikiapi links`")
    else:
        derive_waiting(site, _MAX_WAITING)


def derive_waiting(site: Site, limit: int) -> int:
    """Derive the links of at most ``limit`` pages that wait for it; return how many succeeded."""
    rows = site.db.execute(waiting_pages(*_KEY).limit(limit))
    keys = [(namespace, title) for namespace, title in rows]
    PendingLinks(site, keys)()
    return len(keys) - len(list(_WAITING.rows(site.db, keys)))
