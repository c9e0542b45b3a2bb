"""Finds the API of a wiki from the address of one of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from wikiapi.errors import DumpError
from wikiapi.importing.live.client import LiveApi

_PATHS = ("/w/", "/")
_SCRIPT = "api.php"
_TRIES = 2


def find_api(address: str, make: Callable[[str], LiveApi]) -> LiveApi:
    """Return a client for the API of a wiki.

    Args:
        address: the URL of its ``api.php``, or of a page.
        make: returns a client for the URL of an ``api.php``.

    Raises:
        DumpError: there is no API at any of the usual paths.
    """
    try:
        path = urlsplit(address).path
    except ValueError:
        raise DumpError(f"{address!r} is not the address of a wiki") from None
    if path.endswith(f"/{_SCRIPT}"):
        return make(address)
    tried = list(_candidates(address))
    for url in tried:
        api = make(url)
        try:
            replace(api, tries=_TRIES).ask({"action": "query", "meta": "siteinfo"})
        except DumpError:
            continue
        return api
    raise DumpError(f"found no API of {address}: tried {', '.join(tried)}")


def _candidates(address: str) -> Iterator[str]:
    """Yield the usual URLs of the API of a wiki that has a page at the address."""
    parts = urlsplit(address)
    folder = parts.path.rpartition("/")[0] + "/"
    above = folder.rstrip("/").rpartition("/")[0] + "/"
    # The address may be that of a folder, without the slash at its end.
    inside = parts.path.rstrip("/") + "/"
    # Many dumps state http addresses of wikis that redirect to https today.
    schemes = dict.fromkeys((parts.scheme, "https"))
    for scheme in schemes:
        for path in dict.fromkeys((*_PATHS, folder, above, inside)):
            yield f"{scheme}://{parts.netloc}{path}{_SCRIPT}"
