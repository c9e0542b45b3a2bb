"""Footnotes as HTML: marks in the text, and the list that they link to."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cached_property

from wikiapi.languages import Message, Template, declared_separators, localize_digits
from wikiapi.wiki import Wiki
from wikiapi.wikitext import (
    ParseState,
    encode_attribute,
    escape_attribute,
    escape_text,
    parse_fragment,
)
from wikiapi_plugins.extensions.cite.arguments import (
    Problem,
    RefArguments,
    problem_html,
    problem_wikitext,
)
from wikiapi_plugins.extensions.cite.footnotes import DEFAULT_GROUP, Footnote

_UP = "↑"
_GROUP_MESSAGE = "cite_link_label_group-"
_BLANKS = re.compile(r"[_\s]+")


class FootnoteRenderer:
    """Renders the footnotes of one page."""

    def __init__(self, state: ParseState) -> None:
        self._state = state
        self._group_labels: dict[str, list[str]] = {}
        self._forms: dict[str, str] = {}

    css = "references"
    """CSS classes of a list."""

    def mark(self, note: Footnote, arguments: RefArguments) -> str:
        """Return the mark of a footnote's latest use: a link to its entry in the list.

        ``arguments`` are those of the use.
        """
        identifier = encode_attribute(self._mark_id(note, note.uses - 1))
        target, label = self._target(self._note_id(note)), self._label(note)
        return self._form("cite_reference_link", identifier, target, label)

    def list(self, notes: Sequence[Footnote], group: str) -> str:
        """Return the list of the footnotes; an empty text if there are none.

        It is parsed as one piece of wikitext: unclosed markup of an entry reaches into the next.
        """
        if not notes:
            return ""
        lines = [self._entry(note) + "\n" for note in notes]
        html = parse_fragment("".join(lines), self._state.expander.root_frame(), self._state)
        attribute = "" if group == DEFAULT_GROUP else f' data-mw-group="{encode_attribute(group)}"'
        return f'<ol class="{self.css}"{attribute}>\n{html}</ol>'

    def _entry(self, note: Footnote) -> str:
        """Return the entry of a footnote, with those of its details, as wikitext."""
        text = f'<span class="reference-text">{self._text(note)}</span>'
        if not note.number:
            return f"<p>{text}\n</p>"
        identifier = encode_attribute(self._note_id(note))
        style = f' class="mw-cite-dir-{note.direction}"' if note.direction else ""
        back = self._state.strip.add_general(self._backlinks(note), "cite")
        return f'<li id="{identifier}"{style}>{back}{text}\n{self._details(note)}</li>'

    def _details(self, note: Footnote) -> str:
        """Return the list of the details of a footnote as wikitext; empty if it has none."""
        if not note.details:
            return ""
        entries = "\n".join([self._entry(detail) for detail in note.details.values()])
        return f'<ol class="mw-subreference-list">{entries}\n</ol>'

    def _text(self, note: Footnote) -> str:
        """Return the text of a footnote, and its problem if it has one."""
        text, problem = note.text, note.problem
        if text is None and problem is None:
            # In the preview of a section, the text may well be in another section.
            is_preview = self._state.options.section_preview
            warning = "cite_warning_sectionpreview_no_text"
            key = warning if is_preview else "cite_error_references_no_text"
            problem = Problem.of(key, note.name)
        text = (text or "").rstrip("\n")
        return f"{text} {problem_wikitext(problem, self._state)}" if problem else text

    def _backlinks(self, note: Footnote) -> str:
        """Return links to the uses of a footnote; several have numbers padded to one width."""
        if not note.uses:
            return f'<span class="mw-cite-backlink">{_UP}</span> '
        if note.uses == 1:
            return self._form("cite_references_link_one", "", self._target(self._mark_id(note, 0)))
        width = len(str(note.uses - 1))
        number, letters = self._number(note), self._letters
        labels = [f"{number}{self._point}{self._digits(f'{n:0{width}}')}" for n in range(note.uses)]
        links = [
            self._form(
                "cite_references_link_many_format",
                self._target(self._mark_id(note, use)),
                label,
                letters[use] if use < len(letters) else label,
            )
            for use, label in enumerate(labels)
        ]
        text = self._state.messages.text
        between = escape_text(text("cite_references_link_many_sep"))
        last = escape_text(text("cite_references_link_many_and"))
        joined = f"{between.join(links[:-1])}{last}{links[-1]}"
        return self._form("cite_references_link_many", "", joined)

    @cached_property
    def _letters(self) -> Sequence[str]:
        """The labels of links back that are not numbers, which a wiki can use instead."""
        text = self._state.messages.text("cite_references_link_many_format_backlink_labels")
        return [escape_text(label) for label in text.split()]

    def _form(self, key: str, *values: str) -> str:
        """Return the HTML of a form, a text of the wiki, with values that are HTML."""
        if key not in self._forms:
            site = self._state.site
            template = self._state.messages.template(key, site.language)
            self._forms[key] = site.derived(Forms).html(template.text if template else "")
        return _PARAMETER.sub(
            lambda match: values[int(match[1]) - 1] if int(match[1]) <= len(values) else match[0],
            self._forms[key],
        )

    def _label(self, note: Footnote) -> str:
        """Return the label of a mark: its number, or the label that the wiki defines for it."""
        if note.group == DEFAULT_GROUP:
            return self._number(note)
        if note.group not in self._group_labels:
            self._group_labels[note.group] = self._state.messages.page_text(
                _GROUP_MESSAGE + note.group
            ).split()
        labels = self._group_labels[note.group]
        if not labels:
            return f"{escape_text(note.group)} {self._number(note)}"
        detail = f"{self._point}{self._digits(str(note.number))}" if note.whole else ""
        number = (note.whole or note).number
        if number > len(labels):
            key = _GROUP_MESSAGE + note.group
            problem = Problem.of("cite_error_no_link_label_group", note.group, key)
            return problem_html(problem, self._state) + detail
        frame = self._state.expander.root_frame()
        return parse_fragment(labels[number - 1], frame, self._state) + detail

    def _number(self, note: Footnote) -> str:
        """Return the number of a footnote in its group; that of details has two parts (``2.1``)."""
        whole = f"{self._digits(str(note.whole.number))}{self._point}" if note.whole else ""
        return f"{whole}{self._digits(str(note.number))}"

    @cached_property
    def _point(self) -> str:
        """What separates the parts of a number in the content language."""
        return declared_separators(self._state.site.language)[-1]

    def _digits(self, text: str) -> str:
        return localize_digits(text, self._state.site.language)

    def _note_id(self, note: Footnote) -> str:
        """Return the id of an entry in the list."""
        name = f"{note.name}-" if note.name else ""
        return self._id(f"cite_note-{name}{note.serial}")

    def _mark_id(self, note: Footnote, use: int) -> str:
        """Return the id of the mark of a use; the first use is 0."""
        if note.name:
            return self._id(f"cite_ref-{note.name}_{note.serial}-{use}")
        return f"cite_ref-{note.serial}-{use}" if use else f"cite_ref-{note.serial}"

    def _id(self, text: str) -> str:
        return self._state.fragments.id(_BLANKS.sub("_", text))

    def _target(self, identifier: str) -> str:
        """Return an id of the same page as it stands in a link."""
        return escape_attribute(self._state.fragments.link(identifier))


class Forms:
    """The forms of marks and links back as HTML with placeholders, such as ``$1``.

    Created with ``site.derived``.
    """

    def __init__(self, site: Wiki) -> None:
        """Start without any."""
        self._site = site
        self._html: dict[str, str] = {}

    def html(self, wikitext: str) -> str:
        """Return a form that is given as wikitext.

        Of a form of an entry in the list, this is the part before the text of the footnote.
        """
        if wikitext not in self._html:
            if len(self._html) >= _MAX_FORMS:
                self._html.clear()
            entry = _ENTRY.fullmatch(wikitext)
            text = _PARAMETER.sub(_IN_IDS, entry[1] if entry else wikitext)
            template = Template(text, self._site.language)
            html = _PARAMETER_IN_IDS.sub(r"$\1", self._site.messages.render(template, Message("")))
            self._html[wikitext] = f"{html} " if entry else html
        return self._html[wikitext]


_ENTRY = re.compile(r"<li\b[^<>]*>(.*)\s\$3\s*</li>", re.DOTALL)
_PARAMETER = re.compile(r"\$([1-3])")
_IN_IDS = r"cite-parameter-\1-"
"""What stands for a parameter while a form is rendered: legacy ids have no ``$``."""
_PARAMETER_IN_IDS = re.compile("cite-parameter-([1-3])-")
_MAX_FORMS = 64


_OPEN = '<span class="cite-bracket">&#91;</span>'
_CLOSE = '<span class="cite-bracket">&#93;</span>'


class ParsoidRenderer(FootnoteRenderer):
    """Renders the footnotes of one page in Parsoid's form.

    The mark refers to the text of its footnote by an id.
    """

    css = "mw-references references"

    def mark(self, note: Footnote, arguments: RefArguments) -> str:
        """Return the mark of a footnote's latest use."""
        identifier = encode_attribute(self._mark_id(note, note.uses - 1))
        data = ""
        if arguments.content is not None:
            body = json.dumps({"body": {"id": self.text_id(note)}}, ensure_ascii=False)
            data = f' data-mw="{encode_attribute(body)}"'
        href = encode_attribute(self._state.addresses.section(self._note_id(note)))
        label = self.bracketed(note)
        return (
            f'<sup class="mw-ref reference" id="{identifier}" rel="dc:references"{data}>'
            f'<a href="{href}"{group_attribute(note)}>'
            f'<span class="mw-reflink-text">{label}</span></a></sup>'
        )

    def _entry(self, note: Footnote) -> str:
        """Return the entry of a footnote, with those of its details, as wikitext."""
        identifier = encode_attribute(self._note_id(note))
        text_id = encode_attribute(self.text_id(note))
        text = f'<span id="{text_id}" class="mw-reference-text reference-text">'
        if not note.number:
            return (
                f"<p>{self._state.strip.add_general(text, 'cite')}{self._text(note)}</span>\n</p>"
            )
        style = f' class="mw-cite-dir-{note.direction}"' if note.direction else ""
        # An arrow leads to the use of a footnote, and numbers to several.
        if note.uses == 1:
            link = self._back_link(note, 0, "↑", ' rel="mw:referencedBy"')
            back = f'<span class="mw-cite-backlink">{link}</span>'
        else:
            links = "".join([self._back_link(note, use, str(use + 1)) for use in range(note.uses)])
            back = f'<span rel="mw:referencedBy" class="mw-cite-backlink">{links}</span>'
        opening = (
            f'<li about="#{identifier}" id="{identifier}"{style}'
            f' data-mw-footnote-number="{self._number(note)}">{back} {text}'
        )
        begun = self._state.strip.add_general(opening, "cite")
        return (
            f"{begun}{self._text(note)}</span>{self._after_text(note)}\n{self._details(note)}</li>"
        )

    def _after_text(self, _: Footnote) -> str:
        """Return what the entry of a footnote has after its text, as wikitext."""
        return ""

    def _back_link(self, note: Footnote, use: int, label: str, attributes: str = "") -> str:
        href = encode_attribute(self._state.addresses.section(self._mark_id(note, use)))
        return (
            f'<a href="{href}"{group_attribute(note)}{attributes}>'
            f'<span class="mw-linkback-text">{label} </span></a>'
        )

    def bracketed(self, note: Footnote) -> str:
        """Return the label of a mark in brackets."""
        return f"{_OPEN}{self._label(note)}{_CLOSE}"

    def text_id(self, note: Footnote) -> str:
        """Return the id of the text of a footnote."""
        return f"mw-reference-text-{self._note_id(note)}"


def group_attribute(note: Footnote) -> str:
    """Return the attribute that tells the group of a footnote; empty for the default group."""
    return "" if note.group == DEFAULT_GROUP else f' data-mw-group="{encode_attribute(note.group)}"'
