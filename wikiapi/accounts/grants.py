"""Grants: named sets of rights that a bot password may have.

https://www.mediawiki.org/wiki/Manual:$wgGrantPermissions
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

_EDIT = ("edit", "minoredit", "applychangetags", "changetags", "editcontentmodel", "pagelang")
_CREATE = (
    *_EDIT,
    *("createpage", "createtalk", "delete-redirect", "move", "move-rootuserpages"),
    *("move-subpages", "move-categorypages", "suppressredirect"),
)
_UPLOAD = ("upload", "reupload-own")

GRANTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "basic": (
            *("autocreateaccount", "autoconfirmed", "autopatrol", "editsemiprotected"),
            *("ipblock-exempt", "nominornewtalk", "patrolmarks", "read", "unwatchedpages"),
        ),
        "highvolume": ("bot", "apihighlimits", "noratelimit", "markbotedits"),
        "import": ("import", "importupload"),
        "editpage": _EDIT,
        "editprotected": (*_EDIT, "editprotected"),
        "editmycssjs": (
            *_EDIT,
            *("editmyusercss", "editmyuserjson", "editmyuserjs", "editmyuserjsredirect"),
        ),
        "editmyoptions": ("editmyoptions", "editmyuserjson"),
        "editinterface": (*_EDIT, "editinterface", "edituserjson", "editsitejson"),
        "editsiteconfig": (
            *(*_EDIT, "editinterface", "edituserjson", "editsitejson"),
            *("editusercss", "edituserjs", "editsitecss", "editsitejs"),
        ),
        "createeditmovepage": _CREATE,
        "uploadfile": _UPLOAD,
        "uploadeditmovefile": (
            *(*_UPLOAD, "reupload", "reupload-shared", "upload_by_url"),
            *("movefile", "suppressredirect"),
        ),
        "patrol": ("patrol",),
        "rollback": ("rollback",),
        "blockusers": ("block", "blockemail"),
        "viewdeleted": ("browsearchive", "deletedhistory", "deletedtext"),
        "viewrestrictedlogs": ("suppressionlog",),
        "delete": (
            *(*_EDIT, "browsearchive", "deletedhistory", "deletedtext"),
            *("delete", "bigdelete", "deletelogentry", "deleterevision", "undelete"),
        ),
        "oversight": ("suppressrevision", "viewsuppressed"),
        "protect": (*_EDIT, "editprotected", "protect"),
        "viewmywatchlist": ("viewmywatchlist",),
        "editmywatchlist": ("editmywatchlist",),
        "sendemail": ("sendemail",),
        "createaccount": ("createaccount",),
        "privateinfo": ("viewmyprivateinfo",),
        "mergehistory": ("mergehistory",),
    }
)


def rights_of_grants(grants: Iterable[str]) -> frozenset[str]:
    """Return the rights of all the grants; unknown grants have none."""
    return frozenset(right for grant in grants for right in GRANTS.get(grant, ()))
