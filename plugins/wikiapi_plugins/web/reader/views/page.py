"""``action=view``: a page in its latest revision or an earlier one, and a category's members.

``action=raw`` and ``action=render`` answer with its source or its HTML, without the skin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser

from wikiapi.config import GalleryConfig
from wikiapi.filerepo import ThumbParams
from wikiapi.http import Reply
from wikiapi.languages import (
    Message,
    Plain,
    autonym,
    direction,
    html_code,
    is_known_language,
    localize_digits,
)
from wikiapi.store import CategoryRow, bounds
from wikiapi.store.models import CategoryLinks
from wikiapi.store.queries import categories, pages, redirects
from wikiapi.title import CATEGORY, MEDIAWIKI, USER, WIKITEXT, Title, default_model, stored_variants
from wikiapi.wikitext import (
    LanguageLink,
    ParserOptions,
    Revision,
    Target,
    escape_text,
    section_text,
)
from wikiapi_plugins.actions.parse.markup import existing_ancestors
from wikiapi_plugins.query.site.languageinfo import variant_name
from wikiapi_plugins.shared.diffs import neighbours
from wikiapi_plugins.web.contents import table_of_contents
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.indexing import HIDDEN
from wikiapi_plugins.web.reader.pagerevision import PageRevision, load_page, neighbour_of
from wikiapi_plugins.web.reader.pagerevision import load_revision as load_by_id
from wikiapi_plugins.web.reader.rendering import Rendering
from wikiapi_plugins.web.reader.views.errors import show_landing, show_missing
from wikiapi_plugins.web.reader.views.file import Tile, file_tiles, file_view
from wikiapi_plugins.web.replies import HTML, REVALIDATE, content_reply, redirect_reply


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
    own = (stored.model, stored.row.language) if stored else (default_model(title), None)
    if is_current and title.key == context.site.main_page.key and _is_empty(rendering):
        return show_landing(context, title, is_empty=True)
    written = context.language_of(title, *own)
    uploaders = [version.facts.uploader for version in file.versions] if file else []
    people: list[str | None] = [uploader.name for uploader in uploaders if uploader]
    old = None
    if stored and not is_current:
        before = neighbours.before(context.db, stored.revision)
        old = OldRevision(stored, before, neighbours.after(context.db, stored.revision))
        people.append(stored.revision.user_name)
    # The title is set apart from the frame, which may be in another language.
    text = Markup(rendering.title_html) if rendering else title.prefixed_text  # noqa: S704
    if written.lang == html_code(context.language):
        heading = Markup("<bdi>{}</bdi>").format(text)
    else:
        heading = Markup('<bdi lang="{}">{}</bdi>').format(written.lang, text)
    return context.render(
        "page.html",
        heading,
        title=title,
        view="read" if stored is None or is_current else "",
        is_cacheable=True,
        robots=rendering.robots if is_current and rendering is not None else HIDDEN,
        stored=stored,
        rendering=rendering,
        written=written,
        content=context.with_mount_point(rendering.html) if rendering else None,
        contents=table_of_contents(rendering.sections, context.site) if rendering else (),
        above=[page for _, page in existing_ancestors(context.site, title)],
        file=file,
        category=category,
        categories=_categories(context, rendering.categories) if rendering else None,
        languages=[
            *_translations(context, title),
            *(_languages(context, rendering.languages) if rendering else ()),
        ],
        variants=_variants(context, title),
        redirected=_redirected_from(context, title),
        people=people,
        old=old,
    )


_PLACEHOLDERS = (
    "style, script, link, .mw-editsection, .no-picture, .widget-placeholder, .ext-placeholder,"
    " a.new"
)


def _is_empty(rendering: Rendering | None) -> bool:
    """Return whether a rendering has nothing but placeholders and links to missing templates."""
    if rendering is None:
        return False
    tree = LexborHTMLParser(rendering.html, is_fragment=True)
    for node in tree.css(_PLACEHOLDERS):
        node.decompose()
    is_drawn = tree.css_first("img, video, audio, math, input, iframe") is not None
    return not is_drawn and not tree.text().strip()


_FROM = "redirectedfrom"
_IN_FRAGMENTS = "%!$&'()*+,;=:@/?"
"""The characters besides letters and digits that stay as they are in the fragment of a URL."""


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
    fragment = quote(context.site.fragments.link(row.fragment), safe=_IN_FRAGMENTS)
    source = quote(stored.title.prefixed_dbkey, safe="/:,()")
    return redirect_reply(f"{url}{mark}{_FROM}={source}{fragment and f'#{fragment}'}")


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

    visible: tuple[CategoryLink, ...]
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
    languages = []
    for link in links:
        page = context.site.titles.try_parse(f"{link.prefix}:{link.title}")
        if page and page.interwiki:
            url = context.site.page_path(page)
            code = html_code(link.prefix)
            name = autonym(link.prefix) or link.prefix
            languages.append(Language(code, direction(link.prefix), name, link.title, url))
    return languages


_SUBPAGES = 500
"""Number of subpages among which translations are looked for."""


def _translations(context: ViewContext, title: Title) -> list[Language]:
    """Return links to the translations of a page: its subpages named by codes of languages.

    For a translation, these are the original and the other translations. One query; two for a
    translation.
    """
    base, slash, own = title.text.rpartition("/")
    if not (slash and base and _is_code(own)):
        base, own = title.text, ""
    site = context.site
    prefix = site.titles.make(title.ns, f"{base}/").dbkey
    rows = pages.by_title(context.db, title.ns, _SUBPAGES, prefix=prefix, redirects=False)
    codes = [code for name, _ in rows if _is_code(code := name.removeprefix(prefix))]
    translated = [(code, site.titles.make(title.ns, f"{prefix}{code}")) for code in codes]
    original = site.titles.make(title.ns, base)
    if own and pages.existing(context.db, {original.key}):
        translated.insert(0, (site.language, original))
    return [
        Language(
            html_code(code),
            direction(code),
            autonym(code) or code,
            page.prefixed_text,
            context.url(page),
        )
        for code, page in translated
        if page.key != title.key
    ]


def _is_code(text: str) -> bool:
    return text.isascii() and text == text.lower() and is_known_language(text)


def _stored_variant(context: ViewContext, title: Title) -> Title | None:
    """Return the first variant of a missing page's title that exists. One query."""
    site = context.site
    variants = stored_variants(
        [title],
        site.parser.content_converter,
        site.titles,
        lambda keys: pages.existing(context.db, keys),
    )
    return variants.get(title.key)


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


