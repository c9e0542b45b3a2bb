"""``action=view``: a page in its latest revision or an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from wikiapi.http import Reply
from wikiapi.i18n import direction, html_code
from wikiapi.i18n.languages import autonym
from wikiapi.store.queries import categories, pages, redirects
from wikiapi.title import CATEGORY, Title
from wikiapi.title.variants import stored_variants
from wikiapi.wikitext import LanguageLink
from wikiapi_plugins.actions.parse.markup import existing_ancestors
from wikiapi_plugins.diffs import neighbours
from wikiapi_plugins.query.site.languageinfo import variant_name
from wikiapi_plugins.web.contents import table_of_contents
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.pagerevision import PageRevision
from wikiapi_plugins.web.reader.views.category import category_view
from wikiapi_plugins.web.reader.views.errors import show_missing
from wikiapi_plugins.web.reader.views.file import FileView, file_view
from wikiapi_plugins.web.reader.views.landing import show_landing
from wikiapi_plugins.web.replies import redirect_reply


def show_page(context: ViewContext, title: Title) -> Reply:
    """Show a page, redirect to the target of a redirect page, or show that there is no page.

    Raises:
        ViewError: the revision does not exist, or its text is suppressed.
    """
    stored = context.requested_revision(title)
    if stored is not None:
        title = stored.title
    if stored and (redirect := _redirect(context, stored)):
        return redirect
    file, category = file_view(context, title), category_view(context, title)
    if stored is None and file is None and category is None:
        if variant := _stored_variant(context, title):
            return redirect_reply(context.url(variant))
        is_main = title.key == context.site.main_page.key
        return (show_landing if is_main else show_missing)(context, title)
    is_current = stored is not None and stored.is_current
    rendering = context.rendering_of(stored) if stored else None
    return context.render(
        "page.html",
        Markup(rendering.title_html) if rendering else title.prefixed_text,  # noqa: S704
        title=title,
        view="read" if stored is None or is_current else "",
        is_cacheable=True,
        is_indexed=is_current and rendering is not None and rendering.is_indexed,
        stored=stored,
        rendering=rendering,
        content=context.with_mount_point(rendering.html) if rendering else None,
        contents=table_of_contents(rendering.sections) if rendering else (),
        above=[page for _, page in existing_ancestors(context.site, title)],
        file=file,
        category=category,
        categories=_categories(context, rendering.categories) if rendering else None,
        languages=_languages(context, rendering.languages) if rendering else (),
        variants=_variants(context, title),
        redirected=_redirected_from(context, title),
        people=_people(stored, file),
        old=_old_revision(context, stored) if stored and not is_current else None,
    )


def _people(stored: PageRevision | None, file: FileView | None) -> list[str | None]:
    """Return the users named on the page: uploaders, and the author of an old revision."""
    senders = [version.facts.uploader for version in file.versions] if file else []
    names: list[str | None] = [sender.name for sender in senders if sender]
    return names if stored is None or stored.is_current else [*names, stored.revision.user_name]


_FROM = "redirectedfrom"


def _redirect(context: ViewContext, stored: PageRevision) -> Reply | None:
    """Return a redirect to the target of a page; ``None`` to show the page itself. One query.

    Only the first of a chain of redirects is followed. Redirects to other wikis and to special
    pages are not followed.
    """
    params = context.request.params
    if not stored.row.is_redirect or not stored.is_current:
        return None
    if _FROM in params or params.get("redirect") == "no" or "oldid" in params:
        return None
    row = redirects.targets(context.db, [stored.row.page_id]).get(stored.row.page_id)
    if row is None or row.interwiki or row.namespace < 0:
        return None
    url = context.url(context.site.titles.make(row.namespace, row.title))
    mark = "&" if "?" in url else "?"
    fragment = f"#{quote(row.fragment.replace(' ', '_'))}" if row.fragment else ""
    source = quote(stored.title.prefixed_dbkey, safe="/:,()")
    return redirect_reply(f"{url}{mark}{_FROM}={source}{fragment}")


def _redirected_from(context: ViewContext, title: Title) -> Title | None:
    """Return the redirect page that the request names, if it leads to the page. Two queries."""
    name = context.param(_FROM)
    source = context.site.titles.try_parse(name) if name else None
    if source is None or source.interwiki:
        return None
    row = pages.by_titles(context.db, [source.key]).get(source.key)
    target = redirects.targets(context.db, [row.page_id]).get(row.page_id) if row else None
    return source if target and target.key == title.key else None


@dataclass(frozen=True, slots=True)
class CategoryLink:
    """A category of the page."""

    title: Title
    is_missing: bool


@dataclass(frozen=True, slots=True)
class Categories:
    """The visible and the hidden categories of a page."""

    shown: tuple[CategoryLink, ...]
    hidden: tuple[CategoryLink, ...]


def _categories(context: ViewContext, names: Sequence[str]) -> Categories:
    """Return the categories of a page. Two queries, if it has any."""
    if not names:
        return Categories((), ())
    stored = pages.existing(context.db, {(CATEGORY, name) for name in names})
    hidden = categories.hidden(context.db, names)
    links = {
        name: CategoryLink(context.site.titles.make(CATEGORY, name), (CATEGORY, name) not in stored)
        for name in names
    }
    return Categories(
        tuple(link for name, link in links.items() if name not in hidden),
        tuple(link for name, link in links.items() if name in hidden),
    )


@dataclass(frozen=True, slots=True)
class Language:
    """A link to the page in another language. ``code`` is the language code for HTML."""

    code: str
    dir: str
    name: str
    title: str
    url: str


def _languages(context: ViewContext, links: Iterable[LanguageLink]) -> list[Language]:
    """Return the links to other languages, with the languages' names for themselves."""
    found = []
    for link in links:
        entry = context.site.interwiki.get(link.prefix)
        if entry:
            page, _, fragment = link.title.partition("#")
            url = entry.page_url(page, fragment)
            code = html_code(link.prefix)
            name = autonym(link.prefix) or link.prefix
            found.append(Language(code, direction(link.prefix), name, link.title, url))
    return found


def _stored_variant(context: ViewContext, title: Title) -> Title | None:
    """Return the first variant of a missing page's title that exists. One query."""
    site = context.site
    found = stored_variants(
        [title],
        site.parser.content_converter,
        site.titles,
        lambda keys: pages.existing(context.db, keys),
    )
    return found.get(title.key)


@dataclass(frozen=True, slots=True)
class VariantLink:
    """A link to the page in a language variant. ``code`` is the language code for HTML."""

    code: str
    name: str
    url: str
    is_current: bool


def _variants(context: ViewContext, title: Title) -> list[VariantLink]:
    """Return links to the variants of a page; none if the content language has no variants."""
    language = context.site.parser.content_converter
    codes = language.by_code if language else ()
    return [
        VariantLink(
            html_code(code),
            variant_name(code),
            context.variant_url(title, code),
            is_current=code == context.variant,
        )
        for code in codes
    ]


@dataclass(frozen=True, slots=True)
class OldRevision:
    """An earlier revision, and the ids of the revisions before and after it."""

    stored: PageRevision
    before: int | None
    after: int | None


def _old_revision(context: ViewContext, stored: PageRevision) -> OldRevision:
    """Return an earlier revision with its neighbours. Two queries."""
    return OldRevision(
        stored,
        neighbours.before(context.db, stored.revision),
        neighbours.after(context.db, stored.revision),
    )
