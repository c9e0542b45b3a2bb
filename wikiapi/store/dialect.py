"""The kinds of SQL that are written."""

from __future__ import annotations

from enum import StrEnum


class Dialect(StrEnum):
    """A kind of SQL. MariaDB and MySQL share one."""

    SQLITE = "sqlite"
    MYSQL = "mysql"
    POSTGRES = "postgres"
