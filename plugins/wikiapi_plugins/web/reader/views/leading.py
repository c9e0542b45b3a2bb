"""Special pages that only lead to another address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.errors import InvalidTitle
from wikiapi.title.namespaces import FILE, MAIN
from wikiapi_plugins.web.reader.declined import Declined
from wikiapi_plugins.web.replies import redirect_reply

if TYPE_CHECKING:
    from wikiapi.http.reply import Reply
    from wikiapi.title.title import Title
    from wikiapi_plugins.web.reader.visit import Visit

_NUMBERS = re.compile(r"([0-9]{1,15})(?:/([0-9]{1,15}|prev|next|cur))?\Z", re.ASCII)


def lead_to_revision(visit: Visit, title: Title) -> Reply:
    """``Special:PermanentLink/12`` is revision 12."""
    match = _NUMBERS.match(title.dbkey.partition("/")[2])
    if match is None or match[2]:
        raise Declined(400, "reader-special-needs-revision")
    return redirect_reply(visit.reader.addresses.script(visit.root, oldid=match[1]))


def lead_to_difference(visit: Visit, title: Title) -> Reply:
    """``Special:Diff/12`` and ``Special:Diff/12/15``."""
    match = _NUMBERS.match(title.dbkey.partition("/")[2])
    if match is None:
        raise Declined(400, "reader-special-needs-revision")
    query = {"oldid": match[1], "diff": match[2]} if match[2] else {"diff": match[1]}
    return redirect_reply(visit.reader.addresses.script(visit.root, **query))


def lead_to_history(visit: Visit, title: Title) -> Reply:
    """``Special:PageHistory/Title``."""
    return redirect_reply(visit.url(named_page(visit, title), action="history"))


def lead_to_file(visit: Visit, title: Title) -> Reply:
    """``Special:FilePath/Name.png`` is the file itself."""
    file = named_page(visit, title, FILE, param="file")
    found = visit.site.files.find([file]).get(file)
    if found is None or not found.current.exists:
        raise Declined(404, "reader-missing", visit.plain(file.prefixed_text))
    return redirect_reply(visit.full_url(visit.file_url(found.current.url)))


def named_page(visit: Visit, title: Title, namespace: int = MAIN, param: str = "target") -> Title:
    """The page that a special page is asked about: its sub-page, or a parameter.

    Raises:
        Declined: none is named, or what is named is no page of this wiki.
    """
    text = title.dbkey.partition("/")[2] or visit.param(param)
    if not text:
        raise Declined(400, "reader-special-needs-page")
    try:
        page = visit.site.titles.parse(text, namespace)
    except InvalidTitle as error:
        raise Declined(400, error.message.key, *error.message.params) from error
    if page.interwiki or not page.dbkey:
        raise Declined(400, "reader-special-needs-page")
    return page
