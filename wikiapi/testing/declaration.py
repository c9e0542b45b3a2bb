"""Declarations of wikis for tests: pages, users, files and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, cast

from wikiapi.config import NamespaceConfig
from wikiapi.testing.clock import NOW, Moment

Settings = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A wiki declared by a test.

    The fields are the arguments of ``make_site``. ``config`` has the tables of a ``wikiapi.toml``;
    ``clock`` is the initial time of the wiki's clock. ``writable`` is whether users can log in and
    change the wiki; if it is ``None``, the settings decide, and the default is true. ``language``
    is the code of the content language; if it is empty, the settings decide.
    """

    pages: Mapping[str, History] = field(default_factory=dict)
    users: Iterable[DeclaredUser | str] = ()
    files: Iterable[DeclaredFile | str] = ()
    interwiki: Mapping[str, str] = field(default_factory=dict)
    namespaces: Iterable[NamespaceConfig] = ()
    plugins: Iterable[object] = ()
    config: Settings = field(default_factory=dict)
    clock: Moment = NOW
    writable: bool | None = None
    language: str = ""

    @property
    def settings(self) -> dict[str, Any]:
        """The tables of settings, with ``site.writable`` and perhaps ``site.language`` set."""
        site = self.config.get("site", {})
        writable = site.get("writable", True) if self.writable is None else self.writable
        language = {"language": self.language} if self.language else {}
        return {**self.config, "site": {**site, "writable": writable, **language}}

    def with_more(self, **declared: Any) -> Declaration:
        """Return a copy of this declaration with more pages, users, settings and so on.

        A page replaces one with the same title, a user one with the same name, and so on. A clock
        replaces the clock.

        Raises:
            TypeError: a name is not that of a field.
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        unknown = declared.keys() - values.keys()
        if unknown:
            raise TypeError(
                f"a wiki has no {', '.join(sorted(unknown))}; it has {', '.join(values)}"
            )
        merged = {name: _merged(values[name], value) for name, value in declared.items()}
        return Declaration(**values | merged)

    def same_content(self) -> tuple[str, tuple[int, ...]]:
        """Return a value that is equal for declarations whose stores have the same content.

        Plugins are compared by identity, so the value is valid as long as they exist.
        """
        data = ((f.name, getattr(self, f.name)) for f in fields(self) if f.name != "plugins")
        return repr([(name, _listed(value)) for name, value in data]), tuple(map(id, self.plugins))


def _merged(base: Any, added: Any) -> Any:
    if isinstance(base, Mapping) and isinstance(added, Mapping):
        return _merged_mappings(base, added)
    if isinstance(base, str) or not hasattr(base, "__iter__"):
        return added
    # Users and files are identified by their name, namespaces by their number.
    return tuple({_identity(entry): entry for entry in (*base, *added)}.values())


def _identity(entry: Any) -> object:
    return getattr(entry, "id", None) or getattr(entry, "name", entry)


def _merged_mappings(base: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """Return both mappings merged, including tables of settings with the same name."""
    both = {
        name: _merged_mappings(cast("Settings", base[name]), value)
        for name, value in added.items()
        if isinstance(value, Mapping) and isinstance(base.get(name), Mapping)
    }
    return {**base, **added, **both}


def _listed(value: object) -> object:
    if isinstance(value, Mapping | str) or not hasattr(value, "__iter__"):
        return value
    return list(value)


VISITOR = "192.0.2.1"
"""The default author of edits: an address reserved for documentation."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A revision of a page.

    ``user`` is a declared user, an IP address, or a name without account. ``timestamp`` has 14
    digits; by default, each edit is a minute after the one before. ``model`` is the content model;
    by default, that of the title.
    """

    text: str
    user: str = VISITOR
    comment: str = ""
    timestamp: str = ""
    minor: bool = False
    model: str = ""


BOT_GRANTS = (
    "basic", "highvolume", "editpage", "editprotected", "createeditmovepage", "uploadfile",
    "uploadeditmovefile", "patrol", "rollback", "delete", "protect", "editmywatchlist",
    "viewmywatchlist", "viewdeleted", "blockusers",
)  # fmt: skip
"""The default grants of a bot password."""


@dataclass(frozen=True, slots=True)
class BotPassword:
    """A password of an account for a program, which logs in as ``User@app``.

    The program has the rights in ``grants`` that the account has as well.
    """

    app: str
    password: str
    grants: tuple[str, ...] = BOT_GRANTS


@dataclass(frozen=True, slots=True)
class DeclaredUser:
    """An account. ``registration`` has 14 digits.

    The default password is the name followed by ``-password``.
    """

    name: str
    groups: tuple[str, ...] = ()
    registration: str = "20240101000000"
    password: str = ""
    bot_passwords: tuple[BotPassword, ...] = ()

    @property
    def secret(self) -> str:
        """The password."""
        return self.password or f"{self.name}-password"


def declared_users(users: Iterable[DeclaredUser | str]) -> list[DeclaredUser]:
    """Return users that are declared by name or as objects, as objects."""
    return [DeclaredUser(user) if isinstance(user, str) else user for user in users]


class UndeclaredUser(KeyError):
    """A user is not declared; the text names those who are."""

    def __str__(self) -> str:
        return str(self.args[0])


class DeclaredUsers(dict[str, DeclaredUser]):
    """The declared users of a wiki by name."""

    def __init__(self, users: Iterable[DeclaredUser | str]) -> None:
        """Take the users as they are declared."""
        super().__init__((user.name, user) for user in declared_users(users))

    def __missing__(self, name: str) -> DeclaredUser:
        declared = f"the wiki has {', '.join(self)}" if self else "the wiki has none"
        raise UndeclaredUser(f"no user {name!r} is declared: {declared}; add it to users=[…]")


@dataclass(frozen=True, slots=True)
class DeclaredFile:
    """The current version of a file, without content. ``name`` has no namespace.

    ``size`` is in bytes, ``width`` and ``height`` are in pixels, ``sha1`` has 31 digits of base 36.
    """

    name: str
    width: int = 640
    height: int = 480
    size: int = 1234
    mime: str = "image/png"
    media_type: str = "BITMAP"
    bits: int = 8
    sha1: str = "0" * 31
    user: str = VISITOR
    comment: str = ""
    timestamp: str = "20240101000000"
    metadata: str = ""


History = str | Edit | Sequence[str | Edit]
"""The content of a page: its text, or its edits from the first to the last."""


def edits_of(history: History) -> list[Edit]:
    """Return the edits of a page that is declared as a text or as edits."""
    listed = [history] if isinstance(history, str | Edit) else list(history)
    return [Edit(entry) if isinstance(entry, str) else entry for entry in listed]
