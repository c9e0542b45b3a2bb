"""Recent changes of a wiki under test: what its revisions and its logs tell of the last weeks."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from wikiapi.api.params.types.timestamp import compact

if TYPE_CHECKING:
    from wikiapi.site import Site

KEPT = timedelta(days=90)
"""How long MediaWiki keeps recent changes, by default."""

_COLUMNS = (
    "rc_timestamp, rc_actor, rc_namespace, rc_title, rc_comment_id, rc_minor, rc_cur_id,"
    " rc_this_oldid, rc_last_oldid, rc_type, rc_source, rc_patrolled, rc_old_len, rc_new_len,"
    " rc_logid, rc_log_type, rc_log_action, rc_params, rc_bot"
)
_IS_BOT = (
    "EXISTS (SELECT 1 FROM actor JOIN user_groups ON ug_user = actor_user"
    " WHERE actor_id = {actor} AND ug_group = 'bot')"
)
# A revision that changes nothing was made by a move, which the log tells of.
_EDITS = f"""
SELECT r.rev_timestamp AS moment, r.rev_actor, page_namespace, page_title, r.rev_comment_id,
    r.rev_minor_edit, page_id, r.rev_id, r.rev_parent_id, r.rev_parent_id = 0,
    CASE r.rev_parent_id WHEN 0 THEN 'mw.new' ELSE 'mw.edit' END, 0,
    COALESCE(p.rev_len, 0), r.rev_len, 0, NULL, NULL, NULL, {_IS_BOT.format(actor="r.rev_actor")}
FROM revision r JOIN page ON page_id = r.rev_page
LEFT JOIN revision p ON p.rev_id = r.rev_parent_id
WHERE r.rev_timestamp >= :since AND r.rev_id > :revision
    AND (p.rev_sha1 IS NULL OR p.rev_sha1 <> r.rev_sha1)
"""  # noqa: S608
_LOGGED = f"""
SELECT log_timestamp, log_actor, log_namespace, log_title, log_comment_id, 0,
    COALESCE(log_page, 0), 0, 0, 3, 'mw.log', 2, NULL, NULL, log_id, log_type, log_action,
    log_params, {_IS_BOT.format(actor="log_actor")}
FROM logging WHERE log_timestamp >= :since AND log_id > :entry
"""  # noqa: S608
_INSERT = (
    f"INSERT INTO recentchanges ({_COLUMNS}) SELECT * FROM ({_EDITS} UNION ALL {_LOGGED})"  # noqa: S608
    " ORDER BY moment, 8, 15"
)


def record_changes(site: Site) -> None:
    """Put into the recent changes what is not there yet and not too old, by the site's clock."""
    revision, entry = site.db.raw("SELECT MAX(rc_this_oldid), MAX(rc_logid) FROM recentchanges")[0]
    since = compact(site.clock() - KEPT)
    known = {"since": since, "revision": revision or 0, "entry": entry or 0}
    site.db.raw(_INSERT, known)  # type: ignore[arg-type]


def forget_edits(site: Site, page_id: int) -> None:
    """Take the edits of a page out, which has been deleted."""
    sql = "DELETE FROM recentchanges WHERE rc_cur_id = ? AND rc_source <> 'mw.log'"
    site.db.raw(sql, (page_id,))
