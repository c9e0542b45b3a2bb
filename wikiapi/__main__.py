"""``python -m wikiapi``: the command line where the program is not on the path."""

from __future__ import annotations

from wikiapi.cli import main

main(prog_name="wikiapi")
