"""Make a store of the demo wiki, from the pages and pictures in ``examples/demo``."""

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
    """The demo wiki's configuration, with its store under ``state``; made if it is not there.

    Args:
        state: folder for the store.
        server: scheme, host and port that the wiki's URLs begin with.
    """
    config = load_config(SETTINGS)
    return replace(
        config,
        site=replace(config.site, server=server),
        database=replace(config.database, url=f"sqlite:///{store(state).absolute()}"),
        files=replace(config.files, folder=str(FILES)),
    )


def store(state: Path) -> Path:
    """The store's file. Its folder is named by a checksum of the pages: new pages, new store."""
    folder = state / f"demo-{_checksum()}"
    if not folder.exists():
        # Filled under another name: an import that was interrupted is not taken for a whole one.
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
