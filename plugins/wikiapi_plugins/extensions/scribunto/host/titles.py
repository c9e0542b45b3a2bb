"""The functions of ``mw.title``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.expiry import is_in_force
from wikiapi.store import PageRow
from wikiapi.store.queries import links, pages, redirects
from wikiapi.title import FILE, MEDIA, SPECIAL, Title, default_model, page_language, quote_title
from wikiapi.wiki import Wiki
from wikiapi.wikitext import ParseState, TemplateText, WikitextRegistries, content_models
from wikiapi_plugins.extensions.scribunto.host.library import HostFunction, Library
from wikiapi_plugins.extensions.scribunto.host.uris import page_url
from wikiapi_plugins.extensions.scribunto.modules import PageModules

_SCHEMES = ("http", "https")
_DISAMBIGUATION = "disambiguation"
"""The page property, and the behaviour switch that sets it, if it is available."""


def describe(site: Wiki, title: Title) -> Mapping[str, Any]:
    """Return the fields of a title that require no query, by their names in Lua."""
    namespace = title.namespace
    talk = site.namespaces.talk(namespace) if not title.interwiki else None
    subject = site.namespaces.subject(namespace) if not title.interwiki else namespace
    text = title.text
    parts = text.split("/") if namespace.subpages else [text]
    entry = site.interwiki.get(title.interwiki) if title.interwiki else None
    return {
        "namespace": namespace.id,
        "interwiki": title.interwiki,
        "fragment": title.fragment,
        "nsText": namespace.name,
        "subjectNsText": subject.name,
        "talkNsText": talk.name if talk else "",
        "text": text,
        "prefixedText": title.prefixed_text,
        "fullText": title.full_text,
        "rootText": parts[0] or text,
        "baseText": "/".join(parts[:-1]) if len(parts) > 1 else text,
        "subpageText": parts[-1],
        "canTalk": talk is not None,
        "isContentPage": namespace.content and not title.interwiki,
        "isExternal": bool(title.interwiki),
        "isLocal": entry.local if entry else True,
        "isSpecialPage": namespace.id == SPECIAL,
        "isSubpage": len(parts) > 1,
        "isTalkPage": namespace.is_talk,
    }


class TitleLibrary(Library):
    """Titles, and their pages and files."""

    def __init__(self, state: ParseState, modules: PageModules) -> None:
        super().__init__(state)
        self._modules = modules

    def new(self, text: str, namespace: int) -> Mapping[str, Any] | None:
        """Return the title of a text, or ``None`` if the title is not valid."""
        site = self.site
        if site.namespaces.get(namespace) is None:
            return None
        title = site.titles.try_parse(text, namespace)
        return describe(site, title) if title else None

    def make(
        self, namespace: int, text: str, fragment: str, interwiki: str
    ) -> Mapping[str, Any] | None:
        """Return a title from its parts, or ``None``; prefixes in the text are not recognised."""
        site = self.site
        declared = site.namespaces.get(namespace)
        if declared is None:
            return None
        prefix = f"{interwiki}:" if interwiki else declared.prefix or ":"
        title = site.titles.try_parse(f"{prefix}{text}" + (f"#{fragment}" if fragment else ""))
        if title is None or title.ns != (0 if interwiki else namespace):
            return None
        return describe(site, title) if title.interwiki == interwiki.lower() else None

    def by_id(self, number: int) -> Mapping[str, Any] | None:
        """Return the title of the page with an id, or ``None``."""
        state = self.state
        self.count_expensive()
        row = pages.by_ids(state.site.db, [number]).get(number)
        if row is None:
            return None
        return describe(state.site, state.site.titles.make(row.namespace, row.title))

    def talk(self, name: str) -> Mapping[str, Any] | None:
        """Return the title of a page's talk page, or ``None`` if it cannot have one."""
        site = self.site
        title = site.titles.talk(self.title(name))
        return describe(site, title) if title else None

    def subject(self, name: str) -> Mapping[str, Any]:
        """Return the title of a page's subject page."""
        site = self.site
        title = self.title(name)
        return describe(site, title if title.interwiki else site.titles.subject(title))

    def partial_url(self, name: str) -> str:
        """Return the name without namespace, encoded for URLs."""
        return quote_title(self.title(name).dbkey)

    def url(self, name: str, which: str, query: str, scheme: str | bool) -> str:
        """Return the URL of a page; ``scheme`` replaces the scheme of full URLs."""
        url = page_url(self.site, self.title(name), which, query)
        if which != "fullUrl" or not isinstance(scheme, str):
            return url
        rest = url.partition("://")[2]
        if scheme == "relative":
            return f"//{rest}"
        return f"{scheme}://{rest}" if scheme in _SCHEMES else url

    def _look_up(self, title: Title) -> PageRow | None:
        """Return the row of a page, or ``None``.

        Unless it is the rendered page, the first lookup of the page counts as expensive, and the
        output is recorded as dependent on its existence.
        """
        state = self.state
        if title.interwiki or title.ns < 0:
            return None
        is_own = title.key == state.title.key
        if not is_own:
            if not state.lookups.knows_page(title):
                self.count_expensive()
            state.output.add_existence_link(title.without_fragment())
        return state.lookups.page(title)

    def page(self, name: str) -> Mapping[str, Any]:
        """Return the fields of a title that are in the page table."""
        title = self.title(name)
        return self._page_fields(title, self._look_up(title))

    def _page_fields(self, title: Title, row: PageRow | None) -> Mapping[str, Any]:
        model = (row.content_model if row else None) or default_model(title)
        language = row.language if row else None
        special = title.ns < 0 and not title.interwiki and title.text in self.site.special_pages
        return {
            "exists": row is not None or special,
            "id": row.page_id if row else 0,
            "isRedirect": bool(row and row.is_redirect),
            "contentModel": model,
            "pageLang": page_language(title, model, language, self.site.language),
        }

    def pages_named(self, *names: str) -> list[list[Mapping[str, Any]]]:
        """Return the same fields as :meth:`page` for several titles, in one query."""
        state = self.state
        titles = [self.title(name) for name in names]
        self.count_expensive()
        rows = pages.by_titles(state.site.db, {title.key for title in titles if title.ns >= 0})
        state.links.note_existing(title for title in titles if title.key in rows)
        return [[self._page_fields(title, rows.get(title.key)) for title in titles]]

    def _text(self, title: Title) -> TemplateText | None:
        """Return the text of a page, or ``None``; it counts as used unless it is this page."""
        if title.interwiki or title.ns < 0:
            return None
        if title.key == self.state.title.key:
            return self.state.loader.get(title)
        return self._modules.text(title)

    def content(self, name: str) -> str | None:
        """Return the text of a page, or ``None``."""
        page = self._text(self.title(name))
        return page.text if page else None

    def redirect(self, name: str) -> Mapping[str, Any] | None:
        """Return the target of a redirect of any content model, or ``None``."""
        title = self.title(name)
        page = self._text(title)
        model = self.site.derived(content_models).get(default_model(title))
        target = model.redirect_target(self.site, page.text) if page and model else None
        return describe(self.site, target) if target else None

    def protection(self, name: str) -> Mapping[str, list[str]]:
        """Return the groups or rights that each action on a page requires."""
        state = self.state
        title = self.title(name)
        if title.interwiki or title.ns < 0:
            return {}
        if title.key != state.title.key:
            self.count_expensive()
        now = f"{state.now:%Y%m%d%H%M%S}"
        rows = state.lookups.restrictions(title)
        levels: dict[str, list[str]] = {"edit": [], "move": []}
        for row in rows:
            if is_in_force(row.expiry, now):
                levels.setdefault(row.type, []).append(row.level)
        return levels if state.lookups.page(title) else {"create": []}

    def cascading(self, name: str) -> Mapping[str, Any]:
        """Return the pages whose cascading protection applies to a page, and its restrictions."""
        state = self.state
        title = self.title(name)
        self.count_expensive()
        sources = [] if title.interwiki else state.lookups.cascade_sources(title)
        restrictions: dict[str, list[str]] = {}
        sources_by_title: dict[str, None] = {}
        for row in sources:
            sources_by_title[state.site.titles.make(row.namespace, row.title).prefixed_text] = None
            levels = restrictions.setdefault(row.type, [])
            if row.level not in levels:
                levels.append(row.level)
        return {"restrictions": restrictions, "sources": list(sources_by_title) or False}

    def categories(self, name: str) -> list[list[str]]:
        """Return the categories of a page."""
        title = self.title(name)
        self.count_expensive()
        row = self.state.lookups.page(title) if title.ns >= 0 and not title.interwiki else None
        if row is None:
            return [[]]
        rows = self.site.db.execute(links.outgoing(links.CATEGORIES, [row.page_id]))
        return [sorted(name.replace("_", " ") for _, _, name in rows)]

    def disambiguation(self, name: str) -> bool | None:
        """Return whether a page is a disambiguation page; ``None`` if the wiki does not mark these.

        Pages other than the rendered one count as used.
        """
        if _DISAMBIGUATION not in self.site.derived(WikitextRegistries).switches:
            return None
        title, state = self.title(name), self.state
        if title.interwiki or title.ns < 0:
            return False
        is_known = state.lookups.knows_page(title)
        row = state.lookups.page(title)
        if title.key != state.title.key:
            if not is_known:
                self.count_expensive()
            state.output.add_template(title, *((row.page_id, row.latest) if row else ()))
        rows = [row] if row else []
        db = self.site.db
        return bool(redirects.property_through_redirects(db, rows, _DISAMBIGUATION))

    def file(self, name: str) -> Mapping[str, Any] | None:
        """Return the file of a title, which counts as used, or ``None`` in other namespaces."""
        state = self.state
        title = self.title(name)
        if title.interwiki or title.ns not in (FILE, MEDIA):
            return None
        if title.ns == MEDIA:
            title = state.site.titles.make(FILE, title.dbkey)
        self.count_expensive()
        state.output.images.setdefault(title.dbkey)
        file = state.files.file(title)
        if file is None:
            return {"exists": False}
        version = file.current
        return {
            "exists": True,
            "width": version.dimensions[0],
            "height": version.dimensions[1],
            "size": version.size,
            "mimeType": version.mime,
            "length": version.duration,
            "pages": False,
        }

    functions = (
        HostFunction("title.new", new, cacheable=True),
        HostFunction("title.make", make, cacheable=True),
        HostFunction("title.byId", by_id),
        HostFunction("title.talk", talk, cacheable=True),
        HostFunction("title.subject", subject, cacheable=True),
        HostFunction("title.partialUrl", partial_url, cacheable=True),
        HostFunction("title.url", url, cacheable=True),
        HostFunction("title.page", page),
        HostFunction("title.disambiguation", disambiguation),
        HostFunction("title.pages", pages_named),
        HostFunction("title.content", content),
        HostFunction("title.redirect", redirect),
        HostFunction("title.protection", protection),
        HostFunction("title.cascading", cascading),
        HostFunction("title.categories", categories),
        HostFunction("title.file", file),
    )
