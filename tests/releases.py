"""A store as each release of wikiapi wrote it, to test that later versions upgrade it.

``python -m tests.releases`` writes the store of the present version, which is done when it is
released.
"""

from __future__ import annotations

import gzip
import tempfile
from contextlib import closing
from pathlib import Path

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import Edit
from wikiapi.version import __version__

STORES = Path(__file__).parent / "fixtures" / "store" / "releases"
PAGES = {
    "Main Page": [Edit("first"), Edit("{{Box|a}} [[Tea]] [[Category:Drinks]]", comment="more")],
    "Tea": "#REDIRECT [[Main Page]]",
    "Template:Box": "<b>{{{1}}}</b> [https://example.org/ site]",
    "Category:Drinks": "Drinks",
    "Old name": "to be moved",
    "Vandalism": "to be deleted",
}
ACTS = (
    ("Ada", "edit", {"title": "Main Page", "appendtext": " öl", "summary": "by hand"}),
    ("Admin", "move", {"from": "Old name", "to": "New name"}),
    ("Admin", "protect", {"title": "Template:Box", "protections": "edit=sysop", "cascade": "1"}),
    ("Admin", "delete", {"title": "Vandalism", "reason": "spam"}),
    ("Admin", "block", {"user": "Bob", "autoblock": "1", "reason": "spam"}),
)


def write(path: Path) -> None:
    """Write a small store in which users have edited, moved, protected, deleted and blocked."""
    wiki = Actors(PAGES, path=path)
    with closing(wiki.site.db):
        for user, action, params in ACTS:
            answer = wiki.act(user, action, **params)
            assert not answer.codes, answer.data


def main() -> None:
    """Write the store of this version into the fixtures."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.sqlite"
        write(store)
        compressed = gzip.compress(store.read_bytes(), mtime=0)
    STORES.mkdir(exist_ok=True)
    (STORES / f"{__version__}.sqlite.gz").write_bytes(compressed)


if __name__ == "__main__":
    main()
