"""``meta=filerepoinfo``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.api import Arr, MetaModule, Obj, enum
from wikiapi.site import Site

_NAMES = (
    *("name", "displayname", "rootUrl", "local", "url", "thumbUrl", "initialCapital"),
    *("scriptDirUrl", "descriptionCacheExpiry", "fetchDescription", "apiurl", "articlepath"),
    *("server", "favicon", "canUpload"),
)


def _all(site: Site) -> str:
    return "|".join(_NAMES)


class FileRepoInfo(MetaModule):
    """Return facts about the file repositories that the wiki uses."""

    name = "filerepoinfo"
    prefix = "fri"
    params = (
        enum(
            "prop",
            *_NAMES,
            multi=True,
            default=_all,
            help="Properties of each repository to include.",
        ),
    )
    examples = (
        ("action=query&meta=filerepoinfo&friprop=apiurl|name|displayname", "Who holds files"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Filerepoinfo",)

    def execute(self) -> None:
        """List the foreign repositories in their order, then the wiki's own."""
        group = self.site.files
        repositories = [*(repository.info() for repository in group.foreign), group.local.info()]
        shown = [self._chosen(info) for info in repositories]
        self.result.set(("query",), "repos", Arr(shown, "repo"))

    def _chosen(self, info: Mapping[str, Any]) -> Obj:
        return Obj(
            (name, info[name]) for name in _NAMES if name in info and name in self.p.texts("prop")
        )
