"""A wiki of any number of pages, generated inside SQLite, without Python handling any texts.

Of each hundred pages, one is a category, one a template and five are redirects. A page links to
eight others, one of them popular. It transcludes one of fifty common templates and two rare ones,
and is in one of twenty large categories and in a small one. Large categories and popular pages grow
with the wiki, small ones do not. Every page has two revisions, in chronological order.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from wikiapi.store.database import Database
from wikiapi.store.schema.migrate import upgrade

SHARED_TEMPLATES = 50
LARGE_CATEGORIES = 20
ARTICLE, TEMPLATE, CATEGORY = 5, 1, 0
"""Remainders by 100 of page ids: of one kind of article, of templates, of categories."""

_PLAIN = "page_namespace = 0 AND page_is_redirect = 0"
_STATEMENTS = (
    """INSERT INTO page SELECT i, ns, title, redirect, 0, (i * 7919 % :n) * 1.0 / :n, stamp, stamp,
       2 * i, 240, NULL, NULL FROM (SELECT i,
       CASE i % 100 WHEN 0 THEN 14 WHEN 1 THEN 10 ELSE 0 END AS ns,
       CASE i % 100 WHEN 0 THEN 'C' WHEN 1 THEN 'T' ELSE 'Article_' END || i AS title,
       i % 20 = 3 AS redirect, strftime('%Y%m%d%H%M%S', 1000000000 + i * 60, 'unixepoch') AS stamp
       FROM number WHERE i <= :n)""",
    "INSERT INTO linktarget SELECT page_id, page_namespace, page_title FROM page",
    "INSERT INTO linktarget SELECT :n + i, 0, 'Missing_' || i FROM number WHERE i <= :n / 20",
    f"""INSERT OR IGNORE INTO pagelinks SELECT page_id,
       CASE k WHEN 8 THEN 100 * (page_id * 31 % (:n / 1000)) + 5
       ELSE 1 + (page_id * 2654435 + k * k * 40503) % (:n + :n / 20) END,
       0 FROM page, (SELECT i AS k FROM number WHERE i <= 8) WHERE {_PLAIN}""",
    """INSERT INTO pagelinks SELECT page_id, 100 * (page_id * 17 % (:n / 100)) + 6, 0 FROM page
       WHERE page_is_redirect""",
    """INSERT INTO redirect SELECT pl_from, 0, lt_title, '', '' FROM pagelinks
       JOIN linktarget ON lt_id = pl_target_id JOIN page ON page_id = pl_from
       WHERE page_is_redirect""",
    f"""INSERT OR IGNORE INTO templatelinks SELECT page_id,
       CASE k WHEN 1 THEN 100 * (page_id % {SHARED_TEMPLATES})
       ELSE 100 * (page_id * (6 + k) % (:n / 100)) END + 1,
       0 FROM page, (SELECT i AS k FROM number WHERE i <= 3) WHERE {_PLAIN}""",
    f"""INSERT OR IGNORE INTO categorylinks SELECT page_id,
       100 * CASE k WHEN 1 THEN 1 + page_id % {LARGE_CATEGORIES}
       ELSE 1 + page_id * 11 % (:n / 100) END,
       upper(replace(page_title, '_', ' ')), '', page_touched, 'page', 1
       FROM page, (SELECT i AS k FROM number WHERE i <= 2) WHERE {_PLAIN}""",
    """INSERT INTO category (cat_title, cat_pages) SELECT lt_title, count(*) FROM categorylinks
       JOIN linktarget ON lt_id = cl_target_id GROUP BY cl_target_id""",
    (
        "INSERT INTO user SELECT i, 'User ' || i, '', '', '', NULL, '', '20200101000000', '', "
        "NULL, NULL, NULL, '20200101000000', 200, NULL, 0 FROM number WHERE i <= :n / 100"
    ),
    "INSERT INTO actor SELECT user_id, user_id, user_name FROM user",
    "INSERT INTO comment VALUES (1, 0, 'An edit', NULL)",
    """INSERT INTO revision SELECT i, (i + 1) / 2, 1, 1 + i * 13 % (:n / 100),
       strftime('%Y%m%d%H%M%S', 1000000000 + i * 30, 'unixepoch'), 0, 0, 240,
       CASE i % 2 WHEN 0 THEN i - 1 ELSE 0 END, printf('%031d', i) FROM number""",
    "INSERT INTO slot_roles VALUES (1, 'main')",
    "INSERT INTO content_models VALUES (1, 'wikitext')",
    "INSERT INTO slots SELECT i, 1, (i + 1) / 2, i FROM number",
    """INSERT INTO content SELECT i, 240, printf('%031d', i), 1, 'tt:' || i FROM number
       WHERE i <= :n""",
    """INSERT INTO text SELECT i, 'Article ' || i || ' tells of subject' || (i / 10)
       || ' and of colour' || (i % 997) || '. [[Article ' || (i + 2) || ']] is its neighbour.'
       || hex(zeroblob(80)), 'utf-8' FROM number WHERE i <= :n""",
    """INSERT INTO recentchanges SELECT rev_id, rev_timestamp, rev_actor, page_namespace,
       page_title, 1, 0, 0, page_id, rev_id, rev_id - 1, 0, 'mw.edit', 0, '', 240, 240, 0, 0,
       NULL, NULL, NULL FROM page JOIN revision ON rev_id = page_latest""",
    "INSERT OR REPLACE INTO site_stats VALUES (1, 2 * :n, :n, :n, :n / 100, 10, 0)",
    "INSERT INTO searchindex(searchindex) VALUES ('rebuild')",
)


def make(file: Path, pages: int) -> str:
    """Make a store with this number of pages, at least a thousand; return its URL."""
    url = f"sqlite:///{file.absolute()}"
    db = Database(url)
    upgrade(db)
    db.close()
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in ("synchronous = OFF", "journal_mode = OFF", "cache_size = -400000"):
        connection.execute(f"PRAGMA {pragma}")
    later = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE%'"
    ).fetchall()
    for name, _ in later:
        connection.execute(f'DROP INDEX "{name}"')
    _fill(connection, pages)
    for _, sql in later:
        connection.execute(sql)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    return url


def _fill(connection: sqlite3.Connection, pages: int) -> None:
    connection.execute("CREATE TEMPORARY TABLE number (i INTEGER PRIMARY KEY)")
    connection.execute(
        "INSERT INTO number WITH RECURSIVE up(i) AS (SELECT 1 UNION ALL "
        "SELECT i + 1 FROM up WHERE i < 2 * :n) SELECT i FROM up",
        {"n": pages},
    )
    for statement in _STATEMENTS:
        connection.execute(statement, {"n": pages})
