"""The reference wiki under other settings, served one at a time.

``settings.json`` says what a user adds to the configuration of the first wiki, variant by variant.
What was recorded under settings of the same meaning is replayed by ``check_settings.py``.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from typing import Any

from tests.reference.material import RECORDED, unpack
from tests.reference.wikis import HERE, on_own_or_any_port
from wikiapi.config import Config, parse_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.store.database import Database

KIND = "settings"
"""The kind of these answers, for ``--only``."""
KEY = "variant"
"""The item of an answer that names its wiki, and the option of ``check_settings.py``."""
_FIRST_PORT = 8071
_LANGUAGES = "fr de ja ru ar he tr zh sr pl hu fi es pt-br ko fa".split()  # noqa: SIM905
"""The codes in the recorded names of databases, in the order of the variants."""
_DATABASES = {"uca": "uca.sqlite", "numeric-toc2": "numeric.sqlite"}
"""The databases whose sort keys were made with another collation."""


@cache
def variants() -> Mapping[str, Mapping[str, Any]]:
    """Return the settings of each variant by table."""
    with (RECORDED / f"{KIND}.json").open(encoding="utf-8") as file:
        return dict(json.load(file))


def configured(variant: str) -> Config:
    """Return the configuration of the reference wiki with the settings of a variant."""
    number = list(variants()).index(variant)
    address = f"127.0.0.1:{_FIRST_PORT + number}"
    data = tomllib.loads((HERE / "refwiki.toml").read_text(encoding="utf-8"))
    data.pop("repositories")
    data["site"]["wiki_id"] = f"lang_{_LANGUAGES[number].replace('-', '_')}_wiki"
    data["site"]["server"] = f"http://{address}"
    data["http"]["listen"] = address
    data["database"]["url"] = f"sqlite:///{unpack(_DATABASES.get(variant, 'refwiki.sqlite'))}"
    for name, values in variants()[variant].items():
        *outer, last = name.split(".")
        table = data
        for each in outer:
            table = table.setdefault(each, {})
        if isinstance(values, list):
            table[last] = [*table.get(last, []), *values]
        else:
            table.setdefault(last, {}).update(values)
    return parse_config(data)


@contextmanager
def serving(variant: str) -> Iterator[str]:
    """Serve a variant until the block is left; yield the address of its api.php."""
    config = configured(variant)
    with closing(Database(config.database.url, read_only=True)) as db:
        app = make_app(open_site(config, database=db))
        with on_own_or_any_port(app, config.http.listen) as base:
            yield f"{base}{config.site.script_path}/api.php"
