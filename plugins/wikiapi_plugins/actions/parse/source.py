"""Finding the text to parse: a stored page or revision, or a text from the request."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wikiapi.api import Module, page_of_id, storable_title
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.site import Site
from wikiapi.store import PageRow
from wikiapi.store.queries import pages, revisions, texts, visibility
from wikiapi.title import WIKITEXT, Title, default_model
from wikiapi.wikitext import NO_REVISION, Revision, StoredRevision, section_text
from wikiapi_plugins.query.authorship import readable_revision_bits

_DEFAULT_TITLE = "API"
_MAX_REDIRECTS = 20
_EXCLUSIVE = ("page", "pageid", "oldid", "text")


@dataclass(frozen=True, slots=True)
class Source:
    """A text to parse, the page to which it belongs, and the redirects that were followed."""

    title: Title
    text: str
    model: str
    page_id: int = 0
    revision: Revision = NO_REVISION
    redirects: tuple[tuple[Title, Title], ...] | None = None
    """Each redirect that was followed, with its target; ``None`` if redirects are not resolved."""
    is_stored: bool = False
    stored: StoredRevision | None = None
    """The revision with exactly this text, whose rendering may be cached.

    ``None`` for a section, for a hidden text, or for one from the request.
    """
    is_hidden: bool = False
    """Whether others may not see the text, and not even administrators if ``is_suppressed``."""
    is_suppressed: bool = False


def find_source(module: Module) -> Source:
    """Return the text that a request contains or names.

    Raises:
        ApiError: parameters contradict each other, or name something that does not exist.
    """
    params = module.p
    names = [name for name in _EXCLUSIVE if params[name] is not None]
    if "text" in names and len(names) > 1:
        both = f'"text" and "{names[0]}"'
        raise ApiError("invalidparammix", "apierror-invalidparammix", both)
    if not {"page", "pageid", "oldid"}.intersection(names):
        return _from_request(module)
    section = params.text_or_none("section")
    if section == "new":
        raise ApiError("invalidparammix", "apierror-invalidparammix-parse-new-section")
    if params.is_given("oldid"):
        source = _revision(module, params.number("oldid"))
    elif params.is_given("pageid"):
        row = page_of_id(module.db, params.number("pageid"))
        source = _page(module, module.site.titles.make(*row.key))
    else:
        source = _page(module, storable_title(module.site, params.text("page")))
    return _section(source, section, module.site)


def _revision(module: Module, revision_id: int, page: PageRow | None = None) -> Source:
    # A hidden text can only be asked for by the id of its revision.
    readable = readable_revision_bits(module.context.user) if page is None else 0
    content = texts.of_revisions(module.db, [revision_id], readable).get(revision_id)
    row = revisions.by_ids(module.db, [revision_id]).get(revision_id)
    page = page or pages.by_revision_ids(module.db, [revision_id]).get(revision_id)
    if content is None or row is None or page is None:
        raise ApiError("nosuchrevid", "apierror-nosuchrevid", revision_id)
    if content.text is None:
        raise ApiError("permissiondenied", "apierror-permissiondenied", Plain("deletedtext"))
    title = module.site.titles.make(*page.key)
    is_hidden = bool(row.deleted & visibility.TEXT)
    stored = None if is_hidden else StoredRevision(page.page_id, revision_id, page.touched)
    return Source(
        title,
        content.text,
        content.model,
        page.page_id,
        Revision.of(row),
        is_stored=True,
        stored=stored,
        is_hidden=is_hidden,
        is_suppressed=is_hidden and bool(row.deleted & visibility.RESTRICTED),
    )


def _page(module: Module, title: Title) -> Source:
    redirects: list[tuple[Title, Title]] = []
    for _ in range(_MAX_REDIRECTS):
        row = pages.by_titles(module.db, [title.key]).get(title.key)
        if row is None:
            raise ApiError("missingtitle", "apierror-missingtitle")
        source = _revision(module, row.latest, row)
        if not module.p["redirects"]:
            return source
        model = module.site.content_models.get(source.model) if row.is_redirect else None
        target = model.redirect_target(module.site, source.text) if model else None
        if target is None or target.interwiki:
            return replace(source, redirects=tuple(redirects))
        redirects.append((title, target))
        title = target
    return replace(source, redirects=tuple(redirects))


def _from_request(module: Module) -> Source:
    params, site = module.p, module.site
    title = storable_title(site, params.text_or_none("title") or _DEFAULT_TITLE)
    revision = NO_REVISION
    if params["revid"] is not None:
        row = revisions.by_ids(module.db, [params["revid"]]).get(params["revid"])
        page = pages.by_revision_ids(module.db, [params["revid"]]).get(params["revid"])
        if row is None or page is None:
            raise ApiError("nosuchrevid", "apierror-nosuchrevid", params["revid"])
        if module.p.is_given("title") and title.key != page.key:
            module.warn("apierror-revwrongpage", params["revid"], title.prefixed_text)
        title, revision = module.site.titles.make(*page.key), Revision.of(row)
    text = params.text_or_none("text")
    has_title = params["title"] is not None or params["revid"] is not None
    if text is None and has_title and (params.texts("prop") or params.flag("generatexml")):
        kind = "revid" if params.is_given("revid") else "title"
        module.warn(f"apiwarn-parse-{kind}withouttext")
    elif text is not None and not has_title and not params.is_given("contentmodel"):
        module.warn("apiwarn-parse-nocontentmodel", "wikitext")
    page = pages.by_titles(module.db, [title.key]).get(title.key)
    model = (
        params.text_or_none("contentmodel") or (page and page.content_model) or default_model(title)
    )
    source = Source(title, text or "", model, page.page_id if page else 0, revision)
    mime, content_model = params.text_or_none("contentformat"), site.content_models.get(model)
    if mime and content_model and mime not in content_model.formats:
        raise ApiError("badformat", "apierror-badformat", mime, model, title.prefixed_text)
    section, heading = params.text_or_none("section"), params.text_or_none("sectiontitle")
    if section != "new":
        return _section(source, section, site)
    if not heading or model != WIKITEXT:
        return source
    return replace(source, text=f"== {heading} ==\n\n{source.text}")


def _section(source: Source, section: str | None, site: Site) -> Source:
    if section is None:
        return source
    model = site.content_models.get(source.model)
    if model is None or not model.has_sections:
        raise ApiError("nosuchsection", "apierror-nosuchsection", section)
    text = section_text(source.text, section, site.parser.preprocessor)
    if text is None:
        name = source.title.prefixed_text
        raise ApiError("nosuchsection", "apierror-nosuchsection-what", section, name)
    return replace(source, text=text, stored=None)
