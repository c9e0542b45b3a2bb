"""Parts of ``meta=siteinfo`` about what is installed, who may do what, and how much there is."""

from __future__ import annotations

from functools import cache
from importlib import metadata

from peewee import fn

from wikiapi.api import Arr, MetaModule, Obj
from wikiapi.plugins import ExtensionCredits
from wikiapi.registry import Registry, collect, own_name
from wikiapi.store.models import UserGroups
from wikiapi.store.queries.sitestats import statistics as counters
from wikiapi_plugins.facts import facts
from wikiapi_plugins.interface.skins import DEFAULT, SKINS

_ADMINS = "sysop"
_EXTENSIONS = ("png", "gif", "jpg", "jpeg", "webp", "svg", "txt")
_DISTRIBUTION = "wikiapi"


def statistics(module: MetaModule) -> Obj:
    """How much there is of what."""
    found = counters(module.db)
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
    """Return the groups, what their members may do and, if asked, how many there are."""
    numbers = _members(module) if module.p.flag("numberingroup") else {}
    rights = facts("usergroups") | {"*": module.site.config.permissions.anonymous_rights}
    return Arr((_group(name, rights[name], numbers) for name in rights), "group")


def _group(name: str, rights: list[str], numbers: dict[str, int]) -> Obj:
    item = Obj({"name": name, "rights": Arr(rights, "permission")})
    if name in numbers:
        item["number"] = numbers[name]
    return item


def _members(module: MetaModule) -> dict[str, int]:
    query = UserGroups.select(UserGroups.ug_group, fn.COUNT(UserGroups.ug_user))
    return dict(module.rows(query.group_by(UserGroups.ug_group)))


def libraries(_: MetaModule) -> Arr:
    """Return the Python packages this server is built on, with their versions."""
    return _libraries()


@cache
def _libraries() -> Arr:
    names = {requirement.split(">")[0].split(";")[0].strip() for requirement in _requirements()}
    found = (Obj({"name": name, "version": _version(name)}) for name in sorted(names))
    return Arr((entry for entry in found if entry["version"]), "library")


def _requirements() -> list[str]:
    try:
        listed = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return []
    return [requirement for requirement in listed if "extra ==" not in requirement]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def extensions(module: MetaModule) -> Arr:
    """The plugins as they credit themselves; without credits, others are listed by their names.

    What ships with wikiapi and credits nothing stands for no extension of MediaWiki.
    """
    site = module.site
    found: Registry[ExtensionCredits] = collect(
        site.plugins, "register_extension_credits", own_name, site=site
    )
    credited = {found.owner(name) for name in found}
    plain = (
        ExtensionCredits(name=name)
        for name, plugin in site.plugins.list_name_plugin()
        if plugin is not None and name not in credited and not _is_bundled(plugin)
    )
    plugins = sorted((*found.values(), *plain), key=lambda entry: (entry.kind, entry.name))
    return Arr(map(_extension, plugins), "ext")


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
    """Return the skins by their codes."""
    found = Arr((Obj({"code": code, "name": name}, content="name") for code, name in SKINS), "skin")
    next(skin for skin in found if skin["code"] == DEFAULT)["default"] = True
    return found


def file_extensions(_: MetaModule) -> Arr:
    """Return the endings of files that can be held."""
    return Arr((Obj({"ext": extension}) for extension in _EXTENSIONS), "fe")


def rights_info(module: MetaModule) -> Obj:
    """Return the licence of the texts."""
    config = module.site.config.site
    return Obj({"url": config.rights_url, "text": config.rights_text})


def restrictions(_: MetaModule) -> Obj:
    """What pages can be protected against, and for whom."""
    return Obj(
        {
            "types": Arr(("create", "edit", "move", "upload"), "type"),
            "levels": Arr(("", "autoconfirmed", _ADMINS), "level"),
            "cascadinglevels": Arr((_ADMINS,), "level"),
            "semiprotectedlevels": Arr(("autoconfirmed",), "level"),
        }
    )


def replication_lag(_: MetaModule) -> Arr:
    """Return the only database, which is never behind."""
    return Arr([Obj({"host": "", "lag": -1})], "db")


def default_options(_: MetaModule) -> Obj:
    """Return the preferences of who has set none."""
    defaults = facts("useroptions")
    return Obj(defaults, bools=defaults)


def upload_dialog(_: MetaModule) -> Obj:
    """How upload dialogs are to be filled in."""
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
