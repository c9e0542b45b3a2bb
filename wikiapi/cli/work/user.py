"""``wikiapi user``: create accounts and set passwords of writable wikis."""

from __future__ import annotations

import json
import secrets
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from wikiapi.accounts.names import canonical_name
from wikiapi.accounts.passwords import hash_password
from wikiapi.errors import StoreError
from wikiapi.factory import existing_site
from wikiapi.store.models import User, UserGroups
from wikiapi.store.models.writing import BotPasswords
from wikiapi.store.queries import users
from wikiapi.store.write.ids import Actors, Person, next_id
from wikiapi.timestamps import compact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config
    from wikiapi.site import Site


_SHORTEST = 8
_COLUMNS = (
    "user_id", "user_name", "user_real_name", "user_password", "user_newpassword", "user_email",
    "user_touched", "user_registration", "user_editcount",
)  # fmt: skip
_BOT_COLUMNS = (
    "bp_user", "bp_app_id", "bp_password", "bp_token", "bp_restrictions", "bp_grants",
)  # fmt: skip
_LONGEST_APP = 32
_SECRET_BYTES = 16
_ANYWHERE = json.dumps({"IPAddresses": ["0.0.0.0/0", "::/0"]})


def add_account(config: Config, name: str, groups: tuple[str, ...]) -> None:
    """Create an account."""
    with _writable_site(config) as site:
        name = _user_name(site, name)
        if users.by_names(site.db, [name]):
            raise click.ClickException(f"the account {name!r} already exists")
        stored = hash_password(_password())
        with site.db.atomic():
            number = next_id(site.db, User.user_id)
            now = compact(site.clock())
            row = (number, name, "", stored, "", "", now, now, 0)
            site.db.insert_many(User, [row], _COLUMNS)
            Actors(site.db).ids([Person(number, name)])
            site.db.insert_many(UserGroups, [(number, group, None) for group in groups])
        click.echo(f"Created the account {name!r}.")


def set_password(config: Config, name: str) -> None:
    """Set the password of an account."""
    with _writable_site(config) as site:
        found = _account(site, name)
        changed = User.update(user_password=hash_password(_password()))
        site.db.execute_write(changed.where(User.user_id == found.user_id))
        click.echo(f"The password of {found.name!r} was set.")


def set_bot_password(config: Config, name: str, app: str, grants: tuple[str, ...]) -> None:
    """Create or replace a bot password of an account, and print it."""
    with _writable_site(config) as site:
        found = _account(site, name)
        if not app.isidentifier() or len(app.encode()) > _LONGEST_APP:
            raise click.ClickException(f"{app!r} is not a valid name of a bot password")
        if not site.is_writable:
            raise click.ClickException(
                "set `writable = true` in the table [site] of the configuration"
            )
        secret = secrets.token_hex(_SECRET_BYTES)
        stored = hash_password(secret)
        row = (found.user_id, app, stored, "", _ANYWHERE, json.dumps(list(grants)))
        site.db.insert_many(BotPasswords, [row], _BOT_COLUMNS, on_conflict="replace")
        click.echo(f"{found.name}@{app}\n{secret}")


@contextmanager
def _writable_site(config: Config) -> Iterator[Site]:
    with existing_site(config) as site:
        if site.db.read_only:
            raise StoreError("the database is open for reading only")
        yield site


def _account(site: Site, name: str) -> users.UserRow:
    name = _user_name(site, name)
    found = users.by_names(site.db, [name]).get(name)
    if found is None:
        raise click.ClickException(f"there is no account {name!r}")
    return found


def _user_name(site: Site, name: str) -> str:
    canonical = canonical_name(site, name)
    if canonical is None:
        raise click.ClickException(f"{name!r} is not a valid user name")
    return canonical


def _password() -> str:
    if sys.stdin.isatty():
        given = str(click.prompt("Password", hide_input=True, confirmation_prompt=True))
    else:
        given = sys.stdin.readline().rstrip("\n")
    if len(given) < _SHORTEST:
        raise click.ClickException(f"the password needs at least {_SHORTEST} characters")
    return given
