"""Finding the texts of the two sides of a comparison, from the parameters of a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wikiapi.accounts import signature_of
from wikiapi.api import Module, Param, boolean, enum, integer, page_of_id, string, text, valid_title
from wikiapi.errors import ApiError
from wikiapi.languages import Plain, plain_list
from wikiapi.site import Site
from wikiapi.store import RevisionRow
from wikiapi.store.queries import pages, revisions, texts, visibility
from wikiapi.title import Title, default_model
from wikiapi.wikitext import section_text, without_trailing_blanks
from wikiapi_plugins.query.authorship import readable_revision_bits
from wikiapi_plugins.shared.diffs import neighbours
from wikiapi_plugins.wikitext.contentmodels.names import content_formats, content_models

_WIKITEXT = "wikitext"


@dataclass(frozen=True)
class Side:
    """One side of a comparison.

    ``revision`` is ``None`` if the request contains the text, ``text`` is ``None`` if it is hidden.
    """

    title: Title | None = None
    revision: RevisionRow | None = None
    text: str | None = ""
    model: str = _WIKITEXT


class Sides:
    """Finds both sides of a request."""

    def __init__(self, module: Module) -> None:
        """Use the parameters of this module."""
        self._module = module
        self._p = module.p
        self._site = module.site
        # Texts that are hidden are never compared.
        self._seen = readable_revision_bits(module.context.user) & ~visibility.TEXT

    def read(self) -> tuple[Side, Side]:
        """Return both sides.

        Raises:
            ApiError: a side is not named, is named twice, or does not exist.
        """
        self._check("from", ("title", "id", "rev", "text", "slots"))
        self._check("to", ("title", "id", "rev", "text", "relative", "slots"))
        first = self._side("from")
        if not self._p.is_given("torelative"):
            return first, self._side("to", first)
        if first.revision is None:
            key = "apierror-compare-relative-to-nothing"
            raise ApiError("compare-relative-to-nothing", key)
        return self._relative(first, first.revision)

    def _check(self, side: str, names: Sequence[str]) -> None:
        full = [side + name for name in names]
        if all(self._p[name] is None for name in full):
            key = "apierror-missingparam-at-least-one-of"
            raise ApiError("missingparam", key, plain_list(full), len(full))

    def _side(self, side: str, other: Side | None = None) -> Side:
        base = self._base(side)
        given = self._given_text(side)
        if given is None:
            if self._p[f"{side}slots"]:
                key = "apierror-compare-maintextrequired"
                raise ApiError("compare-maintextrequired", key, side)
            return self._section_only(base, self._p[f"{side}section"])
        title = base.title or (other.title if other else None)
        model = self._model(side, base, other)
        text = self._placed(side, base, given)
        return Side(title, None, self._transformed(side, text, title, model), model)

    def _base(self, side: str) -> Side:
        """Return the stored revision that the request names."""
        revision_id, page_id = self._p[f"{side}rev"], self._p[f"{side}id"]
        if revision_id is not None:
            return self._revision(revision_id)
        if self._p[f"{side}title"] is not None:
            return self._page(side, self._p[f"{side}title"])
        if page_id is None:
            return Side()
        return self._revision(page_of_id(self._site.db, page_id).latest)

    def _page(self, side: str, name: str) -> Side:
        title = valid_title(self._site, name, interwiki=True)
        row = pages.by_titles(self._site.db, [title.key]).get(title.key)
        if row is not None and not title.interwiki:
            return self._revision(row.latest)
        if self._given_text(side) is None:
            key = "apierror-missingtitle-byname"
            raise ApiError("missingtitle", key, Plain(title.prefixed_text))
        return Side(title, model=default_model(title))

    def _revision(self, revision_id: int) -> Side:
        found = revisions.by_ids(self._site.db, [revision_id], self._seen).get(revision_id)
        page = pages.by_revision_ids(self._site.db, [revision_id]).get(revision_id)
        if found is None or page is None:
            raise ApiError("nosuchrevid", "apierror-nosuchrevid", revision_id)
        stored = texts.of_revisions(self._site.db, [revision_id]).get(revision_id)
        title = self._site.titles.make(*page.key)
        if stored is None:
            return Side(title, found, None)
        return Side(title, found, stored.text, stored.model)

    def _relative(self, first: Side, revision: RevisionRow) -> tuple[Side, Side]:
        match self._p.text_or_none("torelative"):
            case "prev":
                before = neighbours.before(self._site.db, revision)
                if before is None:
                    self._warn_alone("apiwarn-compare-no-prev", first, revision)
                    return Side(model=first.model), first
                return self._revision(before), first
            case "next":
                after = neighbours.after(self._site.db, revision)
                if after is None:
                    self._warn_alone("apiwarn-compare-no-next", first, revision)
                    return first, Side(None, None, first.text, first.model)
                return first, self._revision(after)
        page = pages.by_revision_ids(self._site.db, [revision.rev_id])[revision.rev_id]
        return first, self._revision(page.latest)

    def _warn_alone(self, key: str, side: Side, revision: RevisionRow) -> None:
        name = side.title.prefixed_text if side.title else ""
        self._module.warn(key, name, revision.rev_id)

    def _given_text(self, side: str) -> str | None:
        """Return the text in the request, from the deprecated parameter or that of the slot."""
        legacy: str | None = self._p[f"{side}text"]
        return legacy if legacy is not None else self._p.get(f"{side}text-{MAIN}")

    def _model(self, side: str, base: Side, other: Side | None) -> str:
        named = self._p.get(f"{side}contentmodel-{MAIN}") or self._p[f"{side}contentmodel"]
        if named:
            return str(named)
        if base.title is not None:
            return base.model
        if other is not None:
            return other.model
        self._module.warn("apiwarn-compare-nocontentmodel", _WIKITEXT)
        return _WIKITEXT

    def _placed(self, side: str, base: Side, text: str) -> str:
        """Return the base text with the given text in place of a section, if one is named."""
        section = self._p.get(f"{side}section-{MAIN}")
        if section is None or base.text is None:
            return text
        if section == "new":
            return f"{base.text}\n\n{text}" if base.text else text
        old = self._section(base.text, section)
        start = base.text.find(old)
        return base.text[:start] + text + base.text[start + len(old) :]

    def _section_only(self, base: Side, section: str | None) -> Side:
        if section is None or base.text is None:
            return base
        text = self._section(base.text, section)
        return Side(base.title, base.revision, text, base.model)

    def _section(self, text: str, section: str) -> str:
        found = section_text(text, section, self._site.parser.preprocessor)
        if found is None:
            raise ApiError("nosuchsection", "apierror-nosuchsection", Plain(section))
        return found

    def _transformed(self, side: str, text: str, title: Title | None, model: str) -> str:
        if not self._p[f"{side}pst"]:
            return text
        if model != _WIKITEXT:
            return without_trailing_blanks(text)
        page = title or self._site.titles.parse("API")
        return self._site.parser.saved(
            text, page, self._module.context.user.name, signature_of(self._module.context.user)
        )


MAIN = "main"
PROPS = (
    *("diff", "diffsize", "rel", "ids", "title", "user", "comment", "parsedcomment"),
    *("size", "timestamp"),
)
_VALUE_HELP = (
    ("diff", "The difference as HTML."),
    ("diffsize", "The size of that HTML in bytes."),
    ("rel", "The revisions before the older and after the newer one."),
    ("ids", "The ids of pages and revisions."),
    ("title", "The titles of the pages."),
    ("user", "The authors of the revisions."),
    ("comment", "The summaries of the revisions."),
    ("parsedcomment", "The summaries as HTML."),
    ("size", "The sizes of the revisions in bytes."),
    ("timestamp", "The timestamps of the revisions."),
)


def _slots(_: Site) -> tuple[str, ...]:
    return (MAIN,)


def _side(side: str, which: str, *, is_second: bool) -> tuple[Param, ...]:
    slot = ("slot", f"{side}slots")
    relative = enum("torelative", "prev", "next", "cur",
                    help="Compare with the revision before or after the first one, or with the "
                    "current one.")  # fmt: skip
    return (
        string(f"{side}title", f"Title of the {which} page."),
        integer(f"{side}id", f"Id of the {which} page."),
        integer(f"{side}rev", f"Id of the {which} revision."),
        *((relative,) if is_second else ()),
        enum(f"{side}slots", choices=_slots, multi=True,
             help="Slots whose content is in the parameters named after them."),
        text(f"{side}text-{{slot}}", "Content of the slot.", template=slot),
        string(f"{side}section-{{slot}}", "The section that the content replaces.",
               template=slot),
        enum(f"{side}contentformat-{{slot}}", choices=content_formats, template=slot,
             help="Serialisation of the text."),
        enum(f"{side}contentmodel-{{slot}}", choices=content_models, template=slot,
             help="Content model of the text."),
        boolean(f"{side}pst", "Transform the text as saving it would."),
        text(f"{side}text", f"Use ``{side}slots=main`` instead.", deprecated=True),
        enum(f"{side}contentformat", choices=content_formats, deprecated=True,
             help=f"Use ``{side}slots=main`` instead."),
        enum(f"{side}contentmodel", choices=content_models, deprecated=True,
             help=f"Use ``{side}slots=main`` instead."),
        string(f"{side}section", "Only this section of the content.", deprecated=True),
    )  # fmt: skip


PARAMS = (
    *_side("from", "first", is_second=False),
    *_side("to", "second", is_second=True),
    enum("prop", *PROPS, multi=True, default="diff|ids|title", value_help=_VALUE_HELP,
         help="Properties to include."),
    enum("slots", choices=_slots, multi=True, all_value="*",
         help="Return a separate difference for each of these slots."),
    enum("difftype", "table", "inline", "unified", default="table",
         help="Show the difference as a table, marked within one text, or as lines with + "
         "and -."),
)  # fmt: skip
