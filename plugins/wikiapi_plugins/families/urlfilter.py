"""Parameters and conditions that pick out external links, by protocol and by pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import enum, string
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message
from wikiapi.store.externallinks import matching, of_protocol
from wikiapi.wikitext.protocols import PROTOCOLS

if TYPE_CHECKING:
    from wikiapi.api.params.declaration import Param
    from wikiapi.api.query.module import QueryModule

_BY_NAME = {protocol.rstrip("/").rstrip(":"): protocol for protocol in sorted(PROTOCOLS)}
_WEB = ("http://", "https://")


def url_filter_params() -> tuple[Param, ...]:
    """``protocol`` and ``query``."""
    return (
        enum("protocol", "", *_BY_NAME, default="",
             help="Only links of this protocol; together with query, empty means http and https."),
        string("query", "Only links that match: a host and the beginning of a path, without "
               "protocol; * in place of the first labels of the host stands for any."),
    )  # fmt: skip


def url_conditions(module: QueryModule) -> list[Any]:
    """The conditions that a module's parameters put on the table of external links.

    Raises:
        ApiError: ``badquery``; the pattern is none.
    """
    protocol, pattern = _BY_NAME.get(module.p["protocol"]), module.p["query"]
    if not pattern:
        return [] if protocol is None else [of_protocol(protocol)]
    condition = matching(pattern, _WEB if protocol is None else (protocol,))
    if condition is None:
        raise ApiError(Message("apierror-badquery"), "badquery")
    return [condition]
