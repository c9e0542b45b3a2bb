"""``format=xml``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wikiapi.api import Document, boolean, string
from wikiapi_plugins.formats.dataformat import DataFormat
from wikiapi_plugins.formats.xmltree import Element, document, document_parts, element_of

_NAMESPACE = "http://www.mediawiki.org/xml/api/"
_ROOT = "api"


class Xml(DataFormat):
    """Output data in XML."""

    name = "xml"
    label = "XML"
    media_type = "text/xml"
    extension = "xml"
    params = (
        string("xslt", "Name of a style sheet. Ignored, because style sheets can run code."),
        boolean("includexmlnamespace", "Put the elements into MediaWiki's XML namespace."),
    )
    examples = (
        ("action=query&meta=siteinfo&siprop=namespaces&format=xml", "The namespaces in XML"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Data_formats",)

    def prepare(self) -> None:
        """Warn that style sheets are not supported."""
        if self.p["xslt"] is not None:
            self.warn("apiwarn-xslt-disabled")

    def media(self) -> tuple[str, str]:
        """Return the media type, which may be that of another kind of document."""
        whole = self.result.whole
        media_type = whole.media_type if isinstance(whole, Document) else ""
        return media_type or self.media_type, self.extension

    def serialize(self, root: Any, *, pretty: bool) -> str:
        """Return the answer as an XML document."""
        return document(self._root(root), pretty=pretty)

    def parts(self, root: Any) -> Iterator[str]:
        """Yield the parts of the XML document, without white space between elements."""
        return document_parts(self._root(root), pretty=False)

    def _root(self, root: Any) -> Element:
        if isinstance(root, Document):
            made = element_of(root.tag, root)
            made.attributes |= root.attributes
            return made
        made = element_of(_ROOT, root)
        if self.p["includexmlnamespace"]:
            made.attributes["xmlns"] = _NAMESPACE
        return made
