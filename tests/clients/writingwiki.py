"""A wiki that clients write to, and what waits for actions that are not there yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from wikiapi.testing import BotPassword, Declaration, DeclaredUser
from wikiapi_plugins.editing.actions import ACTIONS

SECRET = "0123456789abcdef0123456789abcdef"
PICTURE = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc"
    b"\xf8\xcf\xc0\0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"
)
"""A PNG of one red pixel."""


def declared(folder: Path) -> Declaration:
    """Return a wiki with an administrator, an account without groups, and a folder for uploads."""
    return Declaration(
        pages={
            "Main Page": "Welcome.",
            "Tea": "It is hot.",
            "Talk:Tea": "Is it?",
            "Spam": "Buy!",
        },
        users=[
            DeclaredUser(
                "Ada", groups=("sysop", "suppress"), bot_passwords=(BotPassword("bot", SECRET),)
            ),
            "Bob",
        ],
        config={"files": {"folder": str(folder)}},
    )


def needs(*actions: str) -> None:
    """Expect a test to fail while the wiki refuses an action that it needs."""
    waiting = [action for action in actions if action not in {each.name for each in ACTIONS}]
    if waiting:
        pytest.xfail(f"no plugin performs action={', '.join(waiting)} yet")
