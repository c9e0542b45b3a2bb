"""The stages from expanded wikitext to HTML, each with the reason for its position.

``half_parse`` runs the stages before paragraphs are made; it is also run on the content of
extension tags. ``finish`` runs the rest once for the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from sys import getsizeof

from wikiapi.wikitext.block.headings import draw_rules, mark_headings
from wikiapi.wikitext.block.paragraphs import wrap_blocks
from wikiapi.wikitext.block.sections import number_headings
from wikiapi.wikitext.block.tables import build_tables
from wikiapi.wikitext.expand.frame import Frame
from wikiapi.wikitext.html.entities import normalise_references
from wikiapi.wikitext.html.sanitizer import ESCAPES, sanitize_tags
from wikiapi.wikitext.html.spacing import armour_french_spaces, armour_outside_pre
from wikiapi.wikitext.html.tidy import tidy, tree_bytes, well_formed
from wikiapi.wikitext.inline.externallinks import format_labels, link_external
from wikiapi.wikitext.inline.freelinks import link_free_urls
from wikiapi.wikitext.inline.quotes import format_quotes
from wikiapi.wikitext.inline.wikilinks import link_pages
from wikiapi.wikitext.options import OnStage, Target
from wikiapi.wikitext.parsoid.blocks import wrap_blocks as parsoid_blocks
from wikiapi.wikitext.parsoid.clearing import (
    clear_cells,
    clear_tags,
    clear_targets,
    rename_reserved,
)
from wikiapi.wikitext.parsoid.elements import DISPLAY_SPACE
from wikiapi.wikitext.parsoid.entities import OWN_ESCAPES, mark_entities, without_entities
from wikiapi.wikitext.parsoid.fostering import tidy_page
from wikiapi.wikitext.parsoid.links import PageAddresses
from wikiapi.wikitext.parsoid.marks import without_marks
from wikiapi.wikitext.parsoid.sources import Sources
from wikiapi.wikitext.state import ParseState
from wikiapi.wikitext.variants.rendering import convert_page


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the pipeline: a function that takes and returns the text of a rendering."""

    name: str
    run: Callable[[str, ParseState], str]
    reason: str
    links_too: bool = True
    """Whether the stage also runs if only the links of a page are wanted."""
    clear: Callable[[str, Sources], str] | None = None
    """Called before ``run`` if the text contains source marks (see ``parsoid.sources``), to move
    them out of constructs that the stage could not recognise otherwise."""


_ROW_BYTES = 200
_LINE_BYTES = 120
"""Bytes in memory for each line of a text that is split into lines, however short they are."""


def _tables(text: str, state: ParseState) -> str:
    rows = text.count("\n") if "{|" in text else 0
    with state.budget.borrow(_ROW_BYTES * rows):
        html = build_tables(
            text,
            unstrip=_in_attributes(state),
            fragments=state.fragments,
            parsoid=state.options.parsoid,
        )
    return html if state.sources is None else rename_reserved(html)


def _blocks(text: str, state: ParseState) -> str:
    with state.budget.borrow(_LINE_BYTES * text.count("\n")):
        if state.sources is not None:
            return parsoid_blocks(text, state.sources)
        return wrap_blocks(text)


def _tidied(html: str, state: ParseState) -> str:
    with state.budget.borrow(tree_bytes(html)):
        sources = state.sources
        return state.with_code(tidy(html) if sources is None else tidy_page(html, sources))


def _in_tags(state: ParseState) -> Callable[[str], str]:
    """Return a function that finishes the attributes of tags.

    It also expands calls in them. Those in the page have been expanded before; others result from
    the expansion, as in the output of Lua, which is not expanded elsewhere.
    """
    restore = _in_attributes(state)

    def finish(attributes: str) -> str:
        if "{{" in attributes and state.sources is None:
            expander = state.expander
            attributes = expander.expand_text(attributes, expander.root_frame())
        return restore(attributes)

    return finish


def _in_attributes(state: ParseState) -> Callable[[str], str]:
    """Return a function that replaces strip markers in attributes by their contents."""
    restore = state.strip.unstrip_both
    if state.sources is None:
        return restore
    return lambda text: without_entities(without_marks(restore(text)))


def _entities(text: str, state: ParseState) -> str:
    """Return the text with its character references as elements, for Parsoid's HTML."""
    if state.sources is None:
        return text
    state.media.change_captions(text, mark_entities)
    return mark_entities(text)


