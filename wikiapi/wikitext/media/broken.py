"""The HTML for a file that cannot be shown: a link to upload it, or to its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wikiapi.title.percent import quote_title
from wikiapi.title.title import Title
from wikiapi.wiki import Wiki
from wikiapi.wikitext.html.attributes import encode_attributes
from wikiapi.wikitext.html.entities import escape_text
from wikiapi.wikitext.media.holders import PageFiles
from wikiapi.wikitext.media.sizing import RequestedSize
from wikiapi.wikitext.pagemessages import PageMessages
from wikiapi.wikitext.parsoid.links import PageAddresses
from wikiapi.wikitext.parsoid.sources import NONE, local_href

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

ERROR = "mw:Error "
"""Prefix of the ``typeof`` attribute of media that cannot be shown."""


def upload_url(title: Title, site: Wiki) -> str:
    """Return the URL where a missing file can be uploaded."""
    query = f"wpDestFile={quote_title(title.dbkey)}"
    if url := site.config.files.upload_url:
        address, mark, fragment = url.partition("#")
        return f"{address}{'&' if '?' in address else '?'}{query}{mark}{fragment}"
    return site.query_path(site.special_page("Upload"), query)


def broken_media(
    title: Title,
    label: str,
    size: RequestedSize,
    files: PageFiles,
    state: ParseState,
    dimensions: Mapping[str, str] = NONE,
    *,
    exists: bool,
) -> str:
    """Return a link with a label, whose attributes give the size that the picture would have.

    ``dimensions`` are the attributes for the size of the label.
    """
    site, parsoid = state.site, state.options.parsoid
    attributes = {"class": "mw-file-element mw-broken-media"}
    if parsoid:
        attributes["resource"] = local_href(title)
    if size.width is not None:
        attributes["data-width"] = str(size.width)
    if size.height is not None:
        attributes["data-height"] = str(size.height)
    attributes |= dimensions
    text = escape_text(label or title.prefixed_text)
    if not parsoid:
        target = _link(title, files, site, exists=exists)
    elif exists:
        target = {"href": state.addresses.page(title), "class": "mw-file-description"}
    else:
        target = missing_target(title, title.prefixed_text, state.addresses)
    link = encode_attributes(target)
    return f"<a{link}><span{encode_attributes(attributes)}>{text}</span></a>"


def missing_link(title: Title, label: str, files: PageFiles, site: Wiki, *, exists: bool) -> str:
    """Return a link with a label, or with the title of the file if that is empty."""
    link = encode_attributes(_link(title, files, site, exists=exists))
    return f"<a{link}>{escape_text(label or title.prefixed_text)}</a>"


def missing_target(title: Title, tip: str, addresses: PageAddresses) -> dict[str, str]:
    """Return the attributes that a link to a missing file has in Parsoid's HTML."""
    return {"href": addresses.missing_file(title), "class": "new", "title": tip}


def thumbnail_error(messages: PageMessages, *, invalid: bool) -> str:
    """Return a message that no thumbnail was made; ``invalid``: because of its parameters."""
    reason = messages.text("thumbnail_invalid_params") if invalid else ""
    return messages.text("thumbnail_error", reason)


def _link(title: Title, files: PageFiles, site: Wiki, *, exists: bool) -> dict[str, str]:
    tip = {"title": title.prefixed_text}
    if exists:
        return {"href": site.page_path(title), **tip}
    if files.is_redirect(title):
        return {"href": site.page_path(title), "class": "mw-redirect", **tip}
    if not (site.config.files.uploads or site.config.files.upload_url):
        return {"href": site.page_path(title), **tip}
    return {"href": upload_url(title, site), "class": "new", **tip}
