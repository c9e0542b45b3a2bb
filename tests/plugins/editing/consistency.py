"""What holds in the store of a wiki after any sequence of actions that write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from wikiapi.pages.links.check import check_links
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.site import Site
from wikiapi.store.check.contents import check_categories, check_contents, check_site_stats
from wikiapi.store.check.references import check_references
from wikiapi.store.queries import texts

_PAGES = """
    SELECT page_id, page_namespace, page_title, page_latest, page_len,
    page_is_redirect, page_content_model, page_links_updated FROM page
"""
_REVISIONS = """
    SELECT rev_page, rev_id, rev_timestamp, rev_parent_id, rev_len FROM revision
    ORDER BY rev_timestamp, rev_id
"""
_REVISION_IDS = "SELECT rev_id FROM revision UNION SELECT ar_rev_id FROM archive"


def problems(site: Site) -> list[str]:
    """Return what is wrong in a store, as sentences; an empty list for a sound one."""
    return [*_checked(site), *_history(site), *_changes(site), *_search_index(site)]


def _checked(site: Site) -> Iterator[str]:
    """Yield all findings of ``wikiapi check``, also those that are no errors.

    The number of articles is left out: as in MediaWiki, it does not follow links that change with
    a template until it is counted again.
    """
    db, derive = site.db, LinkDeriver(site).derive
    findings = [
        *check_references(db),
        *check_site_stats(db, site.namespaces.content),
        *check_categories(db),
        *check_contents(db),
        *check_links(db, partial(map, derive), None, lambda _: None),
    ]
    for finding in findings:
        if not finding.problem.startswith("site_stats") or "articles" not in finding.problem:
            yield f"{finding.page} {finding.place}: {finding.problem}"


def _history(site: Site) -> Iterator[str]:
    """Yield the rows of pages that do not agree with their revisions."""
    revisions = defaultdict(list)
    for page_id, *revision in site.db.execute_sql(_REVISIONS):
        revisions[page_id].append(revision)
    rows = site.db.execute_sql(_PAGES)
    titles = [(namespace, title) for _, namespace, title, *_ in rows]
    current = texts.current(site.db, titles)
    # Parents may be deleted, or belong to another page: histories can be merged in part.
    existing = {number for (number,) in site.db.execute_sql(_REVISION_IDS)}
    for key, row in zip(titles, rows, strict=True):
        page_id, _, _, latest, length, is_redirect, model, derived = row
        history = revisions.pop(page_id, [])
        if not history:
            yield f"{key} has no revisions"
            continue
        newest, _, _, newest_length = history[-1]
        if newest != latest:
            yield f"{key}: the latest revision is {latest}, the newest is {newest}"
        if length != newest_length:
            yield f"{key}: the length is {length}, that of the newest revision {newest_length}"
        page = current[key]
        if (model or page.model) != page.model:
            yield f"{key}: the content model is {model}, that of the text {page.model}"
        declared = site.content_models[page.model]
        leads_to = declared.redirect_target(site, page.text or "")
        if bool(is_redirect) != (leads_to is not None):
            yield f"{key}: page_is_redirect is {is_redirect}, the text leads to {leads_to}"
        if derived is None:
            yield f"{key}: the links have not been derived"
        for number, _, before, _ in history:
            if before and before == number:
                yield f"{key}: revision {number} is its own parent"
            if before and before not in existing:
                yield f"{key}: the parent {before} of revision {number} does not exist"
    yield from (f"page {page_id} does not exist, but has revisions" for page_id in revisions)


def _changes(site: Site) -> Iterator[str]:
    """Yield recent changes of revisions that exist nowhere."""
    query = """
        SELECT rc_id, rc_this_oldid FROM recentchanges WHERE rc_this_oldid > 0
        AND rc_this_oldid NOT IN (SELECT rev_id FROM revision)
        AND rc_this_oldid NOT IN (SELECT ar_rev_id FROM archive)
    """
    rows = site.db.execute_sql(query)
    yield from (f"change {number} is of revision {revision}" for number, revision in rows)


def _search_index(site: Site) -> Iterator[str]:
    """Yield pages whose entry in the full-text index is not that of their text."""
    query = "SELECT rowid FROM searchindex"
    indexed = {number for (number,) in site.db.execute_sql(query)}
    there = {number for (number,) in site.db.execute_sql("SELECT page_id FROM page")}
    yield from (f"page {number} is not in the index" for number in sorted(there - indexed))
    yield from (f"page {number} is only in the index" for number in sorted(indexed - there))
    try:
        site.db.execute_sql(
            "INSERT INTO searchindex (searchindex, rank) VALUES ('integrity-check', 1)"
        )
    except Exception as error:
        yield f"the index is damaged: {error}"
