"""Feeds and their entries, in the formats RSS and Atom."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime

from wikiapi.api import Action, CacheMode, RawBody, enum, moment_of
from wikiapi.site import Site
from wikiapi_plugins.formats.xmltree import Element, document

RSS, ATOM = "rss", "atom"
FORMS = (RSS, ATOM)
_DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"
_ATOM = "http://www.w3.org/2005/Atom"
_CREATOR = "dc:creator"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a feed. ``summary`` is HTML, ``moment`` a timestamp of 14 digits."""

    title: str
    summary: str
    url: str = ""
    moment: str = ""
    author: str = ""
    comments: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed. ``own_url`` is its URL, ``page_url`` the URL of the page with the same content."""

    title: str
    description: str
    page_url: str
    own_url: str
    language: str
    generator: str
    now: datetime
    entries: Sequence[Entry] = ()

    def text(self, form: str) -> str:
        """Return the feed as an XML document."""
        return document(_atom(self) if form == ATOM else _rss(self), pretty=True) + "\n"


def _leaf(tag: str, text: str, **attributes: str) -> Element:
    return Element(tag, dict(attributes), text=text)


def _rss(feed: Feed) -> Element:
    head = [
        _leaf("title", feed.title),
        _leaf("link", feed.page_url),
        _leaf("description", feed.description),
        _leaf("language", feed.language),
        _leaf("generator", feed.generator),
        _leaf("lastBuildDate", _mail_date(feed.now)),
    ]
    channel = Element("channel", children=[*head, *map(_rss_item, feed.entries)])
    return Element("rss", {"version": "2.0", "xmlns:dc": _DUBLIN_CORE}, [channel])


def _rss_item(entry: Entry) -> Element:
    parts = [
        _leaf("title", entry.title),
        _leaf("link", entry.url),
        _leaf("guid", entry.url, isPermaLink="false"),
        _leaf("description", entry.summary),
    ]
    if entry.moment:
        parts.append(_leaf("pubDate", _mail_date(moment_of(entry.moment))))
    parts.append(_leaf(_CREATOR, entry.author))
    if entry.comments:
        parts.append(_leaf("comments", entry.comments))
    return Element("item", children=parts)


def _atom(feed: Feed) -> Element:
    head = [
        _leaf("id", feed.own_url),
        _leaf("title", feed.title),
        _leaf("link", "", rel="self", type="application/atom+xml", href=feed.own_url),
        _leaf("link", "", rel="alternate", type="text/html", href=feed.page_url),
        _leaf("updated", _iso(feed.now)),
        _leaf("subtitle", feed.description),
        _leaf("generator", feed.generator),
    ]
    entries = (_atom_entry(entry, feed.now) for entry in feed.entries)
    attributes = {"xmlns": _ATOM, "xml:lang": feed.language}
    return Element("feed", attributes, [*head, *entries])


def _atom_entry(entry: Entry, now: datetime) -> Element:
    parts = [
        _leaf("id", entry.url),
        _leaf("title", entry.title),
        _leaf("link", "", rel="alternate", type="text/html", href=entry.url),
        _leaf("updated", _iso(moment_of(entry.moment) if entry.moment else now)),
        _leaf("summary", entry.summary, type="html"),
    ]
    if entry.author:
        parts.append(Element("author", children=[_leaf("name", entry.author)]))
    return Element("entry", children=parts)


def _mail_date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def special_feed(
    site: Site, name: str, special: str, about: str, entries: Sequence[Entry], own_url: str
) -> Feed:
    """Return a feed with the content of a special page.

    Args:
        site: the wiki.
        name: the name of the feed.
        special: the name of the special page, without namespace.
        about: a sentence that describes the feed.
        entries: the entries, newest first.
        own_url: the URL of the feed.
    """
    # The name is not parsed as a title, because it may contain the name of a user of another wiki,
    # which may have characters that are invalid in titles.
    page = site.special_page(special.replace(" ", "_"))
    return Feed(
        title=f"{site.config.site.name} - {name} [{site.language}]",
        description=about,
        page_url=site.page_url(page),
        own_url=own_url,
        language=site.language,
        generator=site.config.site.generator,
        now=site.clock(),
        entries=entries,
    )


FORM = enum("feedformat", *FORMS, default=RSS, help="The form of the feed.")
MAX_ENTRIES = 50
MEDIA_TYPE = "application/xml; charset=utf-8"
_FILE = "feed.xml"


class FeedAction(Action):
    """An action whose answer is a feed, whatever the value of ``format``."""

    def cache_mode(self) -> CacheMode:
        """Return the mode for public caching, since answers are the same for all users."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Send the feed.

        Raises:
            ApiError: a parameter is invalid.
        """
        body = self.feed().text(self.p["feedformat"]).encode("utf-8", "replace")
        self.result.raw = RawBody(body, MEDIA_TYPE, _FILE)

    @abstractmethod
    def feed(self) -> Feed:
        """Return the feed."""

    def make(self, name: str, special: str, about: str, entries: Sequence[Entry]) -> Feed:
        """Return a feed with the content of a special page; see :func:`special_feed`."""
        own_url = self.site.config.site.server + self.context.request.url
        return special_feed(self.site, name, special, about, entries, own_url)
