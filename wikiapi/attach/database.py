"""The database of a wiki as a URL, from the variables of ``LocalSettings.php``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlencode

_SERVER = re.compile(
    r"(?:p:)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^:/]*)(?::(?P<port>[0-9]{1,5})|:(?P<socket>/.*))?"
)
_SQLITE_ENDING = ".sqlite"
_SCHEMA = "mediawiki"


class Access(NamedTuple):
    """How to reach a database server."""

    kind: str
    server: str
    name: str
    user: str = ""
    password: str = ""
    port: int = 0
    prefix: str = ""
    schema: str = ""


class NotSupported(Exception):
    """The database cannot be used. The text says why."""


def server_url(access: Access) -> str:
    """Return the URL of a database on a server.

    Raises:
        NotSupported: it is of another kind than MariaDB, MySQL and PostgreSQL, or its address
            cannot be read.
    """
    if access.kind not in _SCHEMES:
        raise NotSupported(f"a database of the kind {access.kind!r} cannot be used")
    is_postgresql = access.kind == "postgres"
    match = _SERVER.fullmatch(access.server)
    options: dict[str, str] = {}
    if is_postgresql and access.server.startswith("/"):
        host, port, options["host"] = "", "", access.server
    elif match is None:
        raise NotSupported(f"the address of the server, {access.server!r}, cannot be read")
    else:
        host, port = match["host"], match["port"] or ""
        if match["socket"]:
            options["socket"] = match["socket"]
    if access.port and not port:
        port = str(access.port)
    if is_postgresql and access.schema:
        options["options"] = f"-csearch_path={access.schema}"
    if access.prefix:
        options["prefix"] = access.prefix
    user = quote(access.user, safe="")
    password = f":{quote(access.password, safe='')}" if access.password else ""
    account = f"{user}{password}@" if user or password else ""
    place = f"{host}:{port}" if port else host
    query = f"?{urlencode(options, quote_via=quote, safe='/')}" if options else ""
    return f"{_SCHEMES[access.kind]}://{account}{place}/{quote(access.name, safe='')}{query}"


def sqlite_file(folders: Mapping[str, Path], name: str) -> tuple[Path, str]:
    """Return the file of an SQLite database, and why that folder was taken.

    Args:
        folders: the folders in which it may be, the best first, by the reason for each.
        name: the name of the database.
    """
    file_name = f"{name}{_SQLITE_ENDING}"
    for reason, folder in folders.items():
        if (folder / file_name).is_file():
            return folder / file_name, reason
    return next(iter(folders.values())) / file_name, "missing"


_SCHEMES = {"mysql": "mysql", "postgres": "postgresql"}
"""The schemes of URLs by the kinds in ``$wgDBtype``."""
