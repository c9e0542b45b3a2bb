"""What is to be parsed: a stored page or revision, or a text from the request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wikiapi.errors import ApiError, InvalidTitle
from wikiapi.store import pages, revisions, texts
from wikiapi.wikitext.options import NO_REVISION, Revision
from wikiapi.wikitext.redirect import redirect_target
from wikiapi.wikitext.sectiontext import section_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.api.module import Module
    from wikiapi.site import Site
    from wikiapi.store.pages import PageRow
    from wikiapi.title.title import Title

_DEFAULT_TITLE = "API"
_MAX_REDIRECTS = 20
_EXCLUSIVE = ("page", "pageid", "oldid", "text")


@dataclass(frozen=True, slots=True)
class Source:
    """A text, the page it belongs to, and how its title was arrived at."""

    title: Title
    text: str
    model: str
    page_id: int = 0
    revision: Revision = NO_REVISION
    redirects: tuple[tuple[Title, Title], ...] = ()
    is_stored: bool = False
    given: bool = True
    """Whether there is any text at all."""


def find_source(module: Module) -> Source:
    """The text that a request is about.

    Raises:
        ApiError: parameters contradict each other, or name what does not exist.
    """
    params = module.p
    _check_exclusive(params)
    if all(params[name] is None for name in ("page", "pageid", "oldid")):
        return _from_request(module)
    if params["section"] == "new":
        raise ApiError.of("invalidparammix", "apierror-invalidparammix-parse-new-section")
    source = _stored(module)
    return _section(source, params["section"], module.site)


def _check_exclusive(params: Mapping[str, Any]) -> None:
    given = [name for name in _EXCLUSIVE if params[name] is not None]
    if "text" in given and len(given) > 1:
        names = " and ".join(f'"{name}"' for name in ("text", given[0]))
        raise ApiError.of("invalidparammix", "apierror-invalidparammix", names)


def _stored(module: Module) -> Source:
    params = module.p
    if params["oldid"] is not None:
        return _revision(module, params["oldid"])
    if params["pageid"] is not None:
        row = pages.by_ids(module.db, [params["pageid"]]).get(params["pageid"])
        if row is None:
            raise ApiError.of("nosuchpageid", "apierror-nosuchpageid", params["pageid"])
        title = module.site.titles.make(*row.key)
    else:
        title = _title(module.site, params["page"])
    return _page(module, title)


def _title(site: Site, text: str) -> Title:
    try:
        return site.titles.parse(text)
    except InvalidTitle as error:
        raise ApiError.of("invalidtitle", "apierror-invalidtitle", text) from error


def _revision(module: Module, revision_id: int) -> Source:
    found = texts.of_revisions(module.db, [revision_id]).get(revision_id)
    row = revisions.by_ids(module.db, [revision_id]).get(revision_id)
    page = pages.by_revision_ids(module.db, [revision_id]).get(revision_id)
    if found is None or row is None or page is None:
        raise ApiError.of("nosuchrevid", "apierror-nosuchrevid", revision_id)
    if found.text is None:
        raise ApiError.of("permissiondenied", "apierror-permissiondenied-generic")
    title = module.site.titles.make(*page.key)
    revision = Revision(row.rev_id, _moment(row.timestamp), row.user_name or "", row.length)
    return Source(title, found.text, found.model, page.page_id, revision, is_stored=True)


def _page(module: Module, title: Title) -> Source:
    redirects: list[tuple[Title, Title]] = []
    for _ in range(_MAX_REDIRECTS):
        row = pages.by_titles(module.db, [title.key]).get(title.key)
        if row is None:
            raise ApiError.of("missingtitle", "apierror-missingtitle")
        source = _revision(module, row.latest)
        target = _next_redirect(module, source, row)
        if target is None:
            return replace(source, redirects=tuple(redirects))
        redirects.append((title, target))
        title = target
    return replace(source, redirects=tuple(redirects))


def _next_redirect(module: Module, source: Source, row: PageRow) -> Title | None:
    if not module.p["redirects"] or not row.is_redirect:
        return None
    target = redirect_target(source.text, module.site.titles)
    return target if target and not target.interwiki else None


def _moment(timestamp: str) -> datetime:
    return datetime.strptime(timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def _from_request(module: Module) -> Source:
    params, site = module.p, module.site
    title = _title(site, params["title"] or _DEFAULT_TITLE)
    if title.interwiki or title.namespace.is_virtual:
        raise ApiError.of("pagecannotexist", "apierror-pagecannotexist")
    text = params["text"]
    if text is None:
        _warn_about_nothing(module)
    elif params["title"] is None and params["contentmodel"] is None:
        module.warn("apiwarn-parse-nocontentmodel", "wikitext")
    page = pages.by_titles(module.db, [title.key]).get(title.key)
    model = params["contentmodel"] or (page and page.content_model) or _default_model(title)
    source = Source(
        title,
        text or "",
        model,
        page.page_id if page else 0,
        Revision(params["revid"] or 0),
        given=text is not None,
    )
    return _section(source, params["section"], site)


def _warn_about_nothing(module: Module) -> None:
    params = module.p
    if params["title"] is not None and (params["prop"] or params["generatexml"]):
        module.warn("apiwarn-parse-titlewithouttext")
    if params["revid"] is not None and (params["prop"] or params["generatexml"]):
        module.warn("apiwarn-parse-revidwithouttext")


def _default_model(title: Title) -> str:
    return title.namespace.content_model or "wikitext"


def _section(source: Source, section: str | None, site: Site) -> Source:
    if section is None or section == "new":
        return source
    model = site.parser.registries.content_models.get(source.model)
    if model is None or not model.has_sections:
        raise ApiError.of("nosuchsection", "apierror-nosuchsection", section)
    text = section_text(source.text, section, site.parser.preprocessor)
    if text is None:
        name = source.title.prefixed_text
        raise ApiError.of("nosuchsection", "apierror-nosuchsection-what", section, name)
    return replace(source, text=text)
