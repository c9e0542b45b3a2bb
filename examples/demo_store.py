"""Create a store of the demo wiki from the pages and pictures in ``examples/demo``."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import closing, redirect_stderr
from dataclasses import replace
from io import StringIO
from pathlib import Path

from wikiapi.accounts.passwords import hash_password
from wikiapi.cli import main
from wikiapi.config import Config, load_config
from wikiapi.factory import open_site
from wikiapi.store.models import User, UserGroups
from wikiapi.store.write.ids import next_id

EXAMPLES = Path(__file__).parent
SETTINGS = EXAMPLES / "demo.toml"
PAGES = EXAMPLES / "demo"
FILES = PAGES / "files"
FILE_NAME = "demo.sqlite"
USER, PASSWORD = "Demo", "demo-password"
"""The account of the wiki that can be edited: an administrator."""
_FOUNDED = "20260101000000"


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


def configure_writable(state: Path, server: str) -> Config:
    """Return the configuration of a copy of the demo wiki that can be edited.

    The copy and its files are beside the store. They stay until the folder is removed, or until
    the pages of the demo wiki change.
    """
    original = store(state)
    folder = original.parent.with_name(f"{original.parent.name}-writable")
    if not folder.exists():
        partial = folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        shutil.copy(original, partial / FILE_NAME)
        shutil.copytree(FILES, partial / "files")
        partial.replace(folder)
    config = configure(state, server)
    config = replace(
        config,
        site=replace(config.site, writable=True),
        database=replace(config.database, url=f"sqlite:///{(folder / FILE_NAME).absolute()}"),
        files=replace(config.files, folder=str((folder / "files").absolute())),
    )
    _add_user(config)
    return config


def _add_user(config: Config) -> None:
    """Create the account for editing, if it does not exist."""
    site = open_site(config)
    with closing(site.db), site.db.atomic():
        if site.db.scalar(User.select(User.user_id).where(User.user_name == USER)) is not None:
            return
        number = next_id(site.db, User.user_id)
        row = (number, USER, "", hash_password(PASSWORD), "", "", _FOUNDED, _FOUNDED)
        columns = ("user_id", "user_name", "user_real_name", "user_password", "user_newpassword",
                   "user_email", "user_touched", "user_registration")  # fmt: skip
        site.db.insert_many(User, [row], columns)
        site.db.insert_many(UserGroups, [(number, "sysop", None)])


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
    # The reports and advice of these commands are for users who import a wiki themselves.
    with redirect_stderr(StringIO()):
        main(["import", *options, str(PAGES)], standalone_mode=False)
        main(["import-files", *options, str(FILES)], standalone_mode=False)


def _checksum() -> str:
    digest = hashlib.sha256(SETTINGS.read_bytes())
    for file in sorted(path for path in PAGES.rglob("*") if path.is_file()):
        digest.update(file.relative_to(PAGES).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
