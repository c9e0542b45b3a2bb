"""The ``wikiapi`` command line. Only declarations here; each command has a file of its own."""

from __future__ import annotations

from wikiapi.cli.root import COMMANDS, main
from wikiapi.cli.support.group import CommandGroup

__all__ = ["COMMANDS", "CommandGroup", "main"]
