"""``opensearch_desc.php``: the description with which browsers add the wiki's search."""

from __future__ import annotations

from wikiapi.http import Reply
from wikiapi.title import SPECIAL
from wikiapi_plugins.formats.xmltree import Element, document
from wikiapi_plugins.web.reader.context import ViewContext
from wikiapi_plugins.web.replies import content_reply

_NAMESPACE = "http://a9.com/-/spec/opensearch/1.1/"
_MOZILLA = "http://www.mozilla.org/2006/browser/search/"
_TYPE = "application/opensearchdescription+xml"
_KEPT = "public, max-age=600"
_TERMS = "{searchTerms}"


def answer_opensearch(context: ViewContext) -> Reply:
    """Return the OpenSearch description of the search page and ``action=opensearch``."""
    body = document(_description(context), pretty=False).encode("utf-8", "replace")
    return content_reply(body, _TYPE, cache=_KEPT)


def _description(context: ViewContext) -> Element:
    site = context.site
    search = site.titles.make(SPECIAL, "Search")
    suggest = f"{site.script_url}?action=opensearch&search={_TERMS}&namespace=0"
    name = site.config.site.name
    children = [
        Element("ShortName", text=name),
        Element("Description", text=f"{name} ({site.language})"),
        Element(
            "Image",
            {"height": "16", "width": "16", "type": "image/x-icon"},
            text=f"{site.config.site.server}/favicon.ico",
        ),
        _url("text/html", site.page_url(search, f"search={_TERMS}")),
        _url("application/x-suggestions+json", suggest),
        _url("application/x-suggestions+xml", f"{suggest}&format=xml"),
        Element("moz:SearchForm", text=site.page_url(search)),
    ]
    attributes = {"xmlns": _NAMESPACE, "xmlns:moz": _MOZILLA}
    return Element("OpenSearchDescription", attributes, children)


def _url(media_type: str, template: str) -> Element:
    return Element("Url", {"type": media_type, "method": "get", "template": template})
