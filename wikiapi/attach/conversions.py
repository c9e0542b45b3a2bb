"""How settings follow from the variables of MediaWiki.

A setting whose declaration names one variable has its value. The others have a function in
:data:`CONVERSIONS`.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from wikiapi.attach.php.values import PhpValue, is_true
from wikiapi.attach.variables import Unsuitable, Variables, number_of, text_of
from wikiapi.config import Config, counterparts
from wikiapi.title.namespaces import MAIN
from wikiapi.wikitext.protocols import LISTED

_SECONDS_OF_DAY = 86_400
_BYTES_OF_KIB = 1024
_HASH_LEVELS = 2


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
                yield Setting(table, each.name, variables, hints[each.name], _default(each))


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def value_of(setting: Setting, variables: Variables) -> object:
    """Return the value of a setting, as TOML has it.

    Raises:
        Unsuitable: the variables have values that the setting cannot have.
    """
    convert = CONVERSIONS.get(setting.key)
    if convert is not None:
        return convert(variables)
    return _simple(setting.hint, setting.variables[0], variables)


def _simple(hint: Any, name: str, variables: Variables) -> object:
    """Return the value of a variable as a setting of a type."""
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
        found = next((each for each in named if isinstance(each, str)), "")
        return found or variables.text("wgLogo")
    return variables.text("wgLogo")


def _main_subpages(variables: Variables) -> bool:
    return is_true(variables.array("wgNamespacesWithSubpages").get(MAIN))


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


def _anonymous_rights(variables: Variables) -> list[str]:
    return _rights(variables.array("wgGroupPermissions").get("*"))


def _groups(variables: Variables) -> dict[str, list[str]]:
    groups = variables.array("wgGroupPermissions")
    return {str(group): _rights(rights) for group, rights in groups.items() if group != "*"}


def _rights(rights: PhpValue) -> list[str]:
    if not isinstance(rights, dict):
        raise Unsuitable("$wgGroupPermissions has a group without an array of rights")
    return [str(right) for right, granted in rights.items() if is_true(granted)]


def _autoconfirm_days(variables: Variables) -> int:
    return -(-variables.number("wgAutoConfirmAge") // _SECONDS_OF_DAY)


def _email(variables: Variables) -> bool:
    return all(
        variables.flag(name, default=True) for name in ("wgEnableEmail", "wgEnableUserEmail")
    )


def _upload_bytes(variables: Variables) -> int:
    value = variables.raw("wgMaxUploadSize")
    return number_of(value.get("*") if isinstance(value, dict) else value, "wgMaxUploadSize")


def _files_url(variables: Variables) -> str:
    return variables.text("wgUploadPath").rstrip("/") or f"{_script_path(variables)}/images"


def _hash_levels(variables: Variables) -> int:
    return _HASH_LEVELS if variables.flag("wgHashedUploadDirectory", default=True) else 0


def _thumb_size(variables: Variables) -> int:
    return _place(variables, "thumbsize", "wgThumbLimits")


def _image_size(variables: Variables) -> int:
    return _place(variables, "imagesize", "wgImageLimits")


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


def _article_size(variables: Variables) -> int:
    return variables.number("wgMaxArticleSize") * _BYTES_OF_KIB


CONVERSIONS: Mapping[str, Conversion] = {
    "site.project_namespace": _project_namespace,
    "site.wiki_id": _wiki_id,
    "site.server": _server,
    "site.script_path": _script_path,
    "site.article_path": _article_path,
    "site.main_subpages": _main_subpages,
    "site.logo": _logo,
    "wikitext.magic_links": _magic_links,
    "wikitext.display_title": _display_title,
    "wikitext.external_images": _external_images,
    "wikitext.add_protocols": _add_protocols,
    "wikitext.remove_protocols": _remove_protocols,
    "permissions.anonymous_rights": _anonymous_rights,
    "permissions.groups": _groups,
    "permissions.autoconfirm_days": _autoconfirm_days,
    "editing.email": _email,
    "editing.upload_bytes": _upload_bytes,
    "files.url": _files_url,
    "files.hash_levels": _hash_levels,
    "files.thumb_size": _thumb_size,
    "files.image_limits": _image_limits,
    "files.image_size": _image_size,
    "gallery.images_per_row": _gallery("imagesPerRow", number_of),
    "gallery.image_width": _gallery("imageWidth", number_of),
    "gallery.image_height": _gallery("imageHeight", number_of),
    "gallery.show_bytes": _gallery("showBytes", _truth),
    "gallery.show_dimensions": _gallery("showDimensions", _truth),
    "gallery.mode": _gallery("mode", text_of),
    "limits.article_size": _article_size,
}
"""The settings whose values are converted: from other units, from arrays, or from several
variables."""

DIFFERENT_DEFAULTS = frozenset(
    {"site.name", "site.wiki_id", "site.script_path", "site.article_path"}
    | {"files.url", "files.uploads"}
)
"""The settings whose defaults are not MediaWiki's, so that they are set in any case."""
