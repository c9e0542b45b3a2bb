"""Options of a rendering."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING

from wikiapi.timestamps import moment_of

if TYPE_CHECKING:
    from wikiapi.store import RevisionRow

OnStage = Callable[[str, str], None]


class Target(Enum):
    """What a rendering produces."""

    HTML = "html"
    WIKITEXT = "wikitext"
    """Wikitext with templates expanded: ``action=expandtemplates``."""
    SAVED = "saved"
    """The text to be stored: the pre-save transform, which expands only substitutions."""
    LINKS = "links"
    """Only the links of a page; the HTML is not finished."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The revision that a text belongs to, for variables such as ``{{REVISIONID}}``.

    The defaults stand for no revision.
    """

    id: int = 0
    timestamp: datetime | None = None
    user: str = ""
    size: int | None = None

    @classmethod
    def of(cls, row: RevisionRow | None) -> Revision:
        """Return the data of a stored revision; the defaults for ``None``."""
        if row is None:
            return NO_REVISION
        return cls(row.rev_id, moment_of(row.timestamp), row.user_name or "", row.length)


NO_REVISION = Revision()


@dataclass(frozen=True, slots=True)
class ParserOptions:
    """Options of one rendering; the defaults are those of a page view."""

    target: Target = Target.HTML
    language: str = ""
    """Interface language; empty for the content language."""
    variant: str = ""
    """The requested variant of the page's language. If empty, the interface language is used if it
    is such a variant, otherwise none."""
    is_interface_message: bool = False
    """Whether the text is an interface message, and so is in the interface language."""
    user: str = ""
    """Name of the requesting user; the IP address of a user without an account."""
    thumb_width: int = 0
    """Width of thumbnails in pixels that the requesting user prefers; 0 for the wiki's."""
    preview: bool = False
    """Whether the text is a preview for the user who is about to save it."""
    creates_page: bool = False
    """Whether the text is being saved as a page that does not exist yet."""
    section_preview: bool = False
    """Whether the preview contains only one section of the page."""
    edit_sections: bool = True
    """Whether headings of stored pages get edit links."""
    limit_report: bool = True
    toc: bool = True
    """Whether the page may have a table of contents."""
    toc_in_page: bool = True
    """Whether the table of contents is part of the HTML. Otherwise only its place is marked, for
    skins that show it elsewhere."""
    deduplicate_styles: bool = True
    """Whether a style sheet that occurs several times is included only once."""
    wrapper_class: str = "mw-parser-output"
    """Class of the element around the page; empty for no such element."""
    parsoid: bool = False
    """Whether the HTML follows MediaWiki's DOM specification, as Parsoid's does."""
    for_view: bool = True
    """Whether Parsoid's HTML is that of a page view. Otherwise it is what MediaWiki's REST API
    returns: links are relative to the page, headings have no element around them, and the table of
    contents is only marked where the page places it."""
    reads_redirect: bool = True
    """Whether a text that begins with ``#REDIRECT [[...]]`` is a redirect, rather than a list."""
    redirect_note: bool = True
    """Whether the HTML of a redirect begins with a note that names its target."""
    remove_comments: bool = True
    revision: Revision = NO_REVISION
    on_stage: OnStage | None = None
    """Called after each stage of the pipeline with the stage's name and the page's text."""
