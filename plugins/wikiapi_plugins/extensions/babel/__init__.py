"""Babel: ``{{#babel:en-3|de-1}}``, boxes that say which languages a user speaks.

Settings of ``[extensions.babel]``: ``main_category`` ("%code%") names the category of all speakers
of a language, ``level_category`` ("%code%-%level%") that of its speakers at one level. An empty
text switches the category off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, cast

from wikiapi.api import Arr, MetaModule, Obj, user
from wikiapi.hookspecs import hookimpl
from wikiapi.languages import autonym, cldr_locale, direction, html_code
from wikiapi.plugins import Extension
from wikiapi.resources import read_modules
from wikiapi.store.queries import texts
from wikiapi.title import MEDIAWIKI, TEMPLATE, USER
from wikiapi.wikitext import Expansion, FunctionCall, ParserFunction, ParserOutput, ParseState, trim
from wikiapi_plugins.extensions import BundledExtension

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


DATA = "babel"
LEVELS = ("0", "1", "2", "3", "4", "5", "N")
_STYLES = "ext.babel"
_OVERRIDE = "Babel-category-override"
_BOX = re.compile(r"([A-Za-z][A-Za-z0-9\-]{1,34}?)(?:-([0-5Nn]))?", re.ASCII)
_PLAIN = re.compile(r"plain\s*+=\s*+(.*)", re.DOTALL)
MOST = 200
"""Maximum number of boxes in one call."""


class Skill(NamedTuple):
    """A language, by its HTML code, and the level at which it is spoken, one of ``LEVELS``."""

    code: str
    level: str


def babel(call: FunctionCall) -> Expansion:
    """Return the boxes, in a frame unless ``plain=1`` is given."""
    state = call.state
    state.output.module_styles.setdefault(_STYLES)
    plain = False
    boxes: list[str] = []
    for argument in call.args[:MOST]:
        if option := _PLAIN.fullmatch(argument):
            plain = trim(option[1]) not in ("", "0")
        elif argument:
            boxes.append(_box(argument, state))
    return Expansion("".join(boxes) if plain else _framed(boxes, state), preprocess=True)


DECLARATION = ParserFunction("#babel", babel)


def skills_of(output: ParserOutput) -> dict[str, str]:
    """Return the languages that a rendered page names, with their levels."""
    return cast("dict[str, str]", output.plugin_data.setdefault(DATA, {}))


def _framed(boxes: list[str], state: ParseState) -> str:
    override = state.site.titles.try_parse(_OVERRIDE, MEDIAWIKI)
    if override is not None:
        state.templates.find(override, state.expander.root_frame())
    texts = {name: state.messages.text(f"babel-{name}")
             for name in ("header", "header-page", "footer", "footer-page")}  # fmt: skip
    return (
        '{| class="mw-babel-wrapper"\n'
        f'! class="mw-babel-header" | [[{texts["header-page"]}|{texts["header"]}]]\n|-\n'
        f"| {''.join(boxes)}\n|-\n"
        f'! class="mw-babel-footer" | [[:{texts["footer-page"]}|{texts["footer"]}]]\n|}}'
    )


def _box(text: str, state: ParseState) -> str:
    """Return the box of a language, or of the template ``User ...`` if the text names none."""
    skill = read_skill(text)
    if skill is None:
        title = state.site.titles.try_parse(f"User {text}", TEMPLATE)
        if title is None or title.interwiki:
            return ""
        template = state.loader.get(title)
        link = "{{%s}}" if template is not None else "[[:%s]]"
        side = direction(state.site.language)
        return f'<div class="mw-babel-notabox" dir="{side}">{link % title.prefixed_text}</div>'
    skills_of(state.output)[skill.code] = skill.level
    main, level = _categories(skill, state)
    code, side = skill.code, direction(skill.code)
    sentence = state.site.messages.catalog.template(f"babel-{skill.level}", code.lower()) or ""
    # The name of the language in that language.
    locale = cldr_locale(code.lower())
    in_language = locale.languages.get(code.replace("-", "_")) if locale else None
    links = {
        "$1": _linked(level),
        "$2": _linked(main),
        "$3": in_language or autonym(code.lower()),
    }
    for sign, value in links.items():
        sentence = sentence.replace(sign, value)
    # Links without a target are replaced by their labels.
    sentence = _EMPTY_LINK.sub(r"\1", sentence)
    own = f'<span class="mw-babel-box-level-{skill.level}">-{skill.level}</span>'
    return (
        f'<div class="mw-babel-box mw-babel-box-{skill.level} mw-babel-box-{code}" '
        f'dir="{side}">\n{{|\n! dir="{side}" | {code}{own}\n'
        f'| dir="{side}" lang="{code}" | {sentence}\n|}}\n</div>'
    )


def read_skill(text: str) -> Skill | None:
    """Return the skill written as in ``de-3``, or ``None`` if the text names no language."""
    match = _BOX.fullmatch(trim(text))
    if match is None:
        return None
    code = match[1].lower()
    if cldr_locale(code) is None or not autonym(code):
        return None
    return Skill(html_code(code), (match[2] or "N").upper())


def _categories(skill: Skill, state: ParseState) -> tuple[str, str]:
    """Add the page to the categories of the language and of the level, and return their names."""
    settings = state.site.config.extensions.get("babel", {})
    names = []
    for setting, default, sort_key in (
        ("main_category", "%code%", skill.level),
        ("level_category", "%code%-%level%", ""),
    ):
        pattern = str(settings.get(setting, default))
        name = pattern.replace("%code%", skill.code).replace("%level%", skill.level)
        title = state.site.titles.try_parse(f"Category:{name}") if name else None
        names.append(title.prefixed_text if title else "")
        if title and (skill.level != "0" or not sort_key):
            state.output.add_category(title.dbkey, sort_key)
    return names[0], names[1]


def _linked(category: str) -> str:
    return f":{category}" if category else ""


_EMPTY_LINK = re.compile(r"\[\[\|([^\[\]|]*+)\]\]")


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
