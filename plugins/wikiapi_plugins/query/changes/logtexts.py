"""Log entries as a sentence with links, as readers see them (``logdisplay``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wikiapi.expiry import INFINITY, describe_expiry, is_forever
from wikiapi.languages import Message, MessageParam, Num, Plain, plain_list, render_param
from wikiapi.site import Site
from wikiapi.store.queries import ChangeRow, pages
from wikiapi.title import SPECIAL, USER, Title
from wikiapi.wikitext import escape_attribute, escape_text

_MARK = "\x7f"
"""Encloses the number of a link in a filled-in text, which is escaped before links are put in."""
_UNTITLED = ("block", "newusers")
"""The logs whose entries are about a user rather than the page with that name."""
_HIDDEN_PARTS = {"content": "content", "comment": "summary", "user": "uname"}


class LogTexts:
    """Writes entries in a language. Looks up the pages that they link to in one query."""

    def __init__(
        self, site: Site, language: str, changes: Iterable[tuple[ChangeRow, Mapping[str, Any]]]
    ) -> None:
        """Take the entries to write, each with its parameters in the form of answers."""
        self._site, self._language = site, language
        self._links: list[str] = []
        titles = [title for change, params in changes for title in self._titles(change, params)]
        keys = {title.key for title in titles if title.ns >= 0}
        self._stored = pages.by_titles(site.db, keys) if keys else {}

    def html(self, change: ChangeRow, params: Mapping[str, Any]) -> str:
        """Return an entry as a line of HTML."""
        self._links = []
        log, action = change.log_type or "", change.log_action or ""
        title = self._site.titles.make(change.namespace or 0, change.title or "")
        performer = change.user_name or ""
        start: tuple[MessageParam, ...] = (
            self._link(self._user_link(performer, change.user_id or 0)),
            Plain(performer),
            self._link(self._page_link(title, log)),
        )
        key, more = self._message(log, action, title, params)
        if log in _UNTITLED:
            start = (*start[:2], self._link(self._user_link(title.text, 0)))
        text = self._site.messages.text(Message(key, (*start, *more)), self._language)
        pieces = escape_text(text).split(_MARK)
        pieces[1::2] = [self._links[int(number)] for number in pieces[1::2]]
        return "".join(pieces)

    def _titles(self, change: ChangeRow, params: Mapping[str, Any]) -> Iterable[Title]:
        """Yield the pages that an entry links to."""
        if change.title is not None:
            yield self._site.titles.make(change.namespace or 0, change.title)
        yield self._site.titles.make(USER, (change.user_name or "").replace(" ", "_"))
        for name in ("target", "dest"):
            if other := self._title_of(params, name):
                yield other

    def _title_of(self, params: Mapping[str, Any], name: str) -> Title | None:
        return self._site.titles.try_parse(str(params.get(f"{name}_title", "")))

    def _message(
        self, log: str, action: str, title: Title, params: Mapping[str, Any]
    ) -> tuple[str, tuple[MessageParam, ...]]:
        """Return the key of an entry's text, and its parameters from the fourth on."""
        key = f"logentry-{log}-{action}"
        match log, action:
            case "move", _:
                suffix = "-noredirect" if params.get("suppressredirect") else ""
                return key + suffix, (self._linked(params, "target"),)
            case "merge", _:
                point = self._moment(str(params.get("mergepoint", "")))
                return key, (self._linked(params, "dest"), Plain(point))
            case (("delete" | "suppress"), ("revision" | "event")):
                ids = params.get("ids")
                if not isinstance(ids, list) or "new" not in params:
                    return f"{key}-legacy", ()
                return key, (Plain(self._visibility(params)), Num(len(ids)))
            case "delete", "restore":
                count = params.get("count")
                if not isinstance(count, Mapping) or not any(count.values()):
                    return f"{key}-nocount", ()
                parts = [
                    self._text(f"restore-count-{kind}", Num(int(number)))
                    for kind, number in count.items()
                    if number
                ]
                return key, (plain_list(parts),)
            case "protect", ("protect" | "modify"):
                suffix = "-cascade" if params.get("cascade") else ""
                return key + suffix, (Plain(str(params.get("description", ""))),)
            case "rights", _:
                changes = Plain(self._memberships(key, params))
                return key, (Plain(""), Plain(""), Plain(title.text), changes)
            case (("block" | "suppress"), ("block" | "reblock" | "unblock")):
                if action != "unblock" and params.get("sitewide") is False:
                    key = f"logentry-non-editing-block-{action}"
                duration = str(params.get("duration-l10n", ""))
                return key, (Plain(title.text), Plain(duration), Plain(self._flags(params)))
            case "contentmodel", _:
                names = (str(params.get(name, "")) for name in ("oldmodel", "newmodel"))
                return key, tuple(
                    Plain(self._text(f"content-model-{name}") if name else "") for name in names
                )
            case "managetags", _:
                count = Num(int(params.get("count") or 0))
                return key, (Plain(str(params.get("tag", ""))), count)
            case "pagelang", _:
                names = (str(params.get(name, "")) for name in ("oldlanguage", "newlanguage"))
                return key, tuple(map(Plain, names))
        return key, ()

    def _visibility(self, params: Mapping[str, Any]) -> str:
        """Return what became hidden or visible, as a list."""
        old, new = params.get("old", {}), params["new"]
        changes = [
            f"revdelete-{word}-{'hid' if new.get(part) else 'unhid'}"
            for part, word in _HIDDEN_PARTS.items()
            if bool(new.get(part)) != bool(old.get(part))
        ]
        if bool(new.get("restricted")) != bool(old.get("restricted")):
            changes.append(
                "revdelete-restricted" if new.get("restricted") else "revdelete-unrestricted"
            )
        return self._joined([self._text(name) for name in changes])

    def _memberships(self, key: str, params: Mapping[str, Any]) -> str:
        """Return which groups were granted, changed, kept and revoked, as a list."""
        old = {one["group"]: one["expiry"] for one in params.get("oldmetadata", ())}
        new = {one["group"]: one["expiry"] for one in params.get("newmetadata", ())}
        granted = [self._group(name, new[name]) for name in new if name not in old]
        kept = [self._group(name, new[name]) for name in new if old.get(name) == new[name]]
        altered = [
            self._group(name, new[name]) for name in new if name in old and old[name] != new[name]
        ]
        revoked = [self._group(name, INFINITY) for name in old if name not in new]
        parts = (("granted", granted), ("expiry-changed", altered), ("kept", kept))
        texts = [
            self._text(f"{key}-{word}", Plain(self._joined(groups)))
            for word, groups in (*parts, ("revoked", revoked))
            if groups
        ]
        return "; ".join(texts)

    def _group(self, name: str, expiry: str) -> str:
        text = self._site.messages.find(f"group-{name}-member", self._language)
        member = self._text(f"group-{name}-member", Plain("")) if text else name
        if is_forever(expiry):
            return member
        end = self._moment(expiry)
        return self._text("rightslogentry-temporary-group", Plain(member), Plain(end))

    def _moment(self, stamp: str) -> str:
        """Return a time as the wiki writes it."""
        site = self._site
        american = site.config.wikitext.american_dates
        return describe_expiry(
            stamp, site.clock(), self._language, site.messages.catalog, american=american
        )

    def _flags(self, params: Mapping[str, Any]) -> str:
        flags = [self._text(f"block-log-flags-{flag}") for flag in params.get("flags", ())]
        return self._text("parentheses", Plain(self._joined(flags))) if flags else ""

    def _joined(self, texts: list[str]) -> str:
        return render_param(plain_list(texts), self._language)

    def _text(self, key: str, *params: MessageParam) -> str:
        return self._site.messages.text(Message(key, params), self._language)

    # Links

    def _link(self, html: str) -> Plain:
        self._links.append(html)
        return Plain(f"{_MARK}{len(self._links) - 1}{_MARK}")

    def _linked(self, params: Mapping[str, Any], name: str) -> Plain:
        title = self._title_of(params, name)
        return Plain("") if title is None else self._link(self._page_link(title))

    def _page_link(self, title: Title, log: str = "") -> str:
        row = self._stored.get(title.key)
        label = escape_text(title.text if log == "rights" else title.prefixed_text)
        if row is None and title.ns != SPECIAL:
            return self._missing_link(title, "new", label)
        css = "mw-redirect" if row and row.is_redirect else ""
        site = self._site
        url = site.query_path(title, "redirect=no") if log == "move" else site.page_path(title)
        return _anchor(url, css, title.prefixed_text, label)

    def _user_link(self, name: str, user_id: int) -> str:
        label = f"<bdi>{escape_text(name)}</bdi>"
        title = self._site.titles.make(USER, name.replace(" ", "_"))
        if not user_id:
            title = self._site.special_page(f"Contributions/{name}")
            css = "mw-userlink mw-anonuserlink"
            return _anchor(self._site.page_path(title), css, title.prefixed_text, label)
        if title.key not in self._stored:
            return self._missing_link(title, "mw-userlink new", label)
        return _anchor(self._site.page_path(title), "mw-userlink", title.prefixed_text, label)

    def _missing_link(self, title: Title, css: str, label: str) -> str:
        tip = self._text("red-link-title", Plain(title.prefixed_text))
        url = self._site.query_path(title, "action=edit&redlink=1")
        return _anchor(url, css, tip, label)


def _anchor(url: str, css: str, tip: str, label: str) -> str:
    shape = f' class="{css}"' if css else ""
    href, title = escape_attribute(url), escape_attribute(tip)
    return f'<a href="{href}"{shape} title="{title}">{label}</a>'
