"""``action=rsd``: Really Simple Discovery, with which programs find the API of a page."""

from __future__ import annotations

from wikiapi.api import Action, Arr, CacheMode, Obj, RawBody
from wikiapi_plugins.formats.xmltree import document, element_of

_MANUAL = "https://www.mediawiki.org/wiki/Special:MyLanguage/API"
_ENGINE = ("MediaWiki", "https://www.mediawiki.org/")
_NAMESPACE = "http://archipelago.phrasewise.com/rsd"


class Rsd(Action):
    """Export a description of the API for Really Simple Discovery (RSD)."""

    name = "rsd"
    position = 19
    needs_read = False
    examples = (("action=rsd", "Export the RSD description"),)

    def cache_mode(self) -> CacheMode:
        """Return ``PUBLIC``: the answer is the same for all users."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Answer with the XML description, whatever format was requested."""
        name, link = _ENGINE
        oauth = Obj({"name": "OAuth", "value": "false"}, content="value")
        api = Obj(
            {
                "name": name,
                "preferred": "true",
                "apiLink": self.site.script_url,
                "blogID": "",
                "settings": Obj({"docs": _MANUAL, "setting": oauth}, subelements=("docs",)),
            }
        )
        service = Obj(
            {
                "apis": Arr([api], "api"),
                "engineName": name,
                "engineLink": link,
                "homePageLink": self.site.page_url(self.site.main_page),
            },
            subelements=("engineName", "engineLink", "homePageLink"),
        )
        root = element_of("rsd", Obj({"service": service}))
        root.attributes |= {"version": "1.0", "xmlns": _NAMESPACE}
        body = document(root, pretty=False).encode("utf-8", "replace")
        self.result.raw = RawBody(body, "application/rsd+xml; charset=utf-8", "api-result.xml")
