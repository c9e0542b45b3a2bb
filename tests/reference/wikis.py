"""The reference wikis, served by threads of this process."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from wsgiref.types import WSGIApplication

from tests.reference.material import RECORDED, UNPACKED, unpack
from tests.servers import Server
from wikiapi.config import Config, MessagesConfig, load_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.testing.server import live_server

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Wikis:
    """Where the wikis answer: addresses of their api.php."""

    refwiki: str
    commonswiki: str
    wildwiki: str
    """The first wiki with extensions of third-party wikis."""

    @property
    def is_moved(self) -> bool:
        """Whether the repository answers elsewhere than the recorded answers say it does."""
        return self.commonswiki != _configured("refwiki").repositories[0].api


@contextmanager
def serving(server: Server | None = None) -> Iterator[Wikis]:
    """Serve the wikis until the block is left, from copies on a database server if one is given.

    On the ports of the recorded answers where those are free, on others where they are not. URLs
    within answers come from the configuration and hold the recorded ports in any case.
    """
    with _served(_configured("commonswiki", server)) as commons:
        refwiki = _showing(_configured("refwiki", server), commons)
        wildwiki = _showing(_configured("wildwiki", server), commons)
        refwiki, wildwiki = _with_texts("refwiki", refwiki), _with_texts("wildwiki", wildwiki)
        with _served(refwiki) as first, _served(wildwiki) as wild:
            yield Wikis(first, commons, wild)


@contextmanager
def configured() -> Iterator[Config]:
    """Yield the configuration of the first wiki, while the second serves its files."""
    with _served(_configured("commonswiki")) as commons:
        yield _showing(_configured("refwiki"), commons)


@contextmanager
def commons() -> Iterator[str]:
    """Serve the second wiki alone, for others that show its files."""
    with _served(_configured("commonswiki")) as address:
        yield address


def _showing(config: Config, commons: str) -> Config:
    """Return a configuration whose repository answers at an address."""
    return replace(config, repositories=(replace(config.repositories[0], api=commons),))


def _configured(name: str, server: Server | None = None) -> Config:
    config = load_config(HERE / f"{name}.toml")
    url = f"sqlite:///{unpack(f'{name}.sqlite')}"
    if server is not None:
        url = _copied(url, server.create(name))
    return replace(config, database=replace(config.database, url=url))


def _with_texts(name: str, config: Config) -> Config:
    """Return a configuration with MediaWiki's texts of the interface.

    They were recorded as the wiki shows them: the texts that it has customised are left out.
    """
    database, folder = unpack(f"{name}.sqlite"), UNPACKED / f"{name}.messages"
    with closing(sqlite3.connect(database)) as db:
        rows = db.execute("SELECT page_title FROM page WHERE page_namespace = 8")
        customised = {str(title)[:1].lower() + str(title)[1:] for (title,) in rows}
    with gzip.open(RECORDED / "messages" / "en.json.gz", "rt", encoding="utf-8") as file:
        texts = {key: text for key, text in json.load(file).items() if key not in customised}
    folder.mkdir(exist_ok=True)
    # Several runs may write it at once; each reads a whole file.
    partial = folder / f"en.{os.getpid()}"
    partial.write_text(json.dumps(texts), encoding="utf-8")
    partial.replace(folder / "en.json")
    return replace(config, messages=MessagesConfig((str(folder),)))


def _copied(source: str, target: str) -> str:
    with closing(Database(source, read_only=True)) as db, closing(Database(target)) as copy:
        for _ in copy_store(db, copy):
            pass
    return target


@contextmanager
def _served(config: Config) -> Iterator[str]:
    with closing(Database(config.database.url, read_only=True)) as db:
        app = make_app(open_site(config, database=db))
        with on_own_or_any_port(app, config.http.listen) as base:
            yield f"{base}{config.site.script_path}/api.php"


@contextmanager
def on_own_or_any_port(app: WSGIApplication, listen: str) -> Iterator[str]:
    with ExitStack() as stack:
        try:
            base = stack.enter_context(live_server(app, listen))
        except OSError:
            base = stack.enter_context(live_server(app))
        yield base
