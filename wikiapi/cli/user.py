"""The options of ``wikiapi user``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wikiapi.cli.support.options import Choice, Command, configured

if TYPE_CHECKING:
    from wikiapi.config import Config


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
    from wikiapi.cli.work.user import add_account

    add_account(config, name, groups)


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
    from wikiapi.cli.work.user import set_password

    set_password(config, name)


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
    from wikiapi.cli.work.user import set_bot_password

    set_bot_password(config, name, app, grants)
