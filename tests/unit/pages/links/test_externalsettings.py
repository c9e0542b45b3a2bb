"""Links are derived again when settings of external links change what is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.pages.links.derivation import changed_settings
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site

PAGES = {"A": "steam://x http://a.org/b.png gopher://g RFC 1 <html>http://c.org</html>"}
USUAL = ["http://a.org/b.png", "http://c.org", "gopher://g"]


@pytest.mark.parametrize(
    ("settings", "links", "categories"),
    [
        ({"add_protocols": ["steam://"]}, [*USUAL, "steam://x"], 0),
        ({"remove_protocols": ["gopher://"]}, USUAL[:2], 0),
        ({"external_images": ["http://a.org/"]}, USUAL[1:], 0),
        ({"magic_links": ["RFC"]}, USUAL, 1),
        ({"raw_html": True}, [USUAL[0], USUAL[2]], 0),
    ],
)
def test_stored_links_follow(
    make_site: Callable[..., Site], settings: dict[str, Any], links: list[str], categories: int
) -> None:
    untracked = {"track_unknown": False}
    before = make_site(PAGES, config={"site": untracked})
    site = open_site(parse_config({"site": untracked, "wikitext": settings}), database=before.db)
    changed = changed_settings(site.db, site.config)
    assert changed == [f"wikitext.{name}" for name in settings]
    assert LinksUpdate(site).run() == 1
    rows = site.db.execute_sql("SELECT el_to_domain_index || el_to_path FROM externallinks")
    stored = {_plain(url) for (url,) in rows}
    assert stored == {url if "/" in url.partition("//")[2] else f"{url}/" for url in links}
    assert len(site.db.execute_sql("SELECT * FROM categorylinks")) == categories
    assert changed_settings(site.db, site.config) == []
    assert LinksUpdate(site).run() == 0


def _plain(url: str) -> str:
    """Return a URL whose host is stored backwards."""
    scheme, _, rest = url.partition("//")
    host, _, path = rest.partition("./")
    return f"{scheme}//{'.'.join(reversed(host.split('.')))}/{path}"
