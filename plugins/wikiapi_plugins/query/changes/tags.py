"""``list=tags``."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from wikiapi.api import Arr, ListModule, continuation, enum, limit
from wikiapi.site import Site
from wikiapi.store.queries import tags, texts
from wikiapi.title import MEDIAWIKI
from wikiapi.wikitext import ParserOptions

SOFTWARE = frozenset(
    {
        "mw-blank",
        "mw-changed-redirect-target",
        "mw-contentmodelchange",
        "mw-manual-revert",
        "mw-new-redirect",
        "mw-recreated",
        "mw-removed-redirect",
        "mw-replace",
        "mw-reverted",
        "mw-rollback",
        "mw-server-side-upload",
        "mw-undo",
    }
)
"""The tags that MediaWiki itself sets."""
_UNUSED = (0, False)


def defined_tags(site: Site) -> tuple[str, ...]:
    """Return the names of the tags that changes may have, those of MediaWiki and the wiki's own.

    On a private wiki its own are left out, because anyone may read the descriptions of modules.
    """
    if site.config.permissions.is_private:
        return tuple(sorted(SOFTWARE))
    stored = tags.definitions(site.db)
    own = (name for name, (_, is_defined) in stored.items() if is_defined)
    return tuple(sorted({*SOFTWARE, *own}))


class Tags(ListModule):
    """List the tags that changes can have."""

    name = "tags"
    prefix = "tg"
    element = "tag"
    params = (
        continuation(),
        limit("How many tags to return."),
        enum("prop", "displayname", "description", "hitcount", "defined", "source", "active",
             multi=True, default="", help="Properties to include besides the name.",
             value_help=(("displayname", "The name that readers see."),
                         ("description", "What it means."),
                         ("hitcount", "How many changes have it."),
                         ("defined", "Whether anything defines it."),
                         ("source", "What defines it: software or users."),
                         ("active", "Whether it is still in use."))),
    )  # fmt: skip
    examples = (("action=query&list=tags&tgprop=displayname|description|hitcount|defined", "Tags"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Tags",)

    def execute(self) -> None:
        """List the tags by name."""
        stored = tags.definitions(self.db)
        start = self.p.text_or_none("continue") or ""
        names = sorted(name for name in {*stored, *SOFTWARE} if name >= start)
        listed = names[: self.limit]
        has_words = not {"displayname", "description"}.isdisjoint(self.p.texts("prop"))
        words = TagWords(self.site, listed if has_words else (), self.context.language)
        items = (self._item(name, *stored.get(name, _UNUSED), words) for name in listed)
        self.emit(items, names, str)

    def _item(self, name: str, hits: int, by_users: bool, words: TagWords) -> dict[str, Any]:
        props, is_software = self.p.texts("prop"), name in SOFTWARE
        item: dict[str, Any] = {"name": name}
        if "displayname" in props:
            item["displayname"] = words.display_name(name)
        if "description" in props:
            item["description"] = words.description(name)
        if "hitcount" in props:
            item["hitcount"] = hits
        if "defined" in props:
            item["defined"] = is_software or by_users
        if "source" in props:
            # For compatibility, software is also listed under its former name, as in MediaWiki.
            software = ("software", "extension") if is_software else ()
            item["source"] = Arr((*software, *(("manual",) if by_users else ())), "source")
        if "active" in props:
            item["active"] = is_software or by_users
        return item


# ``MediaWiki:Tag-<name>`` is the name that readers see, ``Tag-<name>-description`` the description
# and ``Tag-<name>-helppage`` the link to a page of help. A name of ``-`` hides the tag.

_PLAIN = ParserOptions(limit_report=False, edit_sections=False, wrapper_class="")
_NONE = "-"
_KINDS = ("", "-description", "-helppage")


class TagWords:
    """The displayed names and the descriptions of some tags."""

    def __init__(self, site: Site, names: Iterable[str], language: str) -> None:
        """Read the wiki's pages for the tags. One query."""
        self._site = site
        self._language = language
        keys = {
            f"tag-{name}{kind}": (MEDIAWIKI, self._dbkey(f"tag-{name}{kind}"))
            for name in names
            for kind in _KINDS
        }
        stored = texts.current(site.db, keys.values())
        self._local = {key: stored[page].text for key, page in keys.items() if page in stored}

    def display_name(self, name: str) -> str | bool:
        """Return the name that readers see, as HTML; ``False`` if the tag is hidden."""
        key = f"tag-{name}"
        text = self._text(key)
        if text == _NONE:
            return False
        label = escape(name if text is None else text)
        if text is not None and key in self._local:
            page = self._site.titles.make(MEDIAWIKI, self._dbkey(key))
            html = self._site.parser.parse(text, page, _PLAIN).html.strip()
            inner = html.removeprefix("<p>").removesuffix("</p>").strip()
            label = inner if "<p>" not in inner else html
        target = self._text(f"{key}-helppage")
        return f'<a href="{escape(target)}">{label}</a>' if target else label

    def description(self, name: str) -> str:
        """Return the description of the tag, as wikitext; empty if there is none."""
        text = self._text(f"tag-{name}-description")
        return "" if text in (None, _NONE) else text or ""

    def _dbkey(self, key: str) -> str:
        """Return the database key of the page that replaces a message."""
        return self._site.titles.capitalise(key.replace(" ", "_"))

    def _text(self, key: str) -> str | None:
        own = self._local.get(key)
        return own if own is not None else self._site.messages.catalog.template(key, self._language)
