"""``action=managetags``."""

from __future__ import annotations

from collections.abc import Callable

from wikiapi.accounts import block_against
from wikiapi.api import LOG_TAGS, REASON, Obj, WriteAction, boolean, enum, string
from wikiapi.errors import ApiError
from wikiapi.languages import Num, Plain
from wikiapi.pages import Changelog, tag_change
from wikiapi.store import next_id
from wikiapi.store.models import ChangeTag, ChangeTagDef
from wikiapi.store.queries import tags
from wikiapi.title import SPECIAL
from wikiapi_plugins.query.changes.tags import SOFTWARE

_MAX_USES = 5000
"""A tag on more changes than this cannot be deleted without the right ``bigdelete``."""
_FORBIDDEN = frozenset(",|/")
_UNUSED = (0, False)


class ManageTags(WriteAction):
    """Create, delete, activate or deactivate change tags."""

    name = "managetags"
    position = 45
    params = (
        enum(
            "operation",
            "create",
            "delete",
            "activate",
            "deactivate",
            required=True,
            help="What to do with the tag.",
        ),
        string("tag", "The tag.", required=True),
        REASON,
        boolean("ignorewarnings", "Ignore warnings."),
        LOG_TAGS,
    )
    examples = (
        (
            "action=managetags&operation=create&tag=spam&reason=For%20patrolling&token=123ABC",
            "Create a tag",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Tag_management",)

    def perform(self) -> None:
        """Perform the operation, and put its log entry into the result.

        Raises:
            ApiError: the operation is not possible for the tag, or the user may not perform it.
        """
        operation, tag = self.p.text("operation"), self.p.text("tag")
        right = "deletechangetags" if operation == "delete" else "managechangetags"
        if not self.context.user.can(right):
            raise _error(f"tags-{operation}-no-permission", code="permissiondenied")
        if block_against(self.context.performer, self.name) is not None:
            raise _error("tags-manage-blocked", self.context.user.name)
        uses, by_users = tags.definitions(self.db).get(tag, _UNUSED)
        operations: dict[str, Callable[[str, int, bool], dict[str, object]]] = {
            "activate": self._activate,
            "create": self._create,
            "deactivate": self._deactivate,
            "delete": self._delete,
        }
        params = operations[operation](tag, uses, by_users)
        entry_id = Changelog(self.context.performer).add_entry(
            "managetags",
            operation,
            self.site.titles.make(SPECIAL, "Tags"),
            reason=self.p.text("reason"),
            params={"4::tag": tag} | params,
            relations={"Tag": (tag,)},
        )
        tag_change(self.db, self.p.texts("tags"), log_id=entry_id)
        done = Obj({"operation": operation, "tag": tag, "success": True, "logid": entry_id})
        self.result.set((), self.name, done)

    def _create(self, tag: str, uses: int, by_users: bool) -> dict[str, object]:
        if not tag:
            raise _error("tags-create-no-name")
        if not _FORBIDDEN.isdisjoint(tag):
            raise _error("tags-create-invalid-chars")
        if tag.startswith("mw-"):
            raise _error("tags-create-reserved")
        if self.site.titles.try_parse(f"MediaWiki:Tag-{tag}-description") is None:
            raise _error("tags-create-invalid-title-chars")
        if by_users or uses or tag in SOFTWARE:
            raise _error("tags-create-already-exists", tag)
        self._define(tag)
        return {}

    def _activate(self, tag: str, uses: int, by_users: bool) -> dict[str, object]:
        if by_users or tag in SOFTWARE:
            raise _error("tags-activate-not-allowed", tag)
        if not uses:
            raise _error("tags-activate-not-found", tag)
        self._define(tag)
        return {}

    def _deactivate(self, tag: str, _: int, by_users: bool) -> dict[str, object]:
        if not by_users:
            raise _error("tags-deactivate-not-allowed", tag)
        named = ChangeTagDef.ctd_name == tag
        self.db.execute_write(ChangeTagDef.update(ctd_user_defined=0).where(named))
        self.db.execute_write(ChangeTagDef.delete().where(named, ChangeTagDef.ctd_count == 0))
        return {}

    def _delete(self, tag: str, uses: int, by_users: bool) -> dict[str, object]:
        if not uses and not by_users and tag not in SOFTWARE:
            raise _error("tags-delete-not-found", tag)
        if tag in SOFTWARE:
            raise _error("tags-delete-not-allowed")
        if uses > _MAX_USES and not self.context.user.can("bigdelete"):
            raise _error("tags-delete-too-many-uses", tag, _MAX_USES)
        tag_id = ChangeTagDef.select(ChangeTagDef.ctd_id).where(ChangeTagDef.ctd_name == tag)
        number = self.db.scalar(tag_id)
        self.db.execute_write(ChangeTag.delete().where(ChangeTag.ct_tag_id == number))
        self.db.execute_write(ChangeTagDef.delete().where(ChangeTagDef.ctd_id == number))
        return {"5:number:count": uses}

    def _define(self, tag: str) -> None:
        definitions = tags.definitions(self.db)
        if tag in definitions:
            defined = ChangeTagDef.update(ctd_user_defined=1)
            self.db.execute_write(defined.where(ChangeTagDef.ctd_name == tag))
        else:
            row = (next_id(self.db, ChangeTagDef.ctd_id), tag, 1, 0)
            self.db.insert_many(ChangeTagDef, [row])


def _error(key: str, *params: str | int, code: str | None = None) -> ApiError:
    words = tuple(Num(param) if isinstance(param, int) else Plain(param) for param in params)
    return ApiError(code, key, *words)
