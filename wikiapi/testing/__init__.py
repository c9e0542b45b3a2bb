"""For the tests of plugins and clients: a wiki from a few declared pages, asked in the process.

``make_site`` makes one, ``ask`` puts requests to it, ``live_server`` serves it on a real port.
"""

from __future__ import annotations

from wikiapi.testing.asking import Answer, ask, make_context
from wikiapi.testing.declared import DeclaredFile, DeclaredUser, Edit
from wikiapi.testing.server import live_server
from wikiapi.testing.sites import NOW, make_site

__all__ = [
    "NOW",
    "Answer",
    "DeclaredFile",
    "DeclaredUser",
    "Edit",
    "ask",
    "live_server",
    "make_context",
    "make_site",
]
