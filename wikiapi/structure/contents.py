"""Sections, references and infobox of a rendered page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from selectolax.lexbor import LexborNode

from wikiapi.structure.texts import body_of, classes_of, elements_in_tables, plain_text, text_of
from wikiapi.texts import TRIMMED
from wikiapi.wikitext.preprocess.nodes import Heading
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor

_INFOBOX = "table.infobox, aside.portable-infobox, table[class*=infobox]"
_MAX_FIELDS = 500
_TITLE = "caption, .pi-title, .infobox-title, .infobox-above, th[colspan]"


@dataclass(frozen=True, slots=True)
class PageSection:
    """The text from a heading up to the next one.

    Attributes:
        title: the text of the heading; empty for the lead section, which every page has.
        level: 1 to 6 for a heading; 0 for the lead section.
        anchor: the fragment of the URL that leads to the section.
        source: its wikitext, with the heading; empty if the heading comes from a template.
        html: its HTML without the heading.
    """

    title: str
    level: int
    anchor: str
    source: str
    html: str

    @property
    def text(self) -> str:
        """The text of the section without markup and heading."""
        return plain_text(self.html)


def page_sections(
    html: str, headings: Sequence[Mapping[str, object]], source: str, reader: Preprocessor
) -> list[PageSection]:
    """Return the sections of a page in the order of the text.

    A heading within a box does not begin a section, since its text would not be complete.

    Args:
        html: the rendered page.
        headings: the ``sections`` of ``action=parse``.
        source: the page's wikitext.
        reader: finds the headings in it.
    """
    written = [node for node in reader.tree(source) if isinstance(node, Heading)]
    ends = [*(heading.offset for heading in written[1:]), len(source)]
    sources = {
        str(heading.index): source[heading.offset : end].rstrip(TRIMMED)
        for heading, end in zip(written, ends, strict=False)
    }
    lead = source[: written[0].offset if written else None].rstrip(TRIMMED)
    indices = {str(heading["anchor"]): str(heading["index"]) for heading in headings}

    begun: list[LexborNode] = []
    blocks: list[list[str]] = [[]]
    for block in body_of(html).iter(include_text=True):
        node = _heading_of(block)
        if node is None:
            blocks[-1].append(block.html or "")
        else:
            begun.append(node)
            blocks.append([])
    contents = ["".join(pieces).strip() for pieces in blocks]

    sections = [PageSection("", 0, "", lead, contents[0])]
    for node, content in zip(begun, contents[1:], strict=True):
        anchor = node.attributes.get("id") or ""
        wikitext = sources.get(indices.get(anchor, ""), "")
        level = int((node.tag or "h2")[1:])
        sections.append(PageSection(text_of(node), level, anchor, wikitext, content))
    return sections


def _heading_of(block: LexborNode) -> LexborNode | None:
    """Return the heading if a block is one, or the box around one."""
    if block.is_element_node and "mw-heading" in classes_of(block):
        return block.css_first("h1, h2, h3, h4, h5, h6")
    return None


@dataclass(frozen=True, slots=True)
class Reference:
    """A note of ``<ref>``, as a list of references shows it.

    Attributes:
        number: its position in its list, from 1.
        group: the group of the list; empty for the usual one.
        html: its content.
        urls: the addresses of its external links.
        uses: how often the page refers to it.
    """

    number: int
    group: str
    html: str
    urls: Sequence[str]
    uses: int

    @property
    def text(self) -> str:
        """The content without markup."""
        return plain_text(self.html)


def page_references(html: str) -> list[Reference]:
    """Return the references of a page, list by list."""
    references: list[Reference] = []
    pending = [body_of(html)]
    while pending:
        node = pending.pop()
        if node.tag != "ol" or "references" not in classes_of(node):
            pending += reversed(list(node.iter()))
            continue
        group = node.attributes.get("data-mw-group") or ""
        for number, note in enumerate((item for item in node.iter() if item.tag == "li"), 1):
            content = note.css_first(".reference-text") or note
            urls = [link.attributes.get("href") or "" for link in content.css("a.external[href]")]
            uses = len(note.css(".mw-cite-backlink a"))
            references.append(
                Reference(number, group, (content.inner_html or "").strip(), urls, uses)
            )
    return references


@dataclass(frozen=True, slots=True)
class Field:
    """The value of an infobox at a label."""

    html: str
    text: str


@dataclass(frozen=True, slots=True)
class Infobox:
    """The box with the facts of a page.

    Attributes:
        title: its heading; empty if it has none.
        fields: the values by the text of their labels. The first one with a label counts.
        images: the addresses of its pictures.
    """

    title: str
    fields: Mapping[str, Field]
    images: Sequence[str]


def page_infobox(html: str) -> Infobox | None:
    """Return the first infobox of a page: a table of this class, or a portable infobox."""
    box = body_of(html).css_first(_INFOBOX)
    if box is None:
        return None
    title = box.css_first(_TITLE)
    fields: dict[str, Field] = {}
    rows = (
        node
        for node in elements_in_tables(box)
        if node.tag == "tr" or "pi-data" in classes_of(node)
    )
    for row in islice(rows, _MAX_FIELDS):
        if row.tag == "tr":
            cells = {cell.tag: cell for cell in reversed(list(row.iter()))}
            label, value = cells.get("th"), cells.get("td")
        else:
            label, value = row.css_first(".pi-data-label"), row.css_first(".pi-data-value")
        if label is not None and value is not None and (name := text_of(label)):
            fields.setdefault(name, Field((value.inner_html or "").strip(), text_of(value)))
    pictures = [image.attributes.get("src") or "" for image in box.css("img[src]")]
    return Infobox(text_of(title) if title else "", fields, pictures)