_PER_LIST = 200
_PLACE = re.compile(r"([0-9a-f]{0,1000})\.([0-9]{1,15})\Z", re.ASCII)
_PARAMS = {"subcat": "subcatfrom", "page": "pagefrom", "file": "filefrom"}


class Member(NamedTuple):
    """A page in the category, and the letter under which it is listed."""

    title: Title
    letter: str


@dataclass(frozen=True, slots=True)
class Members:
    """One part of the list of members of a kind.

    ``place`` is the position at which the next part begins, empty if there is none; ``total`` is
    the number of members in all parts.
    """

    kind: str
    param: str
    members: tuple[Member, ...]
    place: str
    total: int
    is_first: bool

    def letters(self) -> list[tuple[str, list[Title]]]:
        """Return the members, grouped by letter."""
        groups: dict[str, list[Title]] = {}
        for member in self.members:
            groups.setdefault(member.letter, []).append(member.title)
        return list(groups.items())


@dataclass(frozen=True, slots=True)
class CategoryView:
    """The lists of a category, and the files in them."""

    lists: tuple[Members, ...]
    tiles: dict[Title, Tile]
    gallery: GalleryConfig


def category_view(context: ViewContext, title: Title) -> CategoryView | None:
    """Return the members of a category; ``None`` for other pages and empty categories.

    Four queries, and those for the thumbnails of files.
    """
    if title.ns != CATEGORY:
        return None
    counts = categories.by_titles(context.db, [title.dbkey]).get(title.dbkey)
    lists = tuple(_members(context, title, kind, counts) for kind in _PARAMS)
    nonempty = tuple(part for part in lists if part.members)
    if not nonempty:
        return None
    files = [member.title for part in nonempty if part.kind == "file" for member in part.members]
    gallery = context.site.config.gallery
    size = ThumbParams(gallery.image_width, gallery.image_height)
    return CategoryView(nonempty, file_tiles(context, files, size), gallery)


