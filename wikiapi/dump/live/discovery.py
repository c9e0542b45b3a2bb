"""Finds the API of a wiki of which only the address of a page is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from wikiapi.dump.live.client import LiveApi
from wikiapi.errors import DumpError

_PLACES = ("/w/", "/")
_SCRIPT = "api.php"
_TRIES = 2


def find_api(address: str, make: Callable[[str], LiveApi]) -> LiveApi:
    """Return the API of a wiki.

    Args:
        address: of its ``api.php``, or of a page.
        make: returns the API at the address of an ``api.php``.

    Raises:
        DumpError: there is none at any of the usual places.
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
    """Yield the places of the API that are usual for a wiki with such a page."""
    parts = urlsplit(address)
    folder = parts.path.rpartition("/")[0] + "/"
    above = folder.rstrip("/").rpartition("/")[0] + "/"
    # The pages of many dumps are at an address that redirects to a safe one by now.
    schemes = dict.fromkeys((parts.scheme, "https"))
    for scheme in schemes:
        for place in dict.fromkeys((*_PLACES, folder, above)):
            yield f"{scheme}://{parts.netloc}{place}{_SCRIPT}"
