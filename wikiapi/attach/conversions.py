"""The variables of a ``LocalSettings.php`` by type, and how settings follow from them.

A setting whose declaration names one variable has its value. The others have a function in
:data:`CONVERSIONS`.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from wikiapi.attach.php.reader import LocalSettings
from wikiapi.attach.php.values import LARGEST_INT, PhpArray, PhpValue, as_number, as_text, is_true
from wikiapi.config import (
    Config,
    EditingConfig,
    FilesConfig,
    GalleryConfig,
    PermissionsConfig,
    WikitextConfig,
    counterparts,
)
from wikiapi.title.namespaces import ENGLISH_NAMES, MAIN, core_namespaces
from wikiapi.wikitext.protocols import LISTED

_SECONDS_OF_DAY = 86_400
_BYTES_OF_KIB = 1024
_HASH_LEVELS = 2


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


class Setting(NamedTuple):
    """A setting of the configuration, and the variables that say the same."""

    table: str
    name: str
    variables: tuple[str, ...]
    hint: Any
    default: Any

    @property
    def key(self) -> str:
        """The table and the name, as in ``site.name``."""
        return f"{self.table}.{self.name}"


Conversion = Callable[[Variables], object]


def settings_with_variables() -> Iterator[Setting]:
    """Yield the settings of all tables of which there is one, with their variables."""
    for table, hint in typing.get_type_hints(Config).items():
        if not dataclasses.is_dataclass(hint):
            continue
        cls = typing.cast("type", hint)
        hints = typing.get_type_hints(cls)
        for each in dataclasses.fields(hint):
            if variables := counterparts(cls, each.name):
                default = each.default
                if each.default_factory is not dataclasses.MISSING:
                    default = each.default_factory()
                yield Setting(table, each.name, variables, hints[each.name], default)


def value_of(setting: Setting, variables: Variables) -> object:
    """Return the value of a setting, as TOML has it.

    Raises:
        Unsuitable: the variables have values that the setting cannot have.
    """
    if convert := CONVERSIONS.get(setting.key):
        return convert(variables)
    hint, name = setting.hint, setting.variables[0]
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        hint = next(each for each in typing.get_args(hint) if each is not types.NoneType)
    if hint is bool:
        return variables.flag(name)
    if hint is int:
        return variables.number(name)
    if typing.get_origin(hint) is tuple:
        if typing.get_args(hint)[0] is int:
            return [number_of(each, name) for each in variables.array(name).values()]
        return variables.texts(name)
    return variables.text(name)


# Conversions


def _project_namespace(variables: Variables) -> str:
    name = variables.text("wgMetaNamespace").replace("_", " ")
    return "" if name == variables.text("wgSitename").replace("_", " ") else name


def _wiki_id(variables: Variables) -> str:
    name, prefix = variables.text("wgDBname"), variables.text("wgDBprefix")
    return f"{name}-{prefix}" if prefix else name


def _server(variables: Variables) -> str:
    address = variables.text("wgServer").rstrip("/")
    return f"https:{address}" if address.startswith("//") else address


def _article_path(variables: Variables) -> str:
    """Return the path of pages; without one MediaWiki names the page after its script."""
    if path := variables.text("wgArticlePath"):
        if "$1" not in path:
            raise Unsuitable("$wgArticlePath has no $1 in place of the page")
        return path
    script = variables.text("wgScript") or f"{_script_path(variables)}/index.php"
    ending = "/$1" if variables.flag("wgUsePathInfo", default=True) else "?title=$1"
    return f"{script}{ending}"


def _script_path(variables: Variables) -> str:
    return variables.text("wgScriptPath").rstrip("/")


def _logo(variables: Variables) -> str:
    logos = variables.raw("wgLogos")
    if isinstance(logos, dict):
        named = (logos.get(kind) for kind in ("1x", "svg", "icon"))
        if logo := next((each for each in named if isinstance(each, str)), ""):
            return logo
    return variables.text("wgLogo")


def _magic_links(variables: Variables) -> list[str]:
    return [str(kind) for kind, on in variables.array("wgEnableMagicLinks").items() if is_true(on)]


def _display_title(variables: Variables) -> str:
    if not variables.flag("wgAllowDisplayTitle", default=True):
        return "off"
    return "restricted" if variables.flag("wgRestrictDisplayTitle", default=True) else "free"


def _external_images(variables: Variables) -> bool | list[str]:
    if variables.flag("wgAllowExternalImages"):
        return True
    return [each for each in variables.texts("wgAllowExternalImagesFrom") if each] or False


def _add_protocols(variables: Variables) -> list[str]:
    usual = set(LISTED)
    return [each for each in variables.texts("wgUrlProtocols") if each not in usual]


def _remove_protocols(variables: Variables) -> list[str]:
    kept = set(variables.texts("wgUrlProtocols"))
    return [each for each in LISTED if each not in kept]


def _groups(variables: Variables) -> dict[str, list[str]]:
    groups = variables.array("wgGroupPermissions")
    return {str(group): _rights(rights) for group, rights in groups.items() if group != "*"}


def _rights(rights: PhpValue) -> list[str]:
    if not isinstance(rights, dict):
        raise Unsuitable("$wgGroupPermissions has a group without an array of rights")
    return [str(right) for right, granted in rights.items() if is_true(granted)]


def _upload_bytes(variables: Variables) -> int:
    value = variables.raw("wgMaxUploadSize")
    return number_of(value.get("*") if isinstance(value, dict) else value, "wgMaxUploadSize")


def _place(variables: Variables, option: str, name: str) -> int:
    """Return the place of a user's option, which is a key, among the elements of an array."""
    key = number_of(variables.array("wgDefaultUserOptions").get(option), "wgDefaultUserOptions")
    keys = list(variables.array(name))
    if key not in keys:
        raise Unsuitable(f"$wgDefaultUserOptions['{option}'] is {key}, which ${name} lacks")
    return keys.index(key)


