"""The reference wiki in other languages, served one at a time.

Each is the first wiki with another content language, name and port, and with the recorded texts of
MediaWiki's interface. What was recorded of them is replayed by ``check_lang.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache

from tests.reference.material import RECORDED, unpack
from tests.reference.replay import recorded_rows
from tests.reference.wikis import HERE, on_own_or_any_port
from wikiapi.config import Config, MessagesConfig, load_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.store.database import Database

KIND = "lang"
"""The kind of these answers, for ``--only``."""
KEY = "lang"
"""The item of an answer that names its wiki, and the option of ``check_lang.py``."""
MESSAGES = RECORDED / "messages"
"""The folder with the texts of MediaWiki's interface."""


@cache
def languages() -> dict[str, int]:
    """Return the ports of the wikis by language."""
    return {row["lang"]: row["port"] for row in recorded_rows(KIND)}


def configured(language: str) -> Config:
    """Return the configuration of the wiki in a language."""
    config = load_config(HERE / "refwiki.toml")
    address = f"127.0.0.1:{languages()[language]}"
    return replace(
        config,
        site=replace(
            config.site,
            name="Babelwiki",
            wiki_id=f"lang_{language.replace('-', '_')}_wiki",
            server=f"http://{address}",
            language=language,
        ),
        http=replace(config.http, listen=address),
        database=replace(config.database, url=f"sqlite:///{unpack('refwiki.sqlite')}"),
        messages=MessagesConfig((str(MESSAGES),)),
        namespaces=tuple(replace(entry, name="") for entry in config.namespaces),
        repositories=(),
    )


@contextmanager
def serving(language: str) -> Iterator[str]:
    """Serve the wiki in a language until the block is left; yield the address of its api.php.

    If the port of the recorded answers is taken, the wiki is served on another one. The addresses
    in its answers are the recorded ones in any case.
    """
    config = configured(language)
    with closing(Database(config.database.url, read_only=True)) as db:
        app = make_app(open_site(config, database=db))
        with on_own_or_any_port(app, config.http.listen) as base:
            yield f"{base}{config.site.script_path}/api.php"
