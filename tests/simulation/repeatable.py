"""Replaces everything that would differ between runs of a process, except the order of threads."""

from __future__ import annotations

import gc
import random
import secrets
import tempfile
from base64 import urlsafe_b64encode
from itertools import count
from random import Random

from wikiapi.factory import open_site
from wikiapi.testing.clock import Clock


def make_repeatable(name: str, clock: Clock) -> None:
    """Derive random numbers, secrets and names of temporary files from a name; set the clock.

    Call it in a process that is forked for the simulation. No two of these may have the same name.
    """
    # The garbage collector may close files and connections in any thread, at any time.
    gc.disable()
    random.seed(name)
    _replace_secrets(Random(f"{name}/secrets"))
    # Folders are listed in the order of names.
    tempfile._name_sequence = (  # type: ignore[attr-defined]
        f"{name.replace('/', '-')}-{number}" for number in count()
    )
    open_site.__kwdefaults__["clock"] = clock


def _replace_secrets(draw: Random) -> None:
    def token_bytes(size: int | None = None) -> bytes:
        return draw.randbytes(32 if size is None else size)

    def token_urlsafe(size: int | None = None) -> str:
        return urlsafe_b64encode(token_bytes(size)).rstrip(b"=").decode()

    secrets.token_bytes = token_bytes
    secrets.token_hex = lambda size=None: token_bytes(size).hex()
    secrets.token_urlsafe = token_urlsafe
    secrets.choice = draw.choice  # type: ignore[assignment]
    secrets.randbelow = draw.randrange  # type: ignore[assignment]
