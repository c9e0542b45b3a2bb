"""Parts of ``meta=siteinfo`` about installed software, rights and statistics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import metadata

from peewee import fn

from wikiapi.accounts import default_options, group_rights, groups
from wikiapi.api import Arr, MetaModule, Obj, compact
from wikiapi.plugins import DISTRIBUTION, ExtensionCredits
from wikiapi.registry import Registry, collect, own_name
from wikiapi.site import Site
from wikiapi.store.models import UserGroups
from wikiapi.store.queries import sitestats
from wikiapi_plugins.shared.interface.skins import DEFAULT, SKINS

_ADMINS = "sysop"
_ALL_ACCOUNTS = "user"
_EXTENSIONS = ("png", "gif", "jpg", "jpeg", "webp", "svg", "txt")


def statistics(module: MetaModule) -> Obj:
    """Return the numbers of pages, edits, files and users."""
    found = sitestats.statistics(module.db)
    return Obj(
        {
            "pages": found.pages,
            "articles": found.articles,
            "edits": found.edits,
            "images": found.images,
            "users": found.users,
            "activeusers": found.active_users,
            "admins": _members(module).get(_ADMINS, 0),
            "jobs": 0,
        }
    )


def user_groups(module: MetaModule) -> Arr:
    """Return the groups with their rights and, if requested, the numbers of their members."""
    rights = group_rights(module.site)
    numbers = _numbers(module, rights) if module.p.flag("numberingroup") else {}
    return Arr((_group(name, rights[name], numbers) for name in rights), "group")


def _group(name: str, rights: Sequence[str], numbers: dict[str, int]) -> Obj:
    item = Obj({"name": name, "rights": Arr(rights, "permission")})
    if name in numbers:
        item["number"] = numbers[name]
    return item


def _numbers(module: MetaModule, names: Iterable[str]) -> dict[str, int]:
    """Return the numbers of members; of implicit groups, only ``user`` is counted."""
    counted = _members(module)
    numbers = {name: counted.get(name, 0) for name in names if name not in groups.IMPLICIT}
    return numbers | {_ALL_ACCOUNTS: sitestats.statistics(module.db).users}


def _members(module: MetaModule) -> dict[str, int]:
    query = UserGroups.select(UserGroups.ug_group, fn.COUNT(UserGroups.ug_user))
    query = query.where(groups.not_expired(compact(module.context.now)))
    return dict(module.rows(query.group_by(UserGroups.ug_group)))


def libraries(_: MetaModule) -> Arr:
    """Return the Python packages that wikiapi requires, with their versions."""
    return _libraries()


@cache
def _libraries() -> Arr:
    names = {requirement.split(">")[0].split(";")[0].strip() for requirement in _requirements()}
    found = (Obj({"name": name, "version": _version(name)}) for name in sorted(names))
    return Arr((entry for entry in found if entry["version"]), "library")


def _requirements() -> list[str]:
    try:
        listed = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []
    return [requirement for requirement in listed if "extra ==" not in requirement]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def extensions(module: MetaModule) -> Arr:
    """Return the credits of the extensions."""
    return Arr(map(_extension, extension_credits(module.site)), "ext")


def extension_credits(site: Site) -> list[ExtensionCredits]:
    """Return the credits of plugins; a plugin without credits is listed by its name.

    Bundled plugins without credits stand for no extension of MediaWiki, and are left out.
    """
    found: Registry[ExtensionCredits] = collect(
        site.plugins, "register_extension_credits", own_name, site=site
    )
    credited = {found.owner(name) for name in found}
    plain = (
        ExtensionCredits(name=name)
        for name, plugin in site.plugins.list_name_plugin()
        if plugin is not None and name not in credited and not _is_bundled(plugin)
    )
    return sorted((*found.values(), *plain), key=lambda entry: (entry.kind, entry.name))


def _is_bundled(plugin: object) -> bool:
    return getattr(plugin, "__name__", "").partition(".")[0] == __name__.partition(".")[0]


def _extension(entry: ExtensionCredits) -> Obj:
    item = {
        "type": entry.kind,
        "name": entry.name,
        "description": entry.description,
        "author": entry.author,
        "url": entry.url,
        "version": entry.version,
        "license-name": entry.license,
    }
    return Obj((key, value) for key, value in item.items() if value)


def skins(_: MetaModule) -> Arr:
    """Return the skins, with their codes."""
    chosen = (skin for skin in SKINS.values() if skin.name)
    found = Arr(
        (Obj({"code": skin.code, "name": skin.name}, content="name") for skin in chosen), "skin"
    )
    next(skin for skin in found if skin["code"] == DEFAULT)["default"] = True
    return found


def file_extensions(module: MetaModule) -> Arr:
    """Return the extensions of files that can be uploaded, or stored on a read-only wiki."""
    allowed: tuple[str, ...] = tuple(_EXTENSIONS)
    if module.site.is_writable:
        allowed = tuple(dict.fromkeys(module.site.config.editing.upload_types))
    return Arr((Obj({"ext": extension}) for extension in allowed), "fe")


def rights_info(module: MetaModule) -> Obj:
    """Return the licence of the texts."""
    config = module.site.config.site
    return Obj({"url": config.rights_url, "text": config.rights_text})


def restrictions(_: MetaModule) -> Obj:
    """Return the types and the levels of protection."""
    return Obj(
        {
            "types": Arr(("create", "edit", "move", "upload"), "type"),
            "levels": Arr(("", "autoconfirmed", _ADMINS), "level"),
            "cascadinglevels": Arr((_ADMINS,), "level"),
            "semiprotectedlevels": Arr(("autoconfirmed",), "level"),
        }
    )


def replication_lag(_: MetaModule) -> Arr:
    """Return the only database, which never lags."""
    return Arr([Obj({"host": "", "lag": -1})], "db")


def user_options(module: MetaModule) -> Obj:
    """Return the default values of the preferences."""
    defaults = default_options(module.site)
    return Obj(defaults, bools=defaults)


def upload_dialog(_: MetaModule) -> Obj:
    """Return the settings of upload dialogs."""
    fields = ("description", "date", "categories")
    return Obj(
        {
            "fields": Obj((name, name == "description") for name in fields),
            "licensemessages": Obj({"local": "generic-local", "foreign": "generic-foreign"}),
            "comment": Obj({"local": "", "foreign": ""}),
            "format": Obj(
                {
                    "filepage": "$DESCRIPTION",
                    "description": "$TEXT",
                    "ownwork": "",
                    "license": "",
                    "uncategorized": "",
                }
            ),
        }
    )


def show_hooks(module: MetaModule) -> Arr:
    """Return the hooks that plugins implement, with the plugins."""
    hooks = vars(module.site.plugins.hook)
    listed = (
        (name, [found.plugin_name for found in caller.get_hookimpls()])
        for name, caller in sorted(hooks.items())
        if not name.startswith("_")
    )
    return Arr(
        (Obj({"name": name, "subscribers": Arr(who, "s")}) for name, who in listed if who), "hook"
    )
