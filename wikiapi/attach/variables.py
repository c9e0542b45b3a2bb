"""The variables of a ``LocalSettings.php`` by type, and the values that they have before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wikiapi.attach.php.reader import LocalSettings
from wikiapi.attach.php.values import LARGEST_INT, PhpArray, PhpValue, as_number, as_text, is_true
from wikiapi.config import EditingConfig, FilesConfig, GalleryConfig, WikitextConfig
from wikiapi.title.namespaces import ENGLISH_NAMES, MAIN, core_namespaces
from wikiapi.wikitext.protocols import LISTED


class Unsuitable(Exception):
    """A variable has a value that cannot be taken over. The text says why."""


class Variables:
    """Gives the values of variables as the types of settings, and notes which were asked for."""

    def __init__(self, settings: LocalSettings) -> None:
        """Take what the files assign."""
        self._settings = settings
        self.asked: set[str] = set()

    def is_set(self, name: str) -> bool:
        """Return whether the files set a variable."""
        self.asked.add(name)
        return name in self._settings.places and name in self._settings.values

    def is_doubtful(self, name: str) -> bool:
        """Return whether a variable may have another value, because something was not read."""
        return name in self._settings.doubtful

    def raw(self, name: str) -> PhpValue:
        """Return a value as it is; null if there is none."""
        self.asked.add(name)
        return self._settings.values.get(name)

    def text(self, name: str) -> str:
        """Return a text; empty for null and false.

        Raises:
            Unsuitable: the value is no text.
        """
        return text_of(self.raw(name), name)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a truth value; the default for null and a variable that is not set."""
        value = self.raw(name)
        return default if value is None else is_true(value)

    def number(self, name: str) -> int:
        """Return a number without a fraction; 0 for null and false.

        Raises:
            Unsuitable: the value is no such number.
        """
        return number_of(self.raw(name), name)

    def array(self, name: str) -> PhpArray:
        """Return an array, which is empty for null, false and an empty text.

        Raises:
            Unsuitable: the value is no array.
        """
        value = self.raw(name)
        if value in (None, False, ""):
            return {}
        if not isinstance(value, dict):
            raise Unsuitable(f"${name} is no array")
        return value

    def texts(self, name: str) -> list[str]:
        """Return the elements of an array of texts, or a text as the only one.

        Raises:
            Unsuitable: there is something else.
        """
        value = self.raw(name)
        if isinstance(value, str) and value:
            return [value]
        return [text_of(each, name) for each in self.array(name).values()]

    def by_namespace(self, name: str) -> Iterator[tuple[int, PhpValue]]:
        """Yield the elements of an array whose keys are numbers of namespaces.

        Raises:
            Unsuitable: a key is no number.
        """
        for key, value in self.array(name).items():
            if not isinstance(key, int):
                raise Unsuitable(f"${name} has the key {key!r}, which is no number of a namespace")
            yield key, value


def text_of(value: PhpValue, name: str) -> str:
    """Return the text in a variable."""
    try:
        return as_text(value)
    except ValueError:
        raise Unsuitable(f"${name} is no text") from None


def number_of(value: PhpValue, name: str) -> int:
    """Return the number in a variable."""
    try:
        number = as_number(value)
    except ValueError:
        raise Unsuitable(f"${name} is no number") from None
    if not abs(number) <= LARGEST_INT or number != int(number):  # neither is true of NaN
        raise Unsuitable(f"${name} is no whole number")
    return int(number)


def array_of(values: Iterable[Any]) -> PhpArray:
    """Return an array with values under the numbers from 0; sequences become arrays as well."""
    return {
        number: array_of(value) if isinstance(value, tuple | list) else value
        for number, value in enumerate(values)
    }


def initial_values(groups: Mapping[str, Iterable[str]]) -> dict[str, PhpValue]:
    """Return the variables that files add elements to, or that differ from the defaults here.

    Args:
        groups: the rights that MediaWiki gives to groups of users.
    """
    gallery, files = GalleryConfig(), FilesConfig()
    return {
        "wgSitename": "MediaWiki",
        "wgScriptPath": "/wiki",
        "wgDBname": "my_wiki",
        "wgDBtype": "mysql",
        "wgDBserver": "localhost",
        "wgContentNamespaces": {0: MAIN},
        "wgNamespacesWithSubpages": {
            each.id: each.subpages for each in core_namespaces("Project") if each.id >= 0
        },
        "wgEnableMagicLinks": {"ISBN": False, "PMID": False, "RFC": False},
        "wgUrlProtocols": array_of(LISTED),
        "wgNoFollowDomainExceptions": array_of(WikitextConfig().no_follow_domains),
        "wgFragmentMode": array_of(WikitextConfig().fragment_mode),
        "wgFileExtensions": array_of(EditingConfig().upload_types),
        "wgThumbLimits": array_of(files.thumb_limits),
        "wgImageLimits": array_of(files.image_limits),
        "wgDefaultUserOptions": {"thumbsize": files.thumb_size, "imagesize": files.image_size},
        "wgGalleryOptions": {
            "imagesPerRow": gallery.images_per_row,
            "imageWidth": gallery.image_width,
            "imageHeight": gallery.image_height,
            "captionLength": True,
            "showBytes": gallery.show_bytes,
            "showDimensions": gallery.show_dimensions,
            "mode": gallery.mode,
        },
        "wgGroupPermissions": {
            group: dict.fromkeys(rights, True) for group, rights in groups.items()
        },
    }


def namespace_constants() -> dict[str, PhpValue]:
    """Return the constants of the namespaces of every wiki, with the former names for files."""
    names = {number: name or "Main" for number, name in ENGLISH_NAMES.items() if number < 828}
    constants: dict[str, PhpValue] = {
        f"NS_{name.upper().replace(' ', '_')}": number for number, name in names.items()
    }
    return constants | {"NS_IMAGE": 6, "NS_IMAGE_TALK": 7}
