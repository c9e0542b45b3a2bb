"""``python -m wikiapi``: run the command line where its program is not on the path."""

from __future__ import annotations

from wikiapi.cli import main

main(prog_name="wikiapi")
