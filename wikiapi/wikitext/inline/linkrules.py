"""What the settings of a wiki say about external links."""

from __future__ import annotations

import re

from wikiapi.config import WikitextConfig
from wikiapi.title.title import Title
from wikiapi.wikitext.inline.magiclinks import magic_links
from wikiapi.wikitext.protocols import one_of, protocols
from wikiapi.wikitext.syntax import FIRST_CHARACTER, URL_CHARACTERS

_HOST = re.compile(
    r"(?:[^:/?#]*:)?(?://(?:[^/?#@]*+@)*+([^/?#:@]++)(?::([0-9]{0,5}))?(?![^/?#])|([^/?#][^?#]*))"
)
"""Matches the host of a URL, and its port; without slashes, what follows the protocol."""
_LAST_PORT = 65_535
_SAME_WINDOW = frozenset({"_self", "_parent", "_top"})
"""Targets that do not open a window of their own."""
_IMAGE = re.compile(
    rf"https?://{URL_CHARACTERS}+/[!#%&()*+,\-.0-9;=?@A-Z_a-z|~\x80-\xff]+\."
    r"(?i:gif|jpe?g|png)\Z"
)
"""Matches the address of an image: the name of its file has only some characters."""


class LinkRules:
    """How external links of a wiki are recognised, and the attributes that they have.

    Attributes:
        protocols: the protocols that make an address a link.
        has_magic_links: whether numbers such as ``RFC 1`` become links.
        bare: matches an address in running text, or such a number: the first group is the protocol,
            if it is an address.
        escaped: matches what would begin a link, up to the character that is to be escaped.
    """

    def __init__(self, settings: WikitextConfig) -> None:
        """Compile the patterns for the settings of a wiki."""
        self.protocols = protocols(settings.add_protocols, settings.remove_protocols)
        self.has_magic_links = bool(settings.magic_links)
        kinds = [rf"({self.protocols.named})({FIRST_CHARACTER}{URL_CHARACTERS}*)"]
        kinds += magic_links(settings.magic_links)
        self.bare = re.compile(rf"\b(?<!\w)(?:{'|'.join(kinds)})")
        schemes = [each for each in self.protocols.recognised if each.endswith(":")]
        numbers = [f"{name} " for name in settings.magic_links]
        self.escaped = re.compile("|".join((rf"\b{one_of(schemes)}", *numbers)))
        images = settings.external_images
        self._images: tuple[str, ...] = ("",) if images is True else images or ()
        self._followed_domains = tuple(f".{domain}" for domain in settings.no_follow_domains)
        self._followed_namespaces = frozenset(settings.no_follow_namespaces)
        self._no_follow = settings.no_follow
        target = settings.external_link_target
        self._window = {"target": target} if target else {}
        self._apart = bool(target) and target not in _SAME_WINDOW

    def attributes(self, url: str, page: Title) -> dict[str, str]:
        """Return the attributes of a link on a page, besides ``href`` and ``class``."""
        kinds = [] if self.is_followed(url, page) else ["nofollow"]
        if self._apart:
            kinds += ("noreferrer", "noopener")
        return {**self._window, "rel": " ".join(kinds)} if kinds else self._window

    def shows_image(self, url: str) -> bool:
        """Return whether a URL in the text is shown as the image that it leads to."""
        return bool(self._images) and url.startswith(self._images) and _IMAGE.match(url) is not None

    def is_followed(self, url: str, page: Title) -> bool:
        """Return whether search engines may follow a link on a page."""
        if not self._no_follow or page.ns in self._followed_namespaces:
            return True
        match = _HOST.match(url) if self._followed_domains else None
        if match is None or int(match[2] or 0) > _LAST_PORT:
            return False
        return f".{match[1] or match[3]}".endswith(self._followed_domains)
