"""Babel: ``{{#babel:en-3|de-1}}``, boxes that say which languages a user speaks.

Settings of ``[extensions.babel]``: ``main_category`` ("%code%") names the category of all speakers
of a language, ``level_category`` ("%code%-%level%") that of its speakers at one level. An empty
text switches the category off.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wikiapi.api import Arr, MetaModule, Obj, user
from wikiapi.hookspecs import hookimpl
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.store.queries import texts
from wikiapi.title import USER
from wikiapi_plugins.extensions import BundledExtension
from wikiapi_plugins.extensions.babel.function import DECLARATION, skills_of

FOLDER = Path(__file__).parent


@hookimpl
def register_extensions() -> Iterable[Extension]:
    """Return the extension."""
    return (
        BundledExtension(
            "Babel",
            description="Languages that users speak",
            functions=(DECLARATION,),
            query_modules=(Babel,),
            messages=FOLDER / "messages",
            resources=lambda: read_modules(FOLDER / "resources"),
        ),
    )


class Babel(MetaModule):
    """Get which languages a user speaks, and how well."""

    name, prefix = "babel", "bab"
    params = (user("user", "The user whose page is read.", required=True),)
    examples = (("action=query&meta=babel&babuser=Example", "The languages of the user Example"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/Extension:Babel",)

    def execute(self) -> None:
        """Add the languages named by the user's page, with their levels."""
        title = self.site.titles.try_parse(self.p.text("user"), USER)
        texts_by_title = texts.current(self.db, [title.key]) if title and title.ns == USER else {}
        page = next(iter(texts_by_title.values()), None)
        skills: dict[str, str] = {}
        if title is not None and page is not None and page.text:
            skills = skills_of(self.site.parser.links_of(page.text, title))
        levels = Obj({code.lower(): level for code, level in skills.items()})
        self.result.set(("query",), self.name, levels if skills else Arr())
