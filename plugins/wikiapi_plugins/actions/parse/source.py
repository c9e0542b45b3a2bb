"""Finding the text to parse: a stored page or revision, or a text from the request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from wikiapi.api import Module, moment_of, page_of_id, storable_title
from wikiapi.errors import ApiError
from wikiapi.site import Site
from wikiapi.store import PageRow, RevisionRow
from wikiapi.store.queries import pages, revisions, texts
from wikiapi.title import WIKITEXT, Title, default_model
from wikiapi.wikitext import NO_REVISION, Revision, StoredRevision, section_text

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
    """The revision with exactly this text; ``None`` for a section or a text from the request."""


def find_source(module: Module) -> Source:
    """Return the text that a request contains or names.

    Raises:
        ApiError: parameters contradict each other, or name something that does not exist.
    """
    params = module.p
    _check_exclusive(params)
    if all(params[name] is None for name in ("page", "pageid", "oldid")):
        return _from_request(module)
    if params.text_or_none("section") == "new":
        raise ApiError("invalidparammix", "apierror-invalidparammix-parse-new-section")
    source = _stored(module)
    return _section(source, params.text_or_none("section"), module.site)


def _check_exclusive(params: Mapping[str, Any]) -> None:
    given = [name for name in _EXCLUSIVE if params[name] is not None]
    if "text" in given and len(given) > 1:
        names = " and ".join(f'"{name}"' for name in ("text", given[0]))
        raise ApiError("invalidparammix", "apierror-invalidparammix", names)


def _stored(module: Module) -> Source:
    params = module.p
    if params.is_given("oldid"):
        return _revision(module, params.number("oldid"))
    if params.is_given("pageid"):
        row = page_of_id(module.db, params.number("pageid"))
        title = module.site.titles.make(*row.key)
    else:
        title = storable_title(module.site, params.text("page"))
    return _page(module, title)


def _revision(module: Module, revision_id: int, page: PageRow | None = None) -> Source:
    found = texts.of_revisions(module.db, [revision_id]).get(revision_id)
    row = revisions.by_ids(module.db, [revision_id]).get(revision_id)
    page = page or pages.by_revision_ids(module.db, [revision_id]).get(revision_id)
    if found is None or row is None or page is None:
        raise ApiError("nosuchrevid", "apierror-nosuchrevid", revision_id)
    if found.text is None:
        raise ApiError("permissiondenied", "apierror-permissiondenied-generic")
    title = module.site.titles.make(*page.key)
    stored = StoredRevision(page.page_id, revision_id, page.touched)
    facts = _facts(row)
    return Source(
        title, found.text, found.model, page.page_id, facts, is_stored=True, stored=stored
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
        target = _next_redirect(module, source, row)
        if target is None:
            return replace(source, redirects=tuple(redirects))
        redirects.append((title, target))
        title = target
    return replace(source, redirects=tuple(redirects))


def _next_redirect(module: Module, source: Source, row: PageRow) -> Title | None:
    if not row.is_redirect:
        return None
    model = module.site.content_models.get(source.model)
    target = model.redirect_target(module.site, source.text) if model else None
    return target if target and not target.interwiki else None


def _from_request(module: Module) -> Source:
    params, site = module.p, module.site
    title = storable_title(site, params.text_or_none("title") or _DEFAULT_TITLE)
    revision = NO_REVISION
    if params["revid"] is not None:
        title, revision = _of_revision(module, params["revid"], title)
    text = params.text_or_none("text")
    if text is None:
        _warn_about_nothing(module)
    elif not _is_titled(params) and not params.is_given("contentmodel"):
        module.warn("apiwarn-parse-nocontentmodel", "wikitext")
    page = pages.by_titles(module.db, [title.key]).get(title.key)
    model = (
        params.text_or_none("contentmodel") or (page and page.content_model) or default_model(title)
    )
    source = Source(title, text or "", model, page.page_id if page else 0, revision)
    _check_format(source, params.text_or_none("contentformat"), site)
    if params.text_or_none("section") == "new":
        return _with_heading(source, params.text_or_none("sectiontitle"))
    return _section(source, params.text_or_none("section"), site)


def _is_titled(params: Mapping[str, Any]) -> bool:
    return params["title"] is not None or params["revid"] is not None


def _of_revision(module: Module, revision_id: int, title: Title) -> tuple[Title, Revision]:
    """Return the title of the page, and the data, of the revision as which a text is parsed."""
    row = revisions.by_ids(module.db, [revision_id]).get(revision_id)
    page = pages.by_revision_ids(module.db, [revision_id]).get(revision_id)
    if row is None or page is None:
        raise ApiError("nosuchrevid", "apierror-nosuchrevid", revision_id)
    if module.p.is_given("title") and title.key != page.key:
        module.warn("apierror-revwrongpage", revision_id, title.prefixed_text)
    return module.site.titles.make(*page.key), _facts(row)


def _facts(row: RevisionRow) -> Revision:
    return Revision(row.rev_id, moment_of(row.timestamp), row.user_name or "", row.length)


def _warn_about_nothing(module: Module) -> None:
    params = module.p
    if not _is_titled(params) or not (params.texts("prop") or params.flag("generatexml")):
        return
    kind = "title" if not params.is_given("revid") else "revid"
    module.warn(f"apiwarn-parse-{kind}withouttext")


def _check_format(source: Source, mime: str | None, site: Site) -> None:
    model = site.content_models.get(source.model)
    if mime and model and mime not in model.formats:
        name = source.title.prefixed_text
        raise ApiError("badformat", "apierror-badformat", mime, source.model, name)


def _with_heading(source: Source, heading: str | None) -> Source:
    """Return the text as a new section with a heading."""
    if not heading or source.model != WIKITEXT:
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
