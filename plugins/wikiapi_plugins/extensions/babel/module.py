"""``meta=babel``."""

from __future__ import annotations

from wikiapi.api import Arr, MetaModule, Obj, user
from wikiapi.store.queries import texts
from wikiapi.title import USER
from wikiapi_plugins.extensions.babel.function import skills_of


class Babel(MetaModule):
    """Get which languages a user speaks, and how well."""

    name, prefix = "babel", "bab"
    params = (user("user", "The user whose page is read.", required=True),)
    examples = (("action=query&meta=babel&babuser=Example", "The languages of the user Example"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:Babel",)

    def execute(self) -> None:
        """Add the languages named by the user's page, with their levels."""
        title = self.site.titles.try_parse(self.p.text("user"), USER)
        found = texts.current(self.db, [title.key]) if title and title.ns == USER else {}
        page = next(iter(found.values()), None)
        skills: dict[str, str] = {}
        if title is not None and page is not None and page.text:
            skills = skills_of(self.site.parser.links_of(page.text, title))
        levels = Obj({code.lower(): level for code, level in skills.items()})
        self.result.set(("query",), self.name, levels if skills else Arr())
