"""``meta=allmessages``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from wikiapi.api import CacheMode, MetaModule, Obj, boolean, enum, string
from wikiapi.errors import ApiError
from wikiapi.languages import is_language_code
from wikiapi.store.models import Page
from wikiapi.store.queries import pages
from wikiapi.title import MEDIAWIKI
from wikiapi.wikitext import ParserOptions, Target

_ALL = "*"
_PARAMETER = re.compile(r"\$([1-9])")
_FILTERS = {"modified": True, "unmodified": False}
_DEFAULT_TITLE = "API"


class AllMessages(MetaModule):
    """Return texts of the interface, as the wiki has customised them."""

    name = "allmessages"
    prefix = "am"
    params = (
        string("messages", "Names of messages; ``*`` for all of them.", multi=True, default=_ALL),
        enum("prop", "default", multi=True, help="Properties to include besides the text."),
        boolean("enableparser", "Expand the templates and magic words of the text."),
        boolean("nocontent", "Leave the text out."),
        boolean("includelocal", "Include messages that are only on pages of the wiki."),
        string("args", "Values for ``$1``, ``$2``... in the text.", multi=True,
               allow_duplicates=True),
        string("filter", "Only messages whose names contain this."),
        enum("customised", "all", "modified", "unmodified", default="all",
             help="Only messages that the wiki has customised, or only others."),
        string("lang", "Language of the texts."),
        string("from", "Begin with this message."),
        string("to", "End with this message."),
        string("title", "Page in whose context the text is expanded."),
        string("prefix", "Only messages whose names begin with this."),
    )  # fmt: skip
    examples = (
        ("action=query&meta=allmessages&amprefix=ipb-", "Messages that begin with ipb-"),
        ("action=query&meta=allmessages&ammessages=august|mainpage&amlang=de",
         "Two messages in German"),
    )  # fmt: skip
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Allmessages",)

    def cache_mode(self) -> CacheMode:
        """Return a mode that depends on the user, unless the request names a language."""
        if not self.p.is_given("lang"):
            return CacheMode.ANON_PUBLIC_USER_PRIVATE
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """List the messages.

        Raises:
            ApiError: ``invalidlang``.
        """
        language = self.p.text_or_none("lang")
        if language is None:
            language = self.context.language
        elif not is_language_code(language):
            raise ApiError("invalidlang", "apierror-invalidlang", self.full("lang"))
        keys = {name: _normalised(name) for name in self._selected_names()}
        local = self.site.messages.stored(keys.values(), language)
        customised = _FILTERS.get(self.p.text("customised"))
        self.result.list(("query", self.name), "message")
        for name, key in keys.items():
            custom = local.get(key)
            if customised in (None, custom is not None):
                item = self._message(name, key, custom, language)
                if customised:
                    item["customised"] = True
                if not self.result.append(("query", self.name), item, "message"):
                    self.set_continue(name, "from")
                    return

    def _selected_names(self) -> Iterator[str]:
        first, last = self.p.text_or_none("from"), self.p.text_or_none("to")
        prefix = self.p.text_or_none("prefix") or ""
        part = self.p.text_or_none("filter") or ""
        started = first is None
        for name in self._all_names():
            started = started or name == first
            if last is not None and name > last:
                return
            if started and name.startswith(prefix) and part in name:
                yield name

    def _all_names(self) -> Iterable[str]:
        names = self.p.texts("messages")
        if _ALL not in names:
            return names
        catalog = self.site.messages.catalog
        keys = {*catalog.keys(), *catalog.keys(self.site.language)}
        if self.p.flag("includelocal"):
            query = pages.SELECT_PAGES.where(Page.page_namespace == MEDIAWIKI)
            titles = [
                pages.PageRow(*row).title for row in self.rows(query.order_by(Page.page_title))
            ]
            keys |= {_normalised(title) for title in titles if "/" not in title}
        return sorted(keys)

    def _message(self, name: str, key: str, custom: str | None, language: str) -> Obj:
        item = Obj({"name": name, "normalizedname": key}, content="content")
        template = self.site.messages.default(key, language)
        default = template.text if template else None
        text = default if custom is None else custom
        if text is None:
            return Obj(item | {"missing": True})
        args = self.p.texts("args")
        if args:
            text = _PARAMETER.sub(
                lambda match: args[int(match[1]) - 1] if int(match[1]) <= len(args) else match[0],
                text,
            )
        if not self.p.flag("enableparser"):
            filled = text
        else:
            title = self.site.titles.try_parse(self.p.text_or_none("title") or "")
            options = ParserOptions(
                target=Target.WIKITEXT,
                limit_report=False,
                language=language,
                is_interface_message=True,
            )
            context = title or self.site.titles.parse(_DEFAULT_TITLE)
            filled = str(self.site.parser.expand(text, context, options))
        if not self.p.flag("nocontent"):
            item["content"] = filled
        if "default" in self.p.texts("prop") and default != filled:
            item |= {"defaultmissing": True} if default is None else {"default": default}
        return item


def _normalised(name: str) -> str:
    """Return the name of a message in the form of a key."""
    name = name.replace(" ", "_")
    return name[:1].lower() + name[1:]
