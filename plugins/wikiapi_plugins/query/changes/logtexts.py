"""Log entries as a sentence with links, as readers see them (``logdisplay``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from wikiapi.accounts import read_range
from wikiapi.expiry import INFINITY, describe_expiry, is_forever
from wikiapi.languages import Message, MessageParam, Num, Plain, plain_list, render_param
from wikiapi.site import Site
from wikiapi.store.queries import ChangeRow, visibility
from wikiapi.title import USER, Title
from wikiapi.wikitext import PageLinks, escape_attribute, escape_text

_ABOUT_USERS = ("block", "newusers")
"""The logs whose entries are about the user after whom their page is named."""
_HIDDEN_PARTS = {"content": "content", "comment": "summary", "user": "uname"}
_MARK = "\x7f{}\x7f"
"""Stands for the HTML with a number while the text around it is escaped."""
_MARKS = re.compile(_MARK.format("([0-9]{1,4})"))


class _Html(NamedTuple):
    """A parameter that is HTML already."""

    text: str


_Param = MessageParam | _Html


class LogTexts:
    """Writes entries in a language. Looks up the pages that they link to in one query."""

    def __init__(
        self, site: Site, language: str, entries: Iterable[tuple[ChangeRow, Mapping[str, Any]]]
    ) -> None:
        """Take the entries to write, each with its parameters in the form of answers."""
        self._site, self._language = site, language
        titles = [title for change, params in entries for title in self._titles(change, params)]
        self._links = PageLinks(site.parser, titles)

    def html(self, change: ChangeRow, params: Mapping[str, Any]) -> str:
        """Return an entry as a line of HTML. It hides what the public may not see from everybody.

        Args:
            change: the recent change of the entry.
            params: the parameters of the entry, in the form of answers.
        """
        log, action, name = change.log_type or "", change.log_action or "", change.user_name or ""
        performer = self._user(name, is_account=bool(change.user_id))
        if visibility.is_hidden(change.deleted, visibility.USER):
            name, performer = "", self._removed("rev-deleted-user", change.deleted)
        if visibility.is_hidden(change.deleted, visibility.ACTION):
            return f"{performer.text} {self._removed('rev-deleted-event', change.deleted).text}"
        title = self._site.titles.make(change.namespace or 0, change.title or "")
        if log in _ABOUT_USERS:
            target = self._user(title.text, is_account=read_range(title.text) is None)
        elif log == "move":
            target = self._page(title, query="redirect=no")
        else:
            target = self._page(title, title.text if log == "rights" else "")
        key, more = self._message(log, action, title, params)
        if self._site.messages.find(key, self._language) is None:
            return f"{performer.text} {escape_text(f'{log}/{action}')} {target.text}"
        return self._fill(key, performer, Plain(name), target, *more).text

    def _titles(self, change: ChangeRow, params: Mapping[str, Any]) -> Iterable[Title]:
        """Yield the pages that an entry links to."""
        make = self._site.titles.make
        if change.title is not None:
            yield make(change.namespace or 0, change.title)
        if change.user_name:
            yield make(USER, change.user_name.replace(" ", "_"))
        for name in ("target_title", "dest_title", "src_title", "oldtitle_title"):
            if title := self._site.titles.try_parse(str(params.get(name, ""))):
                yield title
        yield from self._restricted_pages(params)

    def _message(
        self, log: str, action: str, title: Title, params: Mapping[str, Any]
    ) -> tuple[str, tuple[_Param, ...]]:
        """Return the key of an entry's text, and its parameters from the fourth on."""
        key = f"logentry-{log}-{action}"
        match log, action:
            case "move", _:
                suffix = "-noredirect" if params.get("suppressredirect") else ""
                return key + suffix, (self._named_page(params.get("target_title")),)
            case "merge", _:
                other = params.get("src_title" if action == "merge-into" else "dest_title")
                point = Plain(self._moment(str(params.get("mergepoint", ""))))
                return key, (self._named_page(other), point)
            case (("delete" | "suppress"), ("revision" | "event")):
                ids = params.get("ids")
                if not isinstance(ids, list) or "new" not in params:
                    return f"{key}-legacy", ()
                return key, (Plain(self._visibility(params)), Num(len(ids)))
            case "delete", "restore":
                count = params.get("count")
                if not isinstance(count, Mapping) or not any(count.values()):
                    return f"{key}-nocount", ()
                texts = [
                    self._text(f"restore-count-{kind}", Num(int(number)))
                    for kind, number in count.items()
                    if number
                ]
                return key, (plain_list(texts),)
            case "protect", ("protect" | "modify"):
                suffix = "-cascade" if params.get("cascade") else ""
                return key + suffix, (Plain(str(params.get("description", ""))),)
            case "protect", "move_prot":
                return key, (self._named_page(params.get("oldtitle_title")),)
            case "rights", _:
                changes = Plain(self._memberships(key, params))
                return key, (Plain(""), Plain(""), Plain(title.text), changes)
            case (("block" | "suppress"), ("block" | "reblock" | "unblock")):
                user, flags = Plain(title.text), Plain(self._flags(params))
                if action == "unblock" or params.get("sitewide") is not False:
                    return key, (user, self._duration(params), flags)
                places = self._restrictions(params)
                kind = "partialblock" if places.text else "non-editing-block"
                return f"logentry-{kind}-{action}", (user, self._duration(params), flags, places)
            case "contentmodel", _:
                models = (str(params.get(name) or "") for name in ("oldmodel", "newmodel"))
                texts = [self._text(f"content-model-{model}") if model else "" for model in models]
                return key, tuple(map(Plain, texts))
            case "managetags", _:
                count = Num(int(params.get("count") or 0))
                return key, (Plain(str(params.get("tag", ""))), count)
            case "pagelang", _:
                codes = (str(params.get(name, "")) for name in ("oldlanguage", "newlanguage"))
                return key, tuple(map(Plain, codes))
        return key, ()

    # Parameters

    def _visibility(self, params: Mapping[str, Any]) -> str:
        """Return what became hidden or visible, as a list."""
        old, new = params.get("old", {}), params["new"]
        changes = [
            f"revdelete-{word}-{'hid' if new.get(part) else 'unhid'}"
            for part, word in _HIDDEN_PARTS.items()
            if bool(new.get(part)) != bool(old.get(part))
        ]
        if bool(new.get("restricted")) != bool(old.get("restricted")):
            prefix = "" if new.get("restricted") else "un"
            changes.append(f"revdelete-{prefix}restricted")
        return self._joined([self._text(name) for name in changes])

    def _memberships(self, key: str, params: Mapping[str, Any]) -> str:
        """Return which groups were granted, changed, kept and revoked, as a list."""
        old = {one["group"]: one["expiry"] for one in params.get("oldmetadata", ())}
        new = {one["group"]: one["expiry"] for one in params.get("newmetadata", ())}
        parts = {
            "granted": [group for group in new if group not in old],
            "expiry-changed": [group for group in new if old.get(group, new[group]) != new[group]],
            "kept": [group for group in new if old.get(group) == new[group]],
            "revoked": [group for group in old if group not in new],
        }
        texts = []
        for word, groups in parts.items():
            names = [self._group(group, new.get(group, INFINITY)) for group in groups]
            if names:
                texts.append(self._text(f"{key}-{word}", Plain(self._joined(names))))
        return "; ".join(texts)

    def _group(self, name: str, expiry: str) -> str:
        """Return the name of a member of a group, with the end of the membership if it has one."""
        key = f"group-{name}-member"
        is_named = self._site.messages.find(key, self._language) is not None
        member = self._text(key, Plain("")) if is_named else name
        if is_forever(expiry):
            return member
        end = Plain(self._moment(expiry))
        return self._text("rightslogentry-temporary-group", Plain(member), end)

    def _moment(self, stamp: str) -> str:
        """Return a time as the wiki writes it."""
        site = self._site
        american = site.config.wikitext.american_dates
        return describe_expiry(
            stamp, site.clock(), self._language, site.messages.catalog, american=american
        )

    def _duration(self, params: Mapping[str, Any]) -> _Html:
        tip = escape_attribute(str(params.get("duration", "")))
        text = escape_text(str(params.get("duration-l10n", "")))
        return _Html(f'<span class="blockExpiry" title="&lrm;{tip}">{text}</span>')

    def _flags(self, params: Mapping[str, Any]) -> str:
        flags = [self._text(f"block-log-flags-{flag}") for flag in params.get("flags", ())]
        return self._text("parentheses", Plain(self._joined(flags, "comma"))) if flags else ""

    def _restrictions(self, params: Mapping[str, Any]) -> _Html:
        """Return what a partial block forbids to edit, as a list; empty for nothing."""
        pages = [self._page(title).text for title in self._restricted_pages(params)]
        numbers = (params.get("restrictions") or {}).get("namespaces", ())
        names = [
            escape_text(self._site.namespaces[number].name or self._text("blanknamespace"))
            for number in numbers
            if number in self._site.namespaces
        ]
        key = "logentry-partialblock-block"
        parts = [
            self._fill(f"{key}-{kind}", Num(len(items)), _Html(self._joined(items, "comma"))).text
            for kind, items in (("page", pages), ("ns", names))
            if items
        ]
        return _Html(self._joined(parts))

    def _restricted_pages(self, params: Mapping[str, Any]) -> list[Title]:
        pages = (params.get("restrictions") or {}).get("pages", ())
        titles = (self._site.titles.try_parse(str(page.get("page_title", ""))) for page in pages)
        return [title for title in titles if title is not None]

    # HTML

    def _page(self, title: Title, label: str = "", query: str = "") -> _Html:
        text = escape_text(label or title.prefixed_text)
        return _Html(self._links.link(title, text, query=query))

    def _named_page(self, text: object) -> _Param:
        title = self._site.titles.try_parse(str(text or ""))
        return Plain("") if title is None else self._page(title)

    def _user(self, name: str, *, is_account: bool) -> _Html:
        """Return a link to the page of a user; for an address, to its contributions."""
        label = f"<bdi>{escape_text(name)}</bdi>"
        if is_account:
            page = self._site.titles.make(USER, name.replace(" ", "_"))
            return _Html(self._links.link(page, label, css="mw-userlink"))
        page = self._site.special_page(f"Contributions/{name}")
        css = "mw-userlink mw-anonuserlink"
        return _Html(self._links.link(page, label, css=css, is_known=True))

    def _removed(self, key: str, bits: int) -> _Html:
        """Return the text that takes the place of something hidden."""
        css = "history-deleted"
        if bits & visibility.RESTRICTED:
            css += " mw-history-suppressed"
        return _Html(f'<span class="{css}">{escape_text(self._text(key))}</span>')

    def _fill(self, key: str, *params: _Param) -> _Html:
        """Return a text with its parameters as HTML."""
        texts = [
            Plain(_MARK.format(number)) if isinstance(param, _Html) else param
            for number, param in enumerate(params)
        ]

        def markup(match: re.Match[str]) -> str:
            # A text that has such a mark of its own cannot insert anything else.
            number = int(match[1])
            param = params[number] if number < len(params) else None
            return param.text if isinstance(param, _Html) else ""

        return _Html(_MARKS.sub(markup, escape_text(self._text(key, *texts))))

    # Texts

    def _text(self, key: str, *params: MessageParam) -> str:
        return self._site.messages.text(Message(key, params), self._language)

    def _joined(self, texts: list[str], kind: str = "text") -> str:
        return render_param(plain_list(texts, kind), self._language)
