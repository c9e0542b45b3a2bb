"""The wiki that the tests of lists of links, categories, properties and users ask.

Links come from the texts. Whatever is suppressed holds :data:`SECRET`, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.site import Site
from wikiapi.store.models import (
    Actor,
    Block,
    BlockTarget,
    FileArchive,
    IpblocksRestrictions,
    ProtectedTitles,
    Revision,
    UserProperties,
)
from wikiapi.store.queries.visibility import COMMENT, RESTRICTED, TEXT, USER
from wikiapi.store.write.ids import Actors, Comments, Person
from wikiapi.testing import DeclaredUser, Edit, make_site
from wikiapi.testing.declaration import History
from wikiapi.title.interwiki import Interwiki

SECRET = "hidden-from-everybody"
HIDDEN_USER = "Hidden-from-everybody"
USERS = ("Ada", "Babbage", "Robot", HIDDEN_USER)

PAGES: Mapping[str, History] = {
    "Main Page": "Welcome to [[Alpha]]. [https://example.org/ x] [https://sub.example.org/a y]",
    "Alpha": [
        Edit("first", user="Ada"),
        Edit(
            "'''Alpha''' tells of lorem and ipsum. [[Beta]] {{Nav}} [http://example.org/b?c=d z]"
            "\n[[w:Inline link]] [[de:Alpha]] [[fr:Alphe]] [[File:Photo.png]] __NOTOC__"
            "\nMore lorem. [[Category:Letters|A]] [[Category:Greek]]",
            user="Babbage",
        ),
        Edit(
            "'''Alpha''' tells of lorem and ipsum. [[Beta]] {{Nav}} [http://example.org/b?c=d z]"
            "\n[[w:Inline link]] [[de:Alpha]] [[fr:Alphe]] [[File:Photo.png]] __NOTOC__"
            "\nMore lorem. [[Category:Letters|A]] [[Category:Greek]] ",
            user="192.0.2.7",
        ),
    ],
    "Beta": "[[Alpha]] {{Nav}} {{DISPLAYTITLE:''Beta''}} [[Category:Letters]] [[de:Betha]]",
    "Gamma": "#REDIRECT [[Beta]]",
    "Gamma double": "#REDIRECT [[Gamma]]",
    "Delta": "[[Gamma]] [[Missing page]] [[Category:Letters]] [mailto:ada@example.org m]",
    "Alphabet": "[[Missing page]] {{Absent}}",
    "Talk:Alpha": Edit("About [[Alpha]] and [[w:Other link]]", user="Robot"),
    "Template:Nav": "[[Beta]]",
    "Category:Letters": "[[Category:Root]]",
    "Category:Greek": "__HIDDENCAT__ [[Category:Root]]",
    "File:Photo.png": "A photo [[Category:Letters]]",
    "Suppressed": Edit("text", user=HIDDEN_USER),
}
DELETED_FILES = (
    ("Gone.png", None, "first", 0),
    ("Gone.png", "20240101000000!Gone.png", "second", 0),
    ("Lost.png", "", "third", COMMENT | USER | RESTRICTED),
    (f"{SECRET}.png", None, SECRET, TEXT),
)


def link_wiki(config: Mapping[str, Any] | None = None) -> Site:
    """Make it; the caller closes its store."""
    groups = {"Ada": ("sysop",), "Robot": ("bot",)}
    site = make_site(
        PAGES,
        config=config,
        users=[DeclaredUser(name, groups.get(name, ())) for name in USERS],
        files=["Photo.png", "Unused.png"],
        interwiki=[
            Interwiki("w", "https://w.example/$1"),
            Interwiki("de", "https://de.example/$1"),
            Interwiki("fr", "https://fr.example/$1"),
        ],
    )
    comments = Comments(site.db).ids(["spam", "hoax", "first", "second", "third", SECRET])
    _block(site, comments)
    _protect(site, comments)
    _delete_files(site, comments)
    _hide(site)
    site.db.insert_many(UserProperties, [(1, "gender", "female"), (2, "secret", SECRET)])
    return site


def _block(site: Site, comments: Mapping[str, int]) -> None:
    targets = [
        (1, None, 2, "Babbage", 0, None, None, None),
        (2, "198.51.100.0/24", None, None, 0, "C6336400", "C63364FF", "C6336400"),
        (3, "203.0.113.9", None, None, 1, None, None, "CB007109"),
        (4, None, 4, HIDDEN_USER, 0, None, None, None),
        (5, "198.51.100.7", None, None, 0, None, None, "C6336407"),
    ]
    names = (
        "bt_id", "bt_address", "bt_user", "bt_user_text", "bt_auto", "bt_range_start",
        "bt_range_end", "bt_ip_hex",
    )  # fmt: skip
    site.db.insert_many(BlockTarget, targets, names)
    blocks = [
        (1, 1, 1, comments["spam"], "20250101000000", "infinity", 0, 0),
        (2, 2, 1, comments["hoax"], "20250102000000", "20260301120000", 0, 1),
        (3, 3, 1, comments["spam"], "20250103000000", "infinity", 0, 1),
        (4, 4, 1, comments[SECRET], "20250104000000", "infinity", 1, 1),
        (5, 5, 1, comments["spam"], "20250105000000", "20250106000000", 0, 1),
    ]
    columns = (
        "bl_id", "bl_target", "bl_by_actor", "bl_reason_id", "bl_timestamp", "bl_expiry",
        "bl_deleted", "bl_sitewide",
    )  # fmt: skip
    site.db.insert_many(Block, blocks, columns)
    site.db.insert_many(IpblocksRestrictions, [(1, 1, 2), (1, 2, 10), (1, 3, 2), (1, 1, 999)])


def _protect(site: Site, comments: Mapping[str, int]) -> None:
    names = ("pt_namespace", "pt_title", "pt_user", "pt_reason_id", "pt_timestamp", "pt_expiry")
    rows = [
        (0, "Never", 1, comments["hoax"], "20240101000000", "infinity", "sysop"),
        (2, "Nobody", 1, comments["spam"], "20240102000000", "20270101000000", "autoconfirmed"),
        (0, "No_more", 4, comments["spam"], "20240102000000", "infinity", "sysop"),
    ]
    site.db.insert_many(ProtectedTitles, rows, (*names, "pt_create_perm"))


def _delete_files(site: Site, comments: Mapping[str, int]) -> None:
    names = (
        "fa_name", "fa_archive_name", "fa_timestamp", "fa_description_id", "fa_deleted_reason_id",
        "fa_actor", "fa_size", "fa_width", "fa_height", "fa_bits", "fa_media_type",
        "fa_major_mime", "fa_minor_mime", "fa_deleted", "fa_sha1", "fa_metadata",
    )  # fmt: skip
    actor = Actors(site.db).ids([Person(1, "Ada")])[Person(1, "Ada")]
    rows = [
        (name, archive, f"2023010{number}000000", comments[comment], comments[comment], actor,
         10, 3, 4, 8, "BITMAP", "image", "png", bits, f"{number:0>31}", '{"data":{"a":"b"}}')
        for number, (name, archive, comment, bits) in enumerate(DELETED_FILES, 1)
    ]  # fmt: skip
    site.db.insert_many(FileArchive, rows, names)


def _hide(site: Site) -> None:
    """Hide an account everywhere: its block does, and so do the bits of what it did."""
    actor = site.db.scalar(Actor.select(Actor.actor_id).where(Actor.actor_name == HIDDEN_USER))
    site.db.execute_write(
        Revision.update(rev_deleted=USER | TEXT).where(Revision.rev_actor == actor)
    )
