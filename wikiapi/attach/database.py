"""Takes over the database of a wiki as a URL, from the variables of ``LocalSettings.php``."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlencode

from wikiapi.attach.conversions import Variables, text_of
from wikiapi.attach.php.values import PhpArray
from wikiapi.attach.takeover import Takeover

_SERVER = re.compile(
    r"(?:p:)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^:/]*)(?::(?P<port>[0-9]{1,5})|:(?P<socket>/.*))?"
)
_SCHEMA = "mediawiki"
_READ_ONLY = "wikiapi never writes to such databases"
_ACCOUNT = ("wgDBuser", "wgDBpassword", "wgDBprefix")
_SHARED_TABLES = ("wgSharedDB", "wgSharedPrefix")
_VARIABLES = (
    *("wgDBtype", "wgDBserver", "wgDBport", "wgDBname", "wgDBmwschema", "wgDBservers"),
    *("wgSQLiteDataDir", *_ACCOUNT, *_SHARED_TABLES),
)
_SCHEMES = {"mysql": "mysql", "postgres": "postgresql"}
"""The schemes of URLs by the kinds in ``$wgDBtype``."""


def take_database(
    takeover: Takeover,
    variables: Variables,
    folder: Path,
    source: Callable[[tuple[str, ...]], str],
) -> None:
    """Take over the database, which is only read.

    Args:
        takeover: what is taken over.
        variables: the variables of ``LocalSettings.php``.
        folder: its folder.
        source: returns where variables are set.
    """
    variables.asked.update(_VARIABLES)
    servers = list(variables.array("wgDBservers").values())
    if variables.text("wgDBtype") == "sqlite" and not servers:
        of_sqlite = source(("wgDBtype", "wgSQLiteDataDir", "wgDBname", "wgDBprefix"))
        _take_sqlite(takeover, variables, folder, of_sqlite)
        return
    names = ("wgDBservers",) if servers else ("wgDBtype", "wgDBserver", *_ACCOUNT, "wgDBname")
    try:
        listed = [each for each in servers if isinstance(each, dict)] or [{}]
        url, *replicas = [server_url(_access(variables, each)) for each in listed]
    except NotSupported as error:
        takeover.miss(f"{source(names)}: {error}")
        return
    takeover.take("database", "url", url, source(names))
    if replicas:
        takeover.take("database", "replicas", replicas, source(names))
    takeover.take("database", "read_only", True, _READ_ONLY)
    if doubtful := ", ".join(f"${name}" for name in names if variables.is_doubtful(name)):
        takeover.miss(f"database.url may have to be completed: {doubtful} could not be read")
    if any(variables.text(name) for name in _SHARED_TABLES):
        takeover.miss(f"{source(_SHARED_TABLES)}: tables in another database are not read")


def _take_sqlite(takeover: Takeover, variables: Variables, folder: Path, source: str) -> None:
    data_folder = variables.text("wgSQLiteDataDir")
    folders = {source: Path(data_folder)} if data_folder else {}
    folders |= {
        "beside LocalSettings.php": folder,
        "in the folder data beside LocalSettings.php": folder / "data",
    }
    file_name = f"{variables.text('wgDBname')}.sqlite"
    files = {reason: place / file_name for reason, place in folders.items()}
    existing = {reason: file for reason, file in files.items() if file.is_file()}
    if existing:
        source, file = next(iter(existing.items()))
    else:
        file = next(iter(files.values()))
        takeover.miss(f"{source}: the database {file} is not here: set database.url to its file")
    prefix = variables.text("wgDBprefix")
    url = f"sqlite:///{file}" + (f"?prefix={prefix}" if prefix else "")
    takeover.take("database", "url", url, source)
    takeover.take("database", "read_only", True, _READ_ONLY)


def _access(variables: Variables, server: PhpArray) -> Access:
    """Return how to reach the database, as an element of ``$wgDBservers`` says or the rest."""

    def text(key: str, name: str) -> str:
        return text_of(server[key], "wgDBservers") if key in server else variables.text(name)

    kind = text("type", "wgDBtype")
    is_postgresql = kind == "postgres"
    return Access(
        kind,
        text("host", "wgDBserver"),
        text("dbname", "wgDBname"),
        text("user", "wgDBuser"),
        text("password", "wgDBpassword"),
        port=variables.number("wgDBport") if is_postgresql else 0,
        prefix=text("tablePrefix", "wgDBprefix"),
        schema=(variables.text("wgDBmwschema") or _SCHEMA) if is_postgresql else "",
    )


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
