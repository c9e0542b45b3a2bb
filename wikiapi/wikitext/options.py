"""How a text is to be rendered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

OnStage = Callable[[str, str], None]


class Target(Enum):
    """What is being made."""

    HTML = "html"
    WIKITEXT = "wikitext"
    """Templates expanded, nothing else: ``action=expandtemplates``."""
    SAVED = "saved"
    """What a page is stored as: substitution only, by the pre-save transform."""
    LINKS = "links"
    """Only what a page links to; the HTML is not finished."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The revision a text belongs to, for the words that tell about it. 0 and "" for none."""

    id: int = 0
    timestamp: datetime | None = None
    user: str = ""
    size: int | None = None


NO_REVISION = Revision()


@dataclass(frozen=True, slots=True)
class ParserOptions:
    """Options of one rendering; the defaults are those of a page view."""

    target: Target = Target.HTML
    language: str = ""
    """Interface language; empty for the content language."""
    variant: str = ""
    """The variant of the page's language that is wanted; empty for the interface language, if it is
    one, or else for none."""
    is_interface_message: bool = False
    """Whether the text is one of the interface, and so written in the interface language."""
    user: str = ""
    """Name of the requesting user, an address for a visitor without an account."""
    preview: bool = False
    """Whether the text is shown before it is saved, by its user."""
    section_preview: bool = False
    """Whether it is a section alone that is previewed, without what its page says elsewhere."""
    edit_sections: bool = True
    """Whether headings of stored pages get edit links."""
    limit_report: bool = True
    toc: bool = True
    """Whether a table of contents is wanted at all."""
    toc_in_page: bool = True
    """Whether it stands in the page: some skins show it beside, and only its place is marked."""
    deduplicate_styles: bool = True
    """Whether a style sheet that a page brings along several times is written once."""
    wrapper_class: str = "mw-parser-output"
    """Class of the container; empty for no container."""
    parsoid: bool = False
    """Whether the HTML is to follow MediaWiki's DOM specification, as Parsoid's does."""
    redirect_note: bool = True
    """Whether a redirect begins with a note that says where it leads."""
    remove_comments: bool = True
    revision: Revision = NO_REVISION
    on_stage: OnStage | None = None
    """Told the page's text after each stage of the pipeline, with the stage's name."""
