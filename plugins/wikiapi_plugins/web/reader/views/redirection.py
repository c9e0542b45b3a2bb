"""Special pages that redirect to revisions, differences, files, and other objects with an id."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from wikiapi.errors import InvalidTitle
from wikiapi.filerepo import File, ThumbParams, ThumbRequest
from wikiapi.http import Reply
from wikiapi.store.queries import logs, pages, users
from wikiapi.title import FILE, MAIN, Title
from wikiapi.wikitext.media import upload_url
from wikiapi_plugins.query.authorship import RESTRICTED_LOGS
from wikiapi_plugins.shared.interface.explorer import PATH, has_explorer
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.reader.errors import ViewError
from wikiapi_plugins.web.reader.pagerevision import title_of_page_id
from wikiapi_plugins.web.replies import redirect_reply

_NUMBERS = re.compile(r"([0-9]{1,15})(?:/([0-9]{1,15}|prev|next|cur))?\Z", re.ASCII)


def redirect_to_revision(context: ViewContext, title: Title) -> Reply:
    """Redirect from ``Special:PermanentLink/12`` to revision 12."""
    match = _NUMBERS.match(title.dbkey.partition("/")[2])
    if match is None or match[2]:
        raise ViewError(400, "reader-special-needs-revision")
    return redirect_reply(context.reader.addresses.script(context.root, oldid=match[1]))


def redirect_to_difference(context: ViewContext, title: Title) -> Reply:
    """Redirect from ``Special:Diff/12`` and ``Special:Diff/12/15`` to the difference."""
    match = _NUMBERS.match(title.dbkey.partition("/")[2])
    if match is None:
        raise ViewError(400, "reader-special-needs-revision")
    query = {"oldid": match[1], "diff": match[2]} if match[2] else {"diff": match[1]}
    return redirect_reply(context.reader.addresses.script(context.root, **query))


def redirect_to_history(context: ViewContext, title: Title) -> Reply:
    """Redirect from ``Special:PageHistory/Title`` to the history."""
    return redirect_reply(context.url(page_of_subpage(context, title), action="history"))


def redirect_to_file(context: ViewContext, title: Title) -> Reply:
    """Redirect from ``Special:FilePath/Name.png`` to the file, or to a thumbnail of it.

    ``width`` and ``height`` are the maximum size of the thumbnail in pixels.
    """
    return _file(context, page_of_subpage(context, title, FILE, param="file"))


def redirect_to_explorer(context: ViewContext, title: Title) -> Reply:
    """Redirect from ``Special:ApiSandbox`` to the API explorer.

    A request in the fragment of the address is kept by browsers, and has the form that the explorer
    reads.

    Raises:
        ViewError: the explorer is disabled.
    """
    if not has_explorer(context.site):
        raise ViewError(404, "reader-special-unbuilt", context.plain(title.text))
    return redirect_reply(f"{context.root}{PATH}")


def answer_thumb(context: ViewContext) -> Reply:
    """Redirect from ``thumb.php`` to the file in ``f``, or to a thumbnail of it.

    ``w`` or ``width`` is the width of the thumbnail in pixels.

    Raises:
        ViewError: no file is named, or there is none with this name.
    """
    name = context.param("f")
    if not name:
        raise ViewError(400, "reader-special-needs-page")
    return _file(context, parse_page(context, name, FILE))


def redirect_to_upload(context: ViewContext, title: Title) -> Reply:
    """Redirect from ``Special:Upload`` to the page for uploads, if that is elsewhere.

    Raises:
        ViewError: uploads are disabled, or possible only through the API.
    """
    files = context.site.config.files
    if not files.upload_url:
        if not files.uploads:
            raise ViewError(403, "reader-uploads-disabled")
        raise ViewError(404, "reader-uploads-by-programs")
    name = context.param("wpDestFile")
    file = context.site.titles.try_parse(name, FILE) if name else None
    if file is None or file.ns != FILE or file.interwiki:
        return redirect_reply(files.upload_url)
    return redirect_reply(upload_url(file, context.site))


def _file(context: ViewContext, title: Title) -> Reply:
    file = context.site.files.find([title]).get(title) if title.ns == FILE else None
    if file is None or not file.current.exists:
        raise ViewError(404, "reader-missing", context.plain(title.prefixed_text))
    url = _thumbnail(context, file) or file.current.url
    return redirect_reply(context.full_url(context.file_url(url)))


def _thumbnail(context: ViewContext, file: File) -> str:
    """Return the URL of the requested thumbnail; empty for the file itself."""
    width = context.number("width") or context.number("w") or None
    height = context.number("height") or None
    if width is None and height is None:
        return ""
    if width is None:
        width = file.current.dimensions.width or None
    request = ThumbRequest(file, file.current, ThumbParams(width=width, height=height))
    thumbnail = context.site.files.thumbnails([request])[0]
    return thumbnail.url if thumbnail else ""


def redirect_by_kind(context: ViewContext, title: Title) -> Reply:
    """Redirect from ``Special:Redirect/revision/12`` to the object with this kind and value.

    Raises:
        ViewError: there is no such kind or object.
    """
    kind, _, value = title.dbkey.partition("/")[2].partition("/")
    kind, value = kind or context.param("wptype"), value or context.param("wpvalue")
    redirect = _BY_KIND.get(kind)
    if redirect is None:
        raise ViewError(404, "reader-no-redirect-kind", context.plain(kind))
    return redirect(context, value)


def _by_page_id(context: ViewContext, value: str) -> Reply:
    number = _number(value)
    if number is None or title_of_page_id(context.site, number) is None:
        raise ViewError(404, "reader-no-page-id", context.plain(value))
    return _to_script(context, curid=number)


def _by_revision_id(context: ViewContext, value: str) -> Reply:
    number = _number(value)
    if number is None or number not in pages.by_revision_ids(context.db, [number]):
        raise ViewError(404, "reader-no-revision", context.plain(value))
    return _to_script(context, oldid=number)


def _by_user_id(context: ViewContext, value: str) -> Reply:
    number = _number(value)
    rows = users.by_ids(context.db, [number]) if number else {}
    url = context.user_url(rows[number].name) if number in rows else ""
    if not url:
        raise ViewError(404, "reader-no-user-id", context.plain(value))
    return redirect_reply(url)


def _by_log_id(context: ViewContext, value: str) -> Reply:
    number = _number(value)
    rows = logs.by_ids(context.db, [number]) if number is not None else {}
    if number not in rows or rows[number].type in RESTRICTED_LOGS:
        raise ViewError(404, "reader-no-log-id", context.plain(value))
    return redirect_reply(context.special("Log", logid=number))


_BY_KIND: Mapping[str, Callable[[ViewContext, str], Reply]] = {
    "file": lambda context, value: _file(context, parse_page(context, value, FILE)),
    "logid": _by_log_id,
    "page": _by_page_id,
    "revision": _by_revision_id,
    "user": _by_user_id,
}


def _number(value: str) -> int | None:
    match = _NUMBERS.match(value)
    return int(match[1]) if match and not match[2] else None


def _to_script(context: ViewContext, **query: int) -> Reply:
    return redirect_reply(context.reader.addresses.script(context.root, **query))


def page_of_subpage(
    context: ViewContext, title: Title, namespace: int = MAIN, param: str = "target"
) -> Title:
    """Return the page that the subpage or a parameter of a special page names.

    Raises:
        ViewError: no page is named, or it is not one of this wiki.
    """
    text = title.dbkey.partition("/")[2] or context.param(param)
    if not text:
        raise ViewError(400, "reader-special-needs-page")
    return parse_page(context, text, namespace)


def parse_page(context: ViewContext, text: str, namespace: int = MAIN) -> Title:
    """Return the page that a text names.

    Raises:
        ViewError: it does not name a page of this wiki.
    """
    try:
        page = context.site.titles.parse(text, namespace)
    except InvalidTitle as error:
        raise ViewError(400, error.message.key, *error.message.params) from error
    if page.interwiki or not page.dbkey:
        raise ViewError(400, "reader-special-needs-page")
    return page
