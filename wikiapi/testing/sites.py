"""Creates a site from declared pages, with its own store and a clock that stands still.

::

    site = make_site({"Main Page": "Hello [[World]]", "World": Edit("!", user="Ada")},
                     users=[DeclaredUser("Ada", groups=("sysop",))],
                     interwiki={"de": "https://de.example/wiki/$1"})
    answer = ask(site, {"action": "query", "titles": "World", "prop": "info"})
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from pluggy import PluginManager

from wikiapi.config import Config, NamespaceConfig, parse_config
from wikiapi.factory import open_site
from wikiapi.importing.finish import finish_import
from wikiapi.importing.importer import Checkpoint, DumpImporter
from wikiapi.importing.xml.records import (
    Contributor,
    DumpRevision,
    DumpSlot,
    PageEnd,
    PageHead,
    Record,
)
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import Image, User, UserGroups
from wikiapi.store.models import Interwiki as InterwikiRow
from wikiapi.store.models.writing import BotPasswords
from wikiapi.store.queries.slots import MAIN
from wikiapi.store.write.ids import Actors, Comments, Person
from wikiapi.testing.clock import NOW
from wikiapi.testing.declaration import (
    DeclaredFile,
    DeclaredUser,
    Edit,
    History,
    declared_users,
    edits_of,
)
from wikiapi.testing.snapshots import new_store
from wikiapi.timestamps import compact
from wikiapi.title.contentmodel import default_model
from wikiapi.title.interwiki import Interwiki
from wikiapi.title.title import Title


def standing_clock() -> datetime:
    """Return :data:`NOW`."""
    return NOW


def make_site(
    pages: Mapping[str, History] | None = None,
    *,
    config: Config | Mapping[str, Any] | None = None,
    users: Iterable[DeclaredUser | str] = (),
    files: Iterable[DeclaredFile | str] = (),
    interwiki: Mapping[str, str] | Iterable[Interwiki] = (),
    namespaces: Iterable[NamespaceConfig] = (),
    plugins: Iterable[object] = (),
    clock: Callable[[], datetime] = standing_clock,
    path: Path | None = None,
    manager: PluginManager | None = None,
    writable: bool | None = None,
    language: str = "",
) -> Site:
    """Return a site with the declared content. Close its store with ``site.db.close()``.

    Args:
        pages: texts or edits by title. Page ids and revision ids count from 1.
        config: settings, or the tables of a ``wikiapi.toml``; the database is ignored.
        users: accounts, or their names. Ids count from 1.
        files: files of the wiki, or their names. Declare description pages in ``pages``.
        interwiki: URLs by prefix (``$1`` is the placeholder of the page), or rows of the map.
        namespaces: namespaces in addition to those in the settings.
        plugins: plugins in addition to the installed ones.
        clock: returns the current time; by default always :data:`NOW`.
        path: the file of the store; by default it is in memory.
        manager: loaded plugins, used instead of all others.
        writable: whether users can log in and change the wiki; by default as in the settings.
        language: the code of the content language; by default as in the settings.

    Raises:
        ConfigError: a setting is wrong.
        InvalidTitle: the title of a page is not valid.
        PluginError: a plugin cannot be loaded.
    """
    settings = made_settings(config, tuple(namespaces))
    if writable is not None:
        settings = replace(settings, site=replace(settings.site, writable=writable))
    if language:
        settings = replace(settings, site=replace(settings.site, language=language))
    db = new_store(path)
    _write_interwiki(db, interwiki)
    site = open_site(settings, plugins=plugins, database=db, clock=clock, manager=manager)
    uploads = [DeclaredFile(file) if isinstance(file, str) else file for file in files]
    ContentWriter(site, declared_users(users)).write(pages or {}, uploads)
    return site


def made_settings(
    config: Config | Mapping[str, Any] | None, namespaces: tuple[NamespaceConfig, ...] = ()
) -> Config:
    """Return the configuration of a site from settings and additional namespaces.

    Raises:
        ConfigError: a setting is wrong.
    """
    settings = config if isinstance(config, Config) else parse_config(config or {})
    return replace(settings, namespaces=(*settings.namespaces, *namespaces))


def _write_interwiki(db: Database, interwiki: Mapping[str, str] | Iterable[Interwiki]) -> None:
    entries = list(interwiki.items()) if hasattr(interwiki, "items") else list(interwiki)
    rows = [Interwiki(*entry) if isinstance(entry, tuple) else entry for entry in entries]
    db.insert_many(
        InterwikiRow, [(r.prefix, r.url, r.api, r.wiki_id, r.local, r.trans) for r in rows]
    )


FIRST_EDIT = datetime(2025, 1, 1, tzinfo=UTC)
_IMAGE_COLUMNS = (
    "img_name", "img_size", "img_width", "img_height", "img_metadata", "img_bits",
    "img_media_type", "img_major_mime", "img_minor_mime", "img_description_id", "img_actor",
    "img_timestamp", "img_sha1",
)  # fmt: skip
_USER_COLUMNS = (
    "user_id", "user_name", "user_real_name", "user_password", "user_newpassword", "user_email",
    "user_touched", "user_registration",
)  # fmt: skip


class ContentWriter:
    """Fills the empty store of a site. Ids count from 1, in the order of the declaration."""

    def __init__(self, site: Site, users: Iterable[DeclaredUser]) -> None:
        """Write the users, who may then be the authors of edits."""
        self._site = site
        self._db = site.db
        self._user_ids: dict[str, int] = {}
        declared = list(users)
        self._user_ids = {user.name: number for number, user in enumerate(declared, 1)}
        rows = (
            (number, user.name, "", "", "", "", user.registration, user.registration)
            for number, user in enumerate(declared, 1)
        )
        self._db.insert_many(User, rows, _USER_COLUMNS)
        groups = ((self._user_ids[u.name], group, None) for u in declared for group in u.groups)
        self._db.insert_many(UserGroups, groups)
        Actors(self._db).ids(Person(number, name) for name, number in self._user_ids.items())
        if self._site.config.site.writable:
            self._write_passwords(declared)
        self._moments = (FIRST_EDIT + timedelta(minutes=n) for n in count())

    def write(self, pages: Mapping[str, History], files: Sequence[DeclaredFile]) -> None:
        """Write pages and files, derive links and recent changes, and count everything.

        Raises:
            InvalidTitle: the title of a page is not valid.
        """
        parsed = {self._site.titles.parse(text): edits_of(edits) for text, edits in pages.items()}
        records = self._records(parsed)
        DumpImporter(self._site).import_records(records, Checkpoint("declared"))
        self._write_files(files)
        LinksUpdate(self._site).run()
        finish_import(self._site)

    def _write_passwords(self, users: Sequence[DeclaredUser]) -> None:
        rows: list[tuple[object, ...]] = []
        for user in users:
            user_id = self._user_ids[user.name]
            query = User.update(user_password=_stored(user.name, user.secret))
            self._db.execute_write(query.where(User.user_id == user_id))
            for bot in user.bot_passwords:
                password, grants = _stored(f"{user.name}@{bot.app}", bot.password), list(bot.grants)
                rows.append((user_id, bot.app, password, "", _ANYWHERE, json.dumps(grants)))
        self._db.insert_many(BotPasswords, rows, _BOT_COLUMNS)

    def _records(self, pages: Mapping[Title, list[Edit]]) -> Iterator[Record]:
        revision_ids = count(1)
        for page_id, (title, edits) in enumerate(pages.items(), 1):
            target = self._site.redirects.target(edits[-1].text)
            redirect = target.prefixed_text if target else None
            yield PageHead(page_id, title.ns, title.prefixed_text, redirect)
            parent = 0
            for edit in edits:
                model = edit.model or default_model(title)
                revision = DumpRevision(
                    next(revision_ids),
                    parent,
                    edit.timestamp or compact(next(self._moments)),
                    Contributor(edit.user, self._user_ids.get(edit.user, 0)),
                    edit.comment,
                    edit.minor,
                    0,
                    (DumpSlot(MAIN, model, edit.text),),
                )
                parent = revision.id
                yield revision
            yield PageEnd(page_id)

    def _write_files(self, files: Sequence[DeclaredFile]) -> None:
        people = {file.user: Person(self._user_ids.get(file.user, 0), file.user) for file in files}
        actors = Actors(self._db).ids(people.values())
        comments = Comments(self._db).ids(file.comment for file in files)
        rows = [
            (file.name.replace(" ", "_"), file.size, file.width, file.height, file.metadata,
             file.bits, file.media_type, *file.mime.split("/", 1), comments[file.comment],
             actors[people[file.user]], file.timestamp, file.sha1)
            for file in files
        ]  # fmt: skip
        self._db.insert_many(Image, rows, _IMAGE_COLUMNS)


_ROUNDS, _LENGTH = 1, 64
"""The parameters of PBKDF2: a single round, because the passwords are not secret, and they are
hashed for every user of every test."""
_ANYWHERE = json.dumps({"IPAddresses": ["0.0.0.0/0", "::/0"]})
_BOT_COLUMNS = (
    "bp_user", "bp_app_id", "bp_password", "bp_token", "bp_restrictions", "bp_grants",
)  # fmt: skip


def _stored(name: str, password: str) -> str:
    """Return the stored form of a password, always the same, so that stores can be compared."""
    salt = hashlib.sha256(name.encode()).digest()[:16]
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS, _LENGTH)
    parts = ":".join(base64.b64encode(part).decode() for part in (salt, made))
    return f":pbkdf2:sha512:{_ROUNDS}:{_LENGTH}:{parts}"
