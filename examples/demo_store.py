"""Create a store of the demo wiki from the pages and pictures in ``examples/demo``."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

from wikiapi.cli import main
from wikiapi.config import Config, load_config

EXAMPLES = Path(__file__).parent
SETTINGS = EXAMPLES / "demo.toml"
PAGES = EXAMPLES / "demo"
FILES = PAGES / "files"
FILE_NAME = "demo.sqlite"


def configure(state: Path, server: str) -> Config:
    """Return the demo wiki's configuration, and create its store if it does not exist.

    Args:
        state: the folder for the store.
        server: the scheme, host and port of the wiki's URLs.
    """
    config = load_config(SETTINGS)
    return replace(
        config,
        site=replace(config.site, server=server),
        database=replace(config.database, url=f"sqlite:///{store(state).absolute()}"),
        files=replace(config.files, folder=str(FILES)),
    )


def store(state: Path) -> Path:
    """Return the file of the store, which is created again when the pages have changed."""
    folder = state / f"demo-{_checksum()}"
    if not folder.exists():
        # The folder gets its final name at the end, so that an interrupted import is not used.
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        _fill(partial / FILE_NAME)
        partial.replace(folder)
    return folder / FILE_NAME


def _fill(file: Path) -> None:
    options = ["--config", str(SETTINGS), "--database", f"sqlite:///{file.absolute()}"]
    main(["import", *options, str(PAGES)], standalone_mode=False)
    main(["import-files", *options, str(FILES)], standalone_mode=False)


def _checksum() -> str:
    digest = hashlib.sha256(SETTINGS.read_bytes())
    for file in sorted(path for path in PAGES.rglob("*") if path.is_file()):
        digest.update(file.relative_to(PAGES).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
