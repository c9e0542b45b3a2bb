"""``wikiapi user``: create accounts and set passwords of writable wikis."""

from __future__ import annotations

import json
import secrets
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.options import Choice, Command, configured
from wikiapi.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config
    from wikiapi.site import Site
    from wikiapi.store.queries import users


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


_USUAL_GRANTS = ("basic", "highvolume", "editpage", "createeditmovepage", "uploadfile")


def _grants() -> list[str]:
    from wikiapi.accounts.grants import GRANTS

    return sorted(GRANTS)


@click.group("user")
def command() -> None:
    """Create accounts and set their passwords.

    Users can log in if `writable` is true in the table `[site]` of the configuration.
    """


@command.command(
    cls=Command,
    examples=(
        (
            "wikiapi user add Ada --group sysop < password.txt",
            "Create an administrator. Without a file, the command prompts for the password.",
        ),
    ),
)
@click.argument("name")
@click.option("--group", "groups", multiple=True, help="Group to add the user to. Can be repeated.")
@configured
def add(config: Config, name: str, groups: tuple[str, ...]) -> None:
    """Create an account. The password is prompted for, or read from standard input."""
    from wikiapi.accounts.passwords import hash_password
    from wikiapi.store.models import User, UserGroups
    from wikiapi.store.queries import users
    from wikiapi.store.write.ids import Actors, Person, next_id
    from wikiapi.timestamps import compact

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


@command.command(
    cls=Command,
    examples=(
        ("wikiapi user password Ada < password.txt", "Set another password for an account."),
    ),
)
@click.argument("name")
@configured
def password(config: Config, name: str) -> None:
    """Set the password of an account. It is prompted for, or read from standard input."""
    from wikiapi.accounts.passwords import hash_password
    from wikiapi.store.models import User

    with _writable_site(config) as site:
        account = _account(site, name)
        changed = User.update(user_password=hash_password(_password()))
        site.db.execute_write(changed.where(User.user_id == account.user_id))
        click.echo(f"The password of {account.name!r} was set.")


@command.command(
    "bot-password",
    cls=Command,
    examples=(
        ("wikiapi user bot-password Ada archiver", "Create a password for the bot of an account."),
        (
            "wikiapi user bot-password Ada patroller --grant basic --grant patrol",
            "Create one that only allows patrolling.",
        ),
    ),
)
@click.argument("name")
@click.argument("app")
@click.option(
    "--grant",
    "grants",
    multiple=True,
    type=Choice(_grants),
    default=_USUAL_GRANTS,
    show_default=True,
    metavar="NAME",
    help="MediaWiki grant. The password gives its rights if the account has them. Can be repeated.",
)
@configured
def bot_password(config: Config, name: str, app: str, grants: tuple[str, ...]) -> None:
    """Create or replace a bot password of an account, and print it.

    A bot logs in with `action=login` as NAME@APP. The account keeps its own password.
    """
    from wikiapi.accounts.passwords import hash_password
    from wikiapi.store.models.writing import BotPasswords

    with _writable_site(config) as site:
        account = _account(site, name)
        if not app.isidentifier() or len(app.encode()) > _LONGEST_APP:
            raise click.ClickException(f"{app!r} is not a valid name of a bot password")
        if not site.is_writable:
            raise click.ClickException(
                "set `writable = true` in the table [site] of the configuration"
            )
        secret = secrets.token_hex(_SECRET_BYTES)
        stored = hash_password(secret)
        row = (account.user_id, app, stored, "", _ANYWHERE, json.dumps(list(grants)))
        site.db.insert_many(BotPasswords, [row], _BOT_COLUMNS, on_conflict="replace")
        click.echo(f"{account.name}@{app}\n{secret}")


@contextmanager
def _writable_site(config: Config) -> Iterator[Site]:
    from wikiapi.factory import existing_site

    with existing_site(config) as site:
        if site.db.read_only:
            raise StoreError("the database is open for reading only")
        yield site


def _account(site: Site, name: str) -> users.UserRow:
    from wikiapi.store.queries import users

    name = _user_name(site, name)
    row = users.by_names(site.db, [name]).get(name)
    if row is None:
        raise click.ClickException(f"there is no account {name!r}")
    return row


def _user_name(site: Site, name: str) -> str:
    from wikiapi.accounts.names import canonical_name

    canonical = canonical_name(site, name)
    if canonical is None:
        raise click.ClickException(f"{name!r} is not a valid user name")
    return canonical


def _password() -> str:
    if sys.stdin.isatty():
        password = str(click.prompt("Password", hide_input=True, confirmation_prompt=True))
    else:
        password = sys.stdin.readline().rstrip("\n")
    if len(password) < _SHORTEST:
        raise click.ClickException(f"the password needs at least {_SHORTEST} characters")
    return password