def _image_limits(variables: Variables) -> list[list[int]]:
    limits = variables.array("wgImageLimits").values()
    if not all(isinstance(each, dict) for each in limits):
        raise Unsuitable("$wgImageLimits has an element without a width and a height")
    return [
        [number_of(length, "wgImageLimits") for length in each.values()]
        for each in limits
        if isinstance(each, dict)
    ]


def _gallery(name: str, read: Callable[[PhpValue, str], object]) -> Conversion:
    """Return a conversion of an element of ``$wgGalleryOptions``."""
    return lambda variables: read(variables.array("wgGalleryOptions").get(name), "wgGalleryOptions")


def _truth(value: PhpValue, _name: str) -> bool:
    return is_true(value)


CONVERSIONS: Mapping[str, Conversion] = {
    "site.project_namespace": _project_namespace,
    "site.wiki_id": _wiki_id,
    "site.server": _server,
    "site.script_path": _script_path,
    "site.article_path": _article_path,
    "site.main_subpages": lambda variables: is_true(
        variables.array("wgNamespacesWithSubpages").get(MAIN)
    ),
    "site.logo": _logo,
    "wikitext.magic_links": _magic_links,
    "wikitext.display_title": _display_title,
    "wikitext.external_images": _external_images,
    "wikitext.add_protocols": _add_protocols,
    "wikitext.remove_protocols": _remove_protocols,
    "permissions.anonymous_rights": lambda variables: _rights(
        variables.array("wgGroupPermissions").get("*")
    ),
    "permissions.groups": _groups,
    "permissions.autoconfirm_days": lambda variables: (
        -(-variables.number("wgAutoConfirmAge") // _SECONDS_OF_DAY)
    ),
    "permissions.protection_levels": lambda variables: [
        level for level in variables.texts("wgRestrictionLevels") if level
    ],
    "editing.email": lambda variables: all(
        variables.flag(name, default=True) for name in ("wgEnableEmail", "wgEnableUserEmail")
    ),
    "editing.upload_bytes": _upload_bytes,
    "files.url": lambda variables: (
        variables.text("wgUploadPath").rstrip("/") or f"{_script_path(variables)}/images"
    ),
    "files.hash_levels": lambda variables: (
        _HASH_LEVELS if variables.flag("wgHashedUploadDirectory", default=True) else 0
    ),
    "files.thumb_size": lambda variables: _place(variables, "thumbsize", "wgThumbLimits"),
    "files.image_limits": _image_limits,
    "files.image_size": lambda variables: _place(variables, "imagesize", "wgImageLimits"),
    "gallery.images_per_row": _gallery("imagesPerRow", number_of),
    "gallery.image_width": _gallery("imageWidth", number_of),
    "gallery.image_height": _gallery("imageHeight", number_of),
    "gallery.show_bytes": _gallery("showBytes", _truth),
    "gallery.show_dimensions": _gallery("showDimensions", _truth),
    "gallery.mode": _gallery("mode", text_of),
    "limits.article_size": lambda variables: variables.number("wgMaxArticleSize") * _BYTES_OF_KIB,
}
"""The settings whose values are converted: from other units, from arrays, or from several
variables."""

DIFFERENT_DEFAULTS = frozenset(
    {"site.name", "site.wiki_id", "site.script_path", "site.article_path"}
    | {"files.url", "files.uploads"}
)
"""The settings whose defaults are not MediaWiki's, so that they are set in any case."""


# Values before the files


def _array_of(values: Iterable[Any]) -> PhpArray:
    """Return an array with values under the numbers from 0; sequences become arrays as well."""
    return {
        number: _array_of(value) if isinstance(value, tuple | list) else value
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
        "wgUrlProtocols": _array_of(LISTED),
        "wgNoFollowDomainExceptions": _array_of(WikitextConfig().no_follow_domains),
        "wgFragmentMode": _array_of(WikitextConfig().fragment_mode),
        "wgRestrictionLevels": _array_of(("", *PermissionsConfig().protection_levels)),
        "wgCascadingRestrictionLevels": _array_of(PermissionsConfig().cascading_levels),
        "wgSemiprotectedRestrictionLevels": _array_of(PermissionsConfig().semiprotected_levels),
        "wgFileExtensions": _array_of(EditingConfig().upload_types),
        "wgThumbLimits": _array_of(files.thumb_limits),
        "wgImageLimits": _array_of(files.image_limits),
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
