"""``robots.txt``: the paths that crawlers should avoid, and the URL of the sitemap."""

from __future__ import annotations

from wikiapi.http import Reply
from wikiapi.title import SPECIAL
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.discovery.sitemap import sitemap_url
from wikiapi_plugins.web.replies import content_reply

_TYPE = "text/plain; charset=utf-8"
_KEPT = "public, max-age=3600"


def answer_robots(context: ViewContext) -> Reply:
    """Allow crawlers the pages, but not histories, differences, special pages and the API."""
    lines = ["User-agent: *"]
    below = context.reader.addresses.below
    lines += [f"Disallow: {below(context.root, path)}" for path in _avoided(context)]
    lines += ["", f"Sitemap: {sitemap_url(context)}", ""]
    return content_reply("\n".join(lines).encode("utf-8", "replace"), _TYPE, cache=_KEPT)


def _avoided(context: ViewContext) -> list[str]:
    addresses, site = context.reader.addresses, context.site
    if addresses.articles is None and not addresses.are_at_root:
        return [f"{site.config.site.script_path}/api.php"]
    special = site.page_path(site.titles.make(SPECIAL, "X")).removesuffix("X")
    return [addresses.index, f"{site.config.site.script_path}/api.php", special]
