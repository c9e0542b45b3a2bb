"""A request as the API sees it, whatever brought it here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request, decoded.

    ``params`` holds the last value of each parameter of query string and body (the body wins);
    ``query_names`` are the names that stood in the query string, ``array_names`` those that came
    with PHP's array syntax (``titles[]``). ``url`` is path and query string as they came; ``mount``
    the part of the path where the site is mounted, quoted, empty for the server's root. Header
    names are lower case. ``is_local`` says that the user who runs the server asks it, directly and
    on this machine; nobody looks unless ``http.debug_info`` depends on it.
    """

    method: str = "GET"
    params: Mapping[str, str] = field(default_factory=dict)
    query_names: frozenset[str] = frozenset()
    array_names: frozenset[str] = frozenset()
    url: str = ""
    mount: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    remote_address: str = "127.0.0.1"
    is_local: bool = False

    @property
    def is_posted(self) -> bool:
        """Whether this is a POST request."""
        return self.method == "POST"