def _members(context: ViewContext, title: Title, kind: str, counts: CategoryRow | None) -> Members:
    param = _PARAMS[kind]
    columns = (CategoryLinks.cl_sortkey, CategoryLinks.cl_from)
    query = categories.members(title.dbkey).where(CategoryLinks.cl_type == kind)
    match = _PLACE.match(context.param(param))
    if match and len(match[1]) % 2 == 0:
        start = categories.sort_key_value(context.db, bytes.fromhex(match[1])), int(match[2])
        query = query.where(bounds.starting_at(columns, start))
    rows = context.db.execute(bounds.ordered(query, *columns).limit(_PER_LIST + 1))
    place = f"{bytes(rows[_PER_LIST][2]).hex()}.{rows[_PER_LIST][0]}" if rows[_PER_LIST:] else ""
    members = []
    for row in rows[:_PER_LIST]:
        page = context.site.titles.make(int(str(row[6])), str(row[7]))
        members.append(Member(page, _letter_of(context, page.text, str(row[3] or ""))))
    total = 0
    if counts is not None:
        others = counts.subcats + counts.files
        totals = {"subcat": counts.subcats, "file": counts.files}
        total = totals.get(kind, counts.pages - others)
    return Members(kind, param, tuple(members), place, total or len(members), match is None)


def _letter_of(context: ViewContext, title: str, prefix: str) -> str:
    collation = context.site.collation
    heading = collation.member_heading(title, prefix)
    if heading != collation.NUMERALS:
        return heading
    language = context.site.language
    digits = (Plain(localize_digits(digit, language)) for digit in "09")
    message = Message("category-header-numerals", tuple(digits))
    return context.site.messages.text(message, language)


_JAVASCRIPT = "javascript"
_WIKITEXT_TYPE = "text/x-wiki"
_SCRIPT_TYPE = "text/javascript"
_TYPES = frozenset(
    {_WIKITEXT_TYPE, _SCRIPT_TYPE, "text/css", "application/x-zope-edit", "application/json"}
)


def show_raw(context: ViewContext, title: Title) -> Reply:
    """Send the text of a revision or of a section of it; an empty 404 response if there is none.

    ``templates=expand`` expands the templates, and ``ctype`` is the media type.

    Raises:
        ViewError: the text is suppressed, or is requested as a script but must not be run.
    """
    media_type = context.param("ctype")
    if media_type not in _TYPES:
        media_type = _WIKITEXT_TYPE
    content_type = f"{media_type}; charset=UTF-8"
    number, direction = context.number("oldid"), context.param("direction")
    if not number or direction == "cur":
        stored = load_page(context.site, title)
    else:
        if direction in ("next", "prev"):
            number = neighbour_of(context.site, number, direction)
        stored = load_by_id(context.site, number) if number else None
    # The text, or the requested section of it.
    text = None
    if stored:
        section = context.number("section")
        if section is None:
            text = stored.visible_text
        elif stored.model == WIKITEXT:
            preprocessor = context.site.parser.preprocessor
            text = section_text(stored.visible_text, str(section), preprocessor)
    if stored is None or text is None:
        return content_reply(b"", content_type, status=404)
    # Scripts are pages that only their own user or administrators can edit.
    is_own_script = stored.title.ns == USER and stored.model == _JAVASCRIPT
    is_script = stored.title.ns == MEDIAWIKI or is_own_script
    if media_type == _SCRIPT_TYPE and not is_script:
        raise ViewError(403, "reader-no-script")
    is_expanded = context.param("templates") == "expand"
    etag = "" if is_expanded else f"raw-{stored.revision.rev_id}-{context.number('section')}"
    if is_expanded:
        options = ParserOptions(
            target=Target.WIKITEXT, limit_report=False, revision=Revision.of(stored.revision)
        )
        text, _ = context.site.parser.expand_output(text, stored.title, options)
    body = text.encode("utf-8", "replace")
    return content_reply(body, content_type, cache=REVALIDATE, etag=etag)


def show_render(context: ViewContext, title: Title) -> Reply:
    """Send the HTML of a page without the skin; its links are absolute URLs.

    Raises:
        ViewError: the revision does not exist, or its text is suppressed.
    """
    stored = context.requested_revision(title)
    if stored is None:
        text = f"{context.sentence('no-such-page')}\n"
        return content_reply(text.encode("utf-8", "replace"), HTML, status=404)
    rendering = context.rendering_of(stored)
    if rendering is None:
        html = f"<pre>{escape_text(stored.visible_text)}</pre>"
    else:
        html = context.with_mount_point(rendering.html)
    # Links to this server become absolute URLs.
    tree = LexborHTMLParser(html, is_fragment=True)
    for node in tree.css('a[href^="/"]'):
        url = node.attributes["href"] or ""
        if not url.startswith("//"):
            node.attrs["href"] = context.site.config.site.server + url
    body = (tree.html or "").encode("utf-8", "replace")
    headers = [("Content-Security-Policy", context.reader.skin.policy)]
    return content_reply(body, HTML, cache=REVALIDATE, headers=headers)