FRAGMENT_STAGES: tuple[Stage, ...] = (
    Stage(
        "tags",
        lambda text, state: sanitize_tags(
            text,
            finish=_in_tags(state),
            unknown=state.unknown,
            fragments=state.fragments,
            protocols=state.link_rules.protocols,
            escapes=ESCAPES if state.sources is None else OWN_ESCAPES,
            closes_empty=state.options.parsoid,
        ),
        "first, so that all tags seen by later stages are allowed or made by wikiapi",
        clear=clear_tags,
    ),
    Stage(
        "tables",
        _tables,
        "before stages that add | or ! themselves, as links do",
        clear=clear_cells,
    ),
    Stage(
        "rules",
        lambda text, state: draw_rules(text),
        "after tables, whose |---- begins a row",
        links_too=False,
    ),
    Stage(
        "switches",
        lambda text, state: state.parser.switches.apply(
            text, state.title, state.output, state.notices, state.sources
        ),
        "before headings, so that a switch on the line of a heading does not hide it",
    ),
    Stage(
        "headings",
        lambda text, state: mark_headings(text, parsoid=state.options.parsoid),
        "before links, whose HTML has = in it",
    ),
    Stage(
        "links",
        link_pages,
        "before quotes: apostrophes in targets are not markup",
        clear=clear_targets,
    ),
    Stage(
        "quotes",
        lambda text, state: format_quotes(
            text if state.sources is None else format_labels(text, state)
        ),
        "after links, so that formatting may include them",
    ),
    Stage(
        "external",
        link_external,
        "after quotes, so that a label may be formatted; after links, which hide their brackets",
    ),
    Stage(
        "addresses",
        link_free_urls,
        "after bracketed links, which must not be linked again",
    ),
    Stage(
        "sections",
        number_headings,
        "after everything within a line, because an id is made from the final line of the heading",
        links_too=False,
    ),
    Stage(
        "entities",
        _entities,
        "last here, so that no other stage meets the elements for character references",
        links_too=False,
    ),
)

PAGE_STAGES: tuple[Stage, ...] = (
    Stage(
        "general",
        lambda text, state: state.strip.unstrip_general(text),
        "before paragraphs: the output of tags may contain blocks",
    ),
    Stage(
        "media",
        lambda text, state: state.media.replace(text),
        "after the output of tags, so that one query finds all files; an image may be a block",
    ),
    Stage(
        "blocks",
        _blocks,
        "after everything that can make a line a block",
    ),
    Stage(
        "holders",
        lambda text, state: state.links.replace(text),
        "after all links are known, so that one query finds the targets that exist",
    ),
    Stage(
        "variants",
        convert_page,
        "on the HTML with its links, while nowiki text, which is not converted, is still stripped",
    ),
    Stage(
        "nowiki",
        lambda text, state: state.strip.unstrip_both(text),
        "after everything that reads wikitext",
    ),
    Stage(
        "spaces",
        lambda text, state: (
            armour_outside_pre(text, DISPLAY_SPACE)
            if state.options.parsoid
            else armour_french_spaces(text)
        ),
        "on the complete text, without strip markers",
    ),
    Stage(
        "references",
        lambda text, state: normalise_references(text),
        "on the whole HTML, just before a real HTML parser reads it",
    ),
    Stage(
        "tidy",
        _tidied,
        "last, because it needs the whole page",
    ),
)


def parse_fragment(text: str, frame: Frame, state: ParseState) -> str:
    """Return wikitext as HTML without paragraphs, for the content of a tag."""
    expanded = state.expander.expand_content(text, frame)
    with state.headings.separate_outline():
        return half_parse(expanded, state)


def half_parse(text: str, state: ParseState, on_stage: OnStage | None = None) -> str:
    """Return expanded wikitext as HTML without paragraphs; it may still contain strip markers.

    ``on_stage`` is called with the name of each stage and the text after it.
    """
    return run(FRAGMENT_STAGES, text, state, on_stage)


def finish(text: str, state: ParseState, on_stage: OnStage | None = None) -> str:
    """Return the finished HTML for a result of :func:`half_parse`."""
    return run(PAGE_STAGES, text, state, on_stage)


def finish_captions(state: ParseState) -> None:
    """Make HTML without paragraphs of the captions that no reader sees, for Parsoid's HTML."""
    captions = state.sources.captions if state.sources else []
    for number, caption in enumerate(captions):
        # This may add captions, of pictures in this one.
        html = run(_CAPTION_STAGES, caption, state)
        with state.budget.borrow(tree_bytes(html)):
            captions[number] = well_formed(html)


def _unseen_links(text: str, state: ParseState) -> str:
    addresses = PageAddresses(state.site, state.title, for_view=False)
    return state.links.replace_unseen(text, addresses)


_CAPTION_STAGES = tuple(
    replace(stage, run=_unseen_links) if stage.name == "holders" else stage
    for stage in PAGE_STAGES
    if stage.name not in ("blocks", "tidy")
)


def run(
    stages: Iterable[Stage], text: str, state: ParseState, on_stage: OnStage | None = None
) -> str:
    """Return the text after running all of the stages on it."""
    only_links = state.options.target is Target.LINKS
    for stage in stages:
        if only_links and not stage.links_too:
            continue
        before = text
        if state.sources is not None and stage.clear:
            text = stage.clear(text, state.sources)
        text = stage.run(text, state)
        # Most stages have nothing to do in most texts.
        if text is not before:
            state.charge_growth(getsizeof(before), text)
        if on_stage is not None:
            on_stage(stage.name, text)
    state.charge_entries()
    return text
