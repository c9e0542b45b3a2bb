"""Variables about the wiki."""

from __future__ import annotations

from urllib.parse import urlsplit

from wikiapi.languages import direction_mark
from wikiapi.wikitext import Variable

DECLARATIONS = (
    Variable("SITENAME", lambda state: state.site.config.site.name),
    Variable("SERVER", lambda state: state.site.config.site.server, case_sensitive=False),
    Variable(
        "SERVERNAME",
        lambda state: urlsplit(state.site.config.site.server).hostname or "",
        case_sensitive=False,
    ),
    Variable("SCRIPTPATH", lambda state: state.site.config.site.script_path, case_sensitive=False),
    Variable(
        "ARTICLEPATH", lambda state: state.site.config.site.article_path, case_sensitive=False
    ),
    Variable(
        "STYLEPATH",
        lambda state: f"{state.site.config.site.script_path}/skins",
        case_sensitive=False,
    ),
    Variable("USERLANGUAGE", lambda state: state.page_language),
    Variable("CONTENTLANGUAGE", lambda state: state.site.language, ("CONTENTLANG",)),
    Variable("PAGELANGUAGE", lambda state: state.page_language),
    Variable(
        "DIRECTIONMARK",
        lambda state: direction_mark(state.page_language),
        ("DIRMARK",),
    ),
    Variable(
        "CURRENTVERSION", lambda state: state.site.config.site.generator.removeprefix("MediaWiki ")
    ),
    Variable("!", lambda state: "|"),
    Variable("=", lambda state: "="),
)
