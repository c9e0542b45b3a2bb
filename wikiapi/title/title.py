"""A page title: namespace and name, with the fragment and interwiki prefix of a link."""

from __future__ import annotations

from dataclasses import dataclass

from wikiapi.title.namespaces import Namespace


@dataclass(frozen=True, slots=True)
class Title:
    """A valid title. ``dbkey`` has underscores; an interwiki title has namespace 0.

    Titles are created by :class:`wikiapi.title.codec.TitleCodec`, never directly from user input.
    """

    namespace: Namespace
    dbkey: str
    fragment: str = ""
    interwiki: str = ""

    @property
    def ns(self) -> int:
        """The namespace number."""
        return self.namespace.id

    @property
    def key(self) -> tuple[int, str]:
        """The key of the page in the store: namespace number and dbkey."""
        return self.namespace.id, self.dbkey

    @property
    def text(self) -> str:
        """The name with spaces, without namespace."""
        return self.dbkey.replace("_", " ")

    @property
    def prefixed_dbkey(self) -> str:
        """The full name with underscores, including an interwiki prefix."""
        return self.prefixed_text.replace(" ", "_")

    @property
    def prefixed_text(self) -> str:
        """The full name with spaces, including an interwiki prefix."""
        name = self.namespace.prefix + self.dbkey.replace("_", " ")
        return f"{self.interwiki}:{name}" if self.interwiki else name

    @property
    def full_text(self) -> str:
        """The full name with its fragment."""
        return f"{self.prefixed_text}#{self.fragment}" if self.fragment else self.prefixed_text

    @property
    def is_external(self) -> bool:
        """Whether this is the title of a page on another wiki."""
        return bool(self.interwiki)

    def without_fragment(self) -> Title:
        """Return the same page without the fragment."""
        if not self.fragment:
            return self
        return Title(self.namespace, self.dbkey, "", self.interwiki)
