"""Parts of ``meta=siteinfo`` about installed software, rights and statistics."""

from __future__ import annotations

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
    counts = sitestats.statistics(module.db)
    return Obj(
        {
            "pages": counts.pages,
            "articles": counts.articles,
            "edits": counts.edits,
            "images": counts.images,
            "users": counts.users,
            "activeusers": counts.active_users,
            "admins": _members(module).get(_ADMINS, 0),
            "jobs": 0,
        }
    )


def user_groups(module: MetaModule) -> Arr:
    """Return the groups with their rights and, if requested, the numbers of their members."""
    rights = group_rights(module.site)
    counts: dict[str, int] = {}
    if module.p.flag("numberingroup"):
        # Of implicit groups, only all accounts are counted.
        members = _members(module)
        counts = {name: members.get(name, 0) for name in rights if name not in groups.IMPLICIT}
        counts[_ALL_ACCOUNTS] = sitestats.statistics(module.db).users
    items = []
    for name, names in rights.items():
        item = Obj({"name": name, "rights": Arr(names, "permission")})
        if name in counts:
            item["number"] = counts[name]
        items.append(item)
    return Arr(items, "group")


def _members(module: MetaModule) -> dict[str, int]:
    query = UserGroups.select(UserGroups.ug_group, fn.COUNT(UserGroups.ug_user))
    query = query.where(groups.not_expired(compact(module.context.now)))
    return dict(module.rows(query.group_by(UserGroups.ug_group)))


def libraries(_: MetaModule) -> Arr:
    """Return the Python packages that wikiapi requires, with their versions."""
    try:
        requirements = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return Arr((), "library")
    own = [text for text in requirements if "extra ==" not in text]
    items = []
    for name in sorted({text.split(">")[0].split(";")[0].strip() for text in own}):
        try:
            items.append(Obj({"name": name, "version": metadata.version(name)}))
        except metadata.PackageNotFoundError:
            continue
    return Arr(items, "library")


def extensions(module: MetaModule) -> Arr:
    """Return the credits of the extensions."""
    return Arr(map(_extension, extension_credits(module.site)), "ext")


def extension_credits(site: Site) -> list[ExtensionCredits]:
    """Return the credits of plugins; a plugin without credits is listed by its name.

    Bundled plugins without credits stand for no extension of MediaWiki, and are left out.
    """
    by_name: Registry[ExtensionCredits] = collect(
        site.plugins, "register_extension_credits", own_name, site=site
    )
    credited = {by_name.owner(name) for name in by_name}
    own_package = __name__.partition(".")[0]
    others = (
        ExtensionCredits(name=name)
        for name, plugin in site.plugins.list_name_plugin()
        if plugin is not None
        and name not in credited
        and getattr(plugin, "__name__", "").partition(".")[0] != own_package
    )
    return sorted((*by_name.values(), *others), key=lambda entry: (entry.kind, entry.name))


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
    items = []
    for skin in SKINS.values():
        if skin.name:
            item = Obj({"code": skin.code, "name": skin.name}, content="name")
            if skin.code == DEFAULT:
                item["default"] = True
            items.append(item)
    return Arr(items, "skin")


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


def restrictions(module: MetaModule) -> Obj:
    """Return the types and the levels of protection."""
    own = module.site.config.permissions
    return Obj(
        {
            "types": Arr(("create", "edit", "move", "upload"), "type"),
            "levels": Arr(("", *own.protection_levels), "level"),
            "cascadinglevels": Arr(own.cascading_levels, "level"),
            "semiprotectedlevels": Arr(own.semiprotected_levels, "level"),
        }
    )


def replication_lag(module: MetaModule) -> Arr:
    """Return by how many whole seconds the replica lags that lags most, -1 without replicas.

    With ``showalldb`` it is the lag of every replica that can be reached.
    """
    lags = [int(lag) for lag in module.db.lags() if lag is not None]
    listed = lags if module.p.get("showalldb") else [max(lags)] if lags else []
    return Arr([Obj({"host": "", "lag": lag}) for lag in listed or [-1]], "db")


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
        (name, [one.plugin_name for one in caller.get_hookimpls()])
        for name, caller in sorted(hooks.items())
        if not name.startswith("_")
    )
    return Arr(
        (Obj({"name": name, "subscribers": Arr(who, "s")}) for name, who in listed if who), "hook"
    )
