"""``meta=filerepoinfo``."""

from __future__ import annotations

from wikiapi.api import Arr, MetaModule, Obj, enum
from wikiapi.site import Site

_OF_ANY = (
    *("canUpload", "displayname", "favicon", "initialCapital", "local", "name", "rootUrl"),
    *("scriptDirUrl", "thumbUrl", "url"),
)
_OF_FOREIGN = ("apiurl", "articlepath", "descriptionCacheExpiry", "fetchDescription", "server")


def _names(site: Site) -> tuple[str, ...]:
    """Return the properties that any repository of the wiki has."""
    return tuple(sorted((*_OF_ANY, *(_OF_FOREIGN if site.files.foreign else ()))))


class FileRepoInfo(MetaModule):
    """Return facts about the file repositories that the wiki uses."""

    name = "filerepoinfo"
    prefix = "fri"
    params = (
        enum(
            "prop",
            choices=_names,
            multi=True,
            default=lambda site: "|".join(_names(site)),
            help="Properties of each repository to include.",
        ),
    )
    examples = (("action=query&meta=filerepoinfo&friprop=name|displayname|url", "Repositories"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Filerepoinfo",)

    def execute(self) -> None:
        """List the foreign repositories in their order, then the wiki's own."""
        group = self.site.files
        repositories = [*(repository.info() for repository in group.foreign), group.local.info()]
        items = [
            Obj((name, info[name]) for name in self.p.texts("prop") if name in info)
            for info in repositories
        ]
        self.result.set(("query",), "repos", Arr(items, "repo"))
