"""From an address to the view that it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.errors import InvalidTitle
from wikiapi.title.namespaces import FILE, MEDIA, SPECIAL
from wikiapi_plugins.web.reader.declined import Declined
from wikiapi_plugins.web.reader.stored import load_by_id, load_revision
from wikiapi_plugins.web.reader.views import ACTIONS, difference, page, special
from wikiapi_plugins.web.reader.views.elsewhere import show_elsewhere
from wikiapi_plugins.web.reader.views.search import show_search
from wikiapi_plugins.web.replies import redirect_reply

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit


def answer_root(visit: Visit) -> Reply:
    """The front door leads to the main page."""
    return redirect_reply(visit.url(visit.site.main_page))


def answer_article(visit: Visit) -> Reply:
    """A page at a path of its own; another spelling leads to the usual one."""
    text = visit.reader.addresses.page_text(visit.request.path)
    if not text:
        return answer_root(visit)
    title = _title(visit, text)
    if text != title.prefixed_dbkey and not visit.request.params and not title.interwiki:
        return redirect_reply(visit.url(title), 301)
    return _show(visit, title)


def answer_index(visit: Visit) -> Reply:
    """``index.php``: the page and the view that parameters name."""
    if visit.param("search") and not visit.param("title"):
        return show_search(visit)
    title = _asked(visit)
    asked = visit.request.params.keys() - {"title", "curid"}
    where = visit.reader.addresses
    has_own_path = where.articles is not None or where.are_at_root
    if not asked and has_own_path and not title.interwiki and "?" not in visit.url(title):
        return redirect_reply(visit.url(title), 301)
    return _show(visit, title)


def _asked(visit: Visit) -> Title:
    page_id = visit.number("curid")
    if page_id is not None:
        title = load_by_id(visit.site, page_id)
        if title is None:
            raise Declined(404, "reader-no-page-id", page_id)
        return title
    if visit.param("title"):
        return _title(visit, visit.request.params["title"])
    return _of_revision(visit) or visit.site.main_page


def _of_revision(visit: Visit) -> Title | None:
    """A revision names its page by itself."""
    for name in ("oldid", "diff"):
        number = visit.number(name)
        if number:
            stored = load_revision(visit.site, number)
            if stored is None:
                raise Declined(404, "reader-no-revision", number)
            return stored.title
    return None


def _title(visit: Visit, text: str) -> Title:
    try:
        title = visit.site.titles.parse(text)
    except InvalidTitle as error:
        raise Declined(400, error.message.key, *error.message.params) from error
    if not title.interwiki and not title.dbkey:
        raise Declined(400, "title-invalid-empty")
    return visit.site.titles.make(FILE, title.dbkey) if title.ns == MEDIA else title


def _show(visit: Visit, title: Title) -> Reply:
    if title.interwiki:
        return show_elsewhere(visit, title)
    if title.ns == SPECIAL:
        return special.show_special(visit, title)
    if "diff" in visit.request.params:
        return difference.show_difference(visit, title)
    return ACTIONS.get(visit.param("action"), page.show_page)(visit, title)
