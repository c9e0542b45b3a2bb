"""``action=managetags``."""

from __future__ import annotations

from collections.abc import Callable

from wikiapi.api import Obj
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Num, Plain
from wikiapi.store.models import ChangeTag, ChangeTagDef
from wikiapi.store.queries import tags
from wikiapi.store.write.ids import next_id
from wikiapi.title import SPECIAL
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.blocking.enforcing import refuse_blocked
from wikiapi_plugins.editing.recording.changelog import Changelog
from wikiapi_plugins.editing.recording.tagging import tag_change
from wikiapi_plugins.query.changes.tags import SOFTWARE

_MAX_USES = 5000
"""A tag on more changes than this cannot be deleted without the right ``bigdelete``."""
_FORBIDDEN = frozenset(",|/")
_UNUSED = (0, False)


class ManageTags(WriteAction):
    """Creates, deletes, activates or deactivates a change tag."""

    def perform(self) -> None:
        """Perform the operation, and put its log entry into the result.

        Raises:
            ApiError: the operation is not possible for the tag, or the user may not perform it.
        """
        operation, tag = self.p.text("operation"), self.p.text("tag")
        right = "deletechangetags" if operation == "delete" else "managechangetags"
        if not self.context.user.can(right):
            raise _error(f"tags-{operation}-no-permission", code="permissiondenied")
        refuse_blocked(self.context, self.name)
        uses, by_users = tags.definitions(self.db).get(tag, _UNUSED)
        operations: dict[str, Callable[[str, int, bool], dict[str, object]]] = {
            "activate": self._activate,
            "create": self._create,
            "deactivate": self._deactivate,
            "delete": self._delete,
        }
        params = operations[operation](tag, uses, by_users)
        entry_id = Changelog(self.context).add_entry(
            "managetags",
            operation,
            self.site.titles.make(SPECIAL, "Tags"),
            reason=self.p.text("reason"),
            params={"4::tag": tag} | params,
            is_public=False,
            relations={"Tag": (tag,)},
        )
        tag_change(self.db, self.p.texts("tags"), log_id=entry_id)
        done = Obj({"operation": operation, "tag": tag, "success": True, "logid": entry_id})
        self.result.set((), self.name, done)

    def _create(self, tag: str, uses: int, by_users: bool) -> dict[str, object]:
        self._check_name(tag)
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
        self._undefine(tag)
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

    def _check_name(self, tag: str) -> None:
        if not tag:
            raise _error("tags-create-no-name")
        if not _FORBIDDEN.isdisjoint(tag):
            raise _error("tags-create-invalid-chars")
        if tag.startswith("mw-"):
            raise _error("tags-create-reserved")
        if self.site.titles.try_parse(f"MediaWiki:Tag-{tag}-description") is None:
            raise _error("tags-create-invalid-title-chars")

    def _define(self, tag: str) -> None:
        known = tags.definitions(self.db)
        if tag in known:
            defined = ChangeTagDef.update(ctd_user_defined=1)
            self.db.execute_write(defined.where(ChangeTagDef.ctd_name == tag))
        else:
            row = (next_id(self.db, ChangeTagDef.ctd_id), tag, 1, 0)
            self.db.insert_many(ChangeTagDef, [row])

    def _undefine(self, tag: str) -> None:
        """Deactivate a tag, and remove it if no change has it."""
        named = ChangeTagDef.ctd_name == tag
        self.db.execute_write(ChangeTagDef.update(ctd_user_defined=0).where(named))
        self.db.execute_write(ChangeTagDef.delete().where(named, ChangeTagDef.ctd_count == 0))


def _error(key: str, *params: str | int, code: str | None = None) -> ApiError:
    shown = tuple(Num(param) if isinstance(param, int) else Plain(param) for param in params)
    return ApiError(Message(key, shown), code)
