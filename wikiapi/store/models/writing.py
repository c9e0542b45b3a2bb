"""The tables that only a writable wiki needs. They are created when a store is opened."""

from __future__ import annotations

from peewee import CompositeKey

from wikiapi.store.fields import BigUInt, Binary, Long, Serial, Small, Timestamp, UInt
from wikiapi.store.models.base import MediaWikiModel, index, unique


class ObjectCache(MediaWikiModel):
    """Values that expire, by key: sessions, pending logins, rate limits and stashed texts."""

    keyname = Binary(255, default="", key=True)
    value = Long(null=True)
    exptime = Timestamp()
    modtoken = Binary(17, default="00000000000000000")
    flags = UInt(null=True)

    class Meta:
        table_name = "objectcache"
        named_indexes = (index("exptime", "exptime"),)


class BotPasswords(MediaWikiModel):
    """Passwords of accounts that give only some of their rights.

    ``bp_restrictions`` and ``bp_grants`` are JSON.
    """

    bp_user = UInt()
    bp_app_id = Binary(32)
    bp_password = Long()
    bp_token = Binary(32, default="")
    bp_restrictions = Long()
    bp_grants = Long()

    class Meta:
        table_name = "bot_passwords"
        primary_key = CompositeKey("bp_user", "bp_app_id")


class UserNewTalk(MediaWikiModel):
    """Users whose talk page was changed since they last visited it."""

    user_id = UInt(default=0)
    user_ip = Binary(40, default="")
    user_last_timestamp = Timestamp(null=True)

    class Meta:
        table_name = "user_newtalk"
        primary_key = False
        named_indexes = (index("un_user_id", "user_id"), index("un_user_ip", "user_ip"))


class WatchlistExpiry(MediaWikiModel):
    """The expiries of entries of watch lists."""

    we_item = UInt(key=True)
    we_expiry = Timestamp()

    class Meta:
        table_name = "watchlist_expiry"
        named_indexes = (index("we_expiry", "we_expiry"),)


class UploadStash(MediaWikiModel):
    """Uploads that are not complete or not published yet."""

    us_id = Serial()
    us_user = UInt()
    us_key = Binary(255)
    us_orig_path = Binary(255)
    us_path = Binary(255)
    us_source_type = Binary(50, null=True)
    us_timestamp = Timestamp()
    us_status = Binary(50)
    us_chunk_inx = UInt(null=True)
    us_props = Long(null=True)
    us_size = BigUInt()
    us_sha1 = Binary(31)
    us_mime = Binary(255, null=True)
    us_media_type = Binary(16, null=True)
    us_image_width = UInt(null=True)
    us_image_height = UInt(null=True)
    us_image_bits = Small(null=True)

    class Meta:
        table_name = "uploadstash"
        named_indexes = (
            index("us_user", "us_user"),
            unique("us_key", "us_key"),
            index("us_timestamp", "us_timestamp"),
        )


class Outbox(MediaWikiModel):
    """Mail for another program to deliver.

    MediaWiki has no such table, because it sends mail at once.
    """

    ob_id = Serial()
    ob_timestamp = Timestamp()
    ob_from_user = UInt()
    ob_to_user = UInt()
    ob_from = Long()
    ob_to = Long()
    ob_subject = Long()
    ob_text = Long()

    class Meta:
        table_name = "wikiapi_outbox"


TABLES = (ObjectCache, BotPasswords, UserNewTalk, WatchlistExpiry, UploadStash, Outbox)
