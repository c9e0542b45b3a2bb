"""A wiki of any number of pages, generated inside SQLite so that no text passes through Python.

Of each hundred pages, one is a category, one a template, one a file, one a talk page and five are
redirects, of which some are broken or double. A page links to eight others, one of them popular. It
transcludes one of fifty common templates and two rare ones, and is in one of twenty large
categories and in a small one. Large categories and popular pages grow with the wiki, small ones do
not. Every page has two revisions, in chronological order, of which a fifth are by one bot. There
are logs, tags, deleted revisions, properties, protections, blocks, and links to files, languages,
other wikis and other sites.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from wikiapi.store.database import Database
from wikiapi.store.schema.migrate import upgrade

SHARED_TEMPLATES = 50
LARGE_CATEGORIES = 20
ARTICLE, TEMPLATE, CATEGORY = 5, 1, 0
"""Page ids modulo 100: of one kind of article, of templates, and of categories."""

_ADDRESS = "'10.' || (i >> 16) || '.' || (i >> 8 & 255) || '.' || (i & 255)"
_PLAIN = "page_namespace = 0 AND page_is_redirect = 0"
_STATEMENTS = (
    """INSERT INTO page SELECT i, ns, title, redirect, 0, (i * 7919 % :n) * 1.0 / :n, stamp, stamp,
       2 * i, 240, NULL, NULL FROM (SELECT i,
       CASE i % 100 WHEN 0 THEN 14 WHEN 1 THEN 10 WHEN 2 THEN 6 WHEN 9 THEN 1 ELSE 0 END AS ns,
       CASE i % 100 WHEN 0 THEN 'C' || i WHEN 1 THEN 'T' || i WHEN 2 THEN 'F' || i || '.png'
       WHEN 9 THEN 'Article_' || (i - 1) ELSE 'Article_' || i END AS title,
       i % 20 = 3 AS redirect, strftime('%Y%m%d%H%M%S', 1000000000 + i * 60, 'unixepoch') AS stamp
       FROM number WHERE i <= :n)""",
    "INSERT INTO linktarget SELECT page_id, page_namespace, page_title FROM page",
    """INSERT INTO linktarget SELECT :n + i, CASE i % 100 WHEN 0 THEN 14 WHEN 1 THEN 10 ELSE 0 END,
       'Missing_' || i FROM number WHERE i <= :n / 20""",
    f"""INSERT OR IGNORE INTO pagelinks SELECT page_id,
       CASE k WHEN 8 THEN 100 * (page_id * 31 % (:n / 1000)) + 5
       ELSE 1 + (page_id * 2654435 + k * k * 40503) % (:n + :n / 20) END,
       0 FROM page, (SELECT i AS k FROM number WHERE i <= 8) WHERE {_PLAIN}""",
    """INSERT INTO pagelinks SELECT page_id, CASE page_id % 1000
       WHEN 3 THEN :n + 100 * (page_id % (:n / 2000)) + 5
       WHEN 103 THEN 100 * (page_id * 17 % (:n / 100)) + 3
       ELSE 100 * (page_id * 17 % (:n / 100)) + 6 END, 0 FROM page WHERE page_is_redirect""",
    """INSERT INTO redirect SELECT pl_from, 0, lt_title, '', '' FROM pagelinks
       JOIN linktarget ON lt_id = pl_target_id JOIN page ON page_id = pl_from
       WHERE page_is_redirect""",
    f"""INSERT OR IGNORE INTO templatelinks SELECT page_id,
       CASE k WHEN 1 THEN 100 * (page_id % {SHARED_TEMPLATES})
       ELSE 100 * (page_id * (6 + k) % (:n / 100)) END + 1,
       0 FROM page, (SELECT i AS k FROM number WHERE i <= 3) WHERE {_PLAIN}""",
    """INSERT OR IGNORE INTO templatelinks SELECT page_id,
       :n + 100 * (page_id % (:n / 2000)) + 1, 0 FROM page
       WHERE page_id % 100 = 7""",
    f"""INSERT OR IGNORE INTO categorylinks SELECT page_id,
       100 * CASE k WHEN 1 THEN 1 + page_id % {LARGE_CATEGORIES}
       ELSE 1 + page_id * 11 % (:n / 100) END,
       upper(replace(page_title, '_', ' ')), '', page_touched, 'page', 1
       FROM page, (SELECT i AS k FROM number WHERE i <= 2) WHERE {_PLAIN}""",
    """INSERT OR IGNORE INTO categorylinks SELECT page_id,
       :n + 100 * (1 + page_id % (:n / 2000 - 1)),
       upper(replace(page_title, '_', ' ')), '', page_touched, 'page', 1
       FROM page WHERE page_id % 100 = 7""",
    """INSERT INTO category (cat_title, cat_pages) SELECT lt_title, count(*) FROM categorylinks
       JOIN linktarget ON lt_id = cl_target_id GROUP BY cl_target_id""",
    (
        "INSERT INTO user SELECT i, 'User ' || i, '', '', '', NULL, '', '20200101000000', '', "
        "NULL, NULL, NULL, '20200101000000', 200, NULL, 0 FROM number WHERE i <= :n / 100"
    ),
    "INSERT INTO actor SELECT user_id, user_id, user_name FROM user",
    f"INSERT INTO actor SELECT :n / 100 + i, NULL, {_ADDRESS} FROM number WHERE i <= :n / 1000",
    "INSERT INTO user_groups SELECT user_id, 'bot', NULL FROM user WHERE user_id = 1",
    "INSERT INTO user_groups SELECT user_id, 'sysop', NULL FROM user WHERE user_id % 1000 = 2",
    "INSERT INTO comment VALUES (1, 0, 'An edit', NULL)",
    """INSERT INTO revision SELECT i, (i + 1) / 2, 1, CASE i % 10 WHEN 3 THEN 1 WHEN 8 THEN 1
       WHEN 5 THEN :n / 100 + 1 + i % (:n / 1000) ELSE 1 + i * 13 % (:n / 100) END,
       strftime('%Y%m%d%H%M%S', 1000000000 + i * 30, 'unixepoch'), i % 7 = 0, 0, 240,
       CASE i % 2 WHEN 0 THEN i - 1 ELSE 0 END, printf('%031d', i) FROM number""",
    "INSERT INTO slot_roles VALUES (1, 'main')",
    "INSERT INTO content_models VALUES (1, 'wikitext')",
    "INSERT INTO slots SELECT i, 1, (i + 1) / 2, i FROM number",
    """INSERT INTO content SELECT i, 240, printf('%031d', i), 1, 'tt:' || i FROM number
       WHERE i <= :n""",
    """INSERT INTO text SELECT i, 'Article ' || i || ' tells of subject' || (i / 10)
       || ' and of colour' || (i % 997) || '. [[Article ' || (i + 2) || ']] is its neighbour.'
       || hex(zeroblob(80)), 'utf-8' FROM number WHERE i <= :n""",
    """INSERT INTO ip_changes SELECT rev_id, rev_timestamp,
       printf('%08X', 0x0A000000 + rev_actor - :n / 100) FROM revision
       WHERE rev_actor > :n / 100""",
    """INSERT INTO recentchanges SELECT rev_id, rev_timestamp, rev_actor, page_namespace,
       page_title, 1, rev_minor_edit, rev_actor = 1, page_id, rev_id, rev_id - 1,
       page_id % 50 = 4, CASE page_id % 50 WHEN 4 THEN 'mw.new' ELSE 'mw.edit' END, 0, '', 240, 240,
       0, 0, NULL, NULL, NULL FROM page JOIN revision ON rev_id = page_latest""",
    """INSERT INTO logging SELECT i, CASE i % 10 WHEN 0 THEN 'delete' WHEN 1 THEN 'upload'
       WHEN 2 THEN 'newusers' WHEN 3 THEN 'block' ELSE 'move' END, CASE i % 10 WHEN 0 THEN 'delete'
       WHEN 1 THEN 'upload' WHEN 2 THEN 'create' WHEN 3 THEN 'block' ELSE 'move' END,
       strftime('%Y%m%d%H%M%S', 1000000000 + i * 200, 'unixepoch'), 1 + i * 13 % (:n / 100),
       CASE i % 10 WHEN 1 THEN 6 WHEN 2 THEN 2 WHEN 3 THEN 2 ELSE 0 END,
       CASE i % 10 WHEN 1 THEN 'F' || i || '.png' WHEN 2 THEN 'User_' || i WHEN 3 THEN 'User_' || i
       ELSE 'Article_' || i END, i, 1, 'a:0:{}', 0 FROM number WHERE i <= :n / 4""",
    """INSERT INTO change_tag_def VALUES (1, 'mobile edit', 1, :n / 5), (2, 'rare', 1, 20),
       (3, 'unused', 1, 0)""",
    """INSERT INTO change_tag (ct_rc_id, ct_rev_id, ct_tag_id) SELECT i, i, 1 FROM number
       WHERE i % 10 = 0""",
    """INSERT INTO change_tag (ct_rc_id, ct_rev_id, ct_tag_id)
       SELECT i * (:n / 20), i * (:n / 20), 2 FROM number WHERE i <= 20""",
    """INSERT INTO archive SELECT i, 0, 'Deleted_' || (i / 3), 1, 1 + i * 13 % (:n / 100),
       strftime('%Y%m%d%H%M%S', 1000000000 + i * 600, 'unixepoch'), 0, 2 * :n + i, 0, 240,
       2 * :n + i / 3, 0, printf('%031d', i) FROM number WHERE i <= :n / 10""",
    """INSERT INTO page_props SELECT page_id, 'defaultsort', page_title, NULL FROM page
       WHERE page_id % 10 = 4""",
    """INSERT INTO page_props SELECT page_id, 'expectunusedcategory', '', NULL FROM page
       WHERE page_id % 1000 = 0""",
    """INSERT INTO page_restrictions (pr_page, pr_type, pr_level, pr_cascade, pr_expiry)
       SELECT 100 * i + 5, 'edit', CASE i % 10 WHEN 0 THEN 'sysop' ELSE 'autoconfirmed' END, 0,
       'infinity' FROM number WHERE i < :n / 1000""",
    """INSERT INTO protected_titles SELECT 0, 'Protected_' || i, 2, 1,
       strftime('%Y%m%d%H%M%S', 1000000000 + i * 6000, 'unixepoch'), 'infinity', 'sysop'
       FROM number WHERE i <= :n / 1000""",
    """INSERT INTO block_target (bt_id, bt_user, bt_user_text, bt_auto, bt_count)
       SELECT user_id, user_id, user_name, 0, 1 FROM user WHERE user_id % 10 = 7""",
    """INSERT INTO block (bl_target, bl_by_actor, bl_reason_id, bl_timestamp, bl_expiry)
       SELECT bt_id, 2, 1, strftime('%Y%m%d%H%M%S', 1000000000 + bt_id * 600, 'unixepoch'),
       'infinity' FROM block_target""",
    """INSERT INTO image SELECT page_title, 1000 + page_id % 5000, 640, 480, '{"data":[]}', 8,
       'BITMAP', 'image', 'png', 1, 1 + page_id % (:n / 100), page_touched,
       printf('%031d', CASE page_id % 1000 WHEN 2 THEN page_id / 3000 ELSE page_id END)
       FROM page WHERE page_namespace = 6""",
    """INSERT INTO filearchive (fa_name, fa_storage_group, fa_storage_key, fa_deleted_timestamp,
       fa_deleted_reason_id, fa_description_id, fa_actor, fa_timestamp, fa_sha1)
       SELECT 'D' || i || '.png', 'deleted', i, '20200101000000', 1, 1, 2, '20200101000000',
       printf('%031d', i) FROM number WHERE i <= :n / 1000""",
    f"""INSERT INTO imagelinks SELECT page_id, CASE page_id % 100 WHEN 7 THEN
       'Lost_' || (page_id % 999) || '.png' ELSE 'F' || (100 * (page_id * 7 % (:n / 200)) + 2)
       || '.png' END, 0 FROM page WHERE page_id % 5 = 2 AND {_PLAIN}""",
    f"""INSERT INTO langlinks SELECT page_id,
       CASE k WHEN 1 THEN 'de' WHEN 2 THEN 'fr' ELSE 'ja' END,
       replace(page_title, '_', ' ') FROM page, (SELECT i AS k FROM number WHERE i <= 3)
       WHERE page_id % 3 = 0 AND {_PLAIN}""",
    f"""INSERT INTO iwlinks SELECT page_id, CASE page_id % 2 WHEN 0 THEN 'commons' ELSE 'wiktionary'
       END, page_title FROM page WHERE page_id % 10 IN (4, 5) AND {_PLAIN}""",
    f"""INSERT INTO externallinks (el_from, el_to_domain_index, el_to_path) SELECT page_id,
       CASE page_id % 2 WHEN 0 THEN 'https://org.archive.web.'
       ELSE 'https://com.site' || (page_id % 1000) || '.www.' END, '/' || page_id
       FROM page WHERE page_id % 2 = page_id / 2 % 2 AND {_PLAIN}""",
    "INSERT OR REPLACE INTO site_stats VALUES (1, 2 * :n, :n, :n, :n / 100, 10, :n / 100)",
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
