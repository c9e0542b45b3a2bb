"""A wiki with files of several kinds, for the tests of file repositories and file modules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wikiapi.site import Site
from wikiapi.store.models import OldImage
from wikiapi.testing import make_site
from wikiapi.testing.declaration import DeclaredFile

PHOTO = DeclaredFile(
    "Photo.jpg",
    width=1600,
    height=1200,
    mime="image/jpeg",
    user="Ada",
    comment="see [[Home]]",
    timestamp="20240601000000",
    sha1="b" + "0" * 30,
    metadata='{"data":{"Make":"Cam","MEDIAWIKI_EXIF_VERSION":2}}',
)
FILES = (
    PHOTO,
    DeclaredFile("Copy of photo.jpg", sha1=PHOTO.sha1, mime="image/jpeg", user="192.0.2.9"),
    DeclaredFile("Drawing.svg", width=100, height=50, mime="image/svg+xml", media_type="DRAWING"),
    DeclaredFile("Sound.ogg", width=0, height=0, mime="application/ogg", media_type="AUDIO"),
    DeclaredFile("Film.gif", mime="image/gif", metadata='{"data":{"duration":0.4}}'),
)
PAGES = {
    "Home": "x",
    "File:Photo.jpg": "a photo",
    "File:Way.jpg": "#REDIRECT [[File:Photo.jpg]]",
    "File:Lost way.jpg": "#REDIRECT [[File:Nope.jpg]]",
    "MediaWiki:Bad image list": "* [[:File:Photo.jpg]] except on [[:Home]]\nno [[:File:Copy.jpg]]",
}

# Timestamp, archive name, bits of what is hidden.
OLD_PHOTOS = (
    ("20240101000000", "20240201000000!Photo.jpg", 0),
    ("20240201000000", "20240301000000!Photo.jpg", 1 | 8),
    ("20240301000000", "20240401000000!Photo.jpg", 2 | 4),
    ("20240401000000", "", 0),
)


def make_file_wiki(
    config: dict[str, Any] | None = None,
    plugins: Iterable[object] = (),
    files: Iterable[DeclaredFile] = FILES,
) -> Site:
    """Return the wiki, with earlier versions of its photo of which parts are hidden."""
    site = make_site(PAGES, config=config, users=["Ada"], files=files, plugins=plugins)
    actor = site.db.execute_sql("SELECT actor_id FROM actor WHERE actor_name = 'Ada'")[0][0]
    comment = site.db.execute_sql(
        "SELECT comment_id FROM comment WHERE comment_text = 'see [[Home]]'"
    )
    rows = [
        ("Photo.jpg", archive, 10, 4, 3, 8, comment[0][0], actor, moment, "", "BITMAP", "image",
         "jpeg", bits, "c" + "0" * 30)
        for moment, archive, bits in OLD_PHOTOS
    ]  # fmt: skip
    site.db.insert_many(OldImage, rows)
    return site
