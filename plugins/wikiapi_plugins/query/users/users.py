"""``list=users``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wikiapi.accounts import RESERVED_NAMES, canonical_name, name_of_new_account
from wikiapi.api import ListModule, Obj, at_most_one_of, enum, integer, string
from wikiapi.store import UserRow
from wikiapi.store.models import User
from wikiapi.store.queries import users as store
from wikiapi_plugins.query.users.accounts import Accounts

_NO_TOKEN = "*** INVALID"  # noqa: S105
"""The prefix of the tokens of accounts that cannot log in."""
_UNKNOWN = "unknown"


class Users(ListModule):
    """Return facts about users, given by name or id."""

    name = "users"
    prefix = "us"
    element = "user"
    params = (
        enum("prop", "blockinfo", "groups", "groupmemberships", "implicitgroups", "rights",
             "editcount", "registration", "emailable", "gender", "centralids", "cancreate",
             multi=True, help="Properties to include besides the name.",
             value_help=(("blockinfo", "The current block, if there is one."),
                         ("groups", "The groups."),
                         ("groupmemberships", "The groups, with the expiry of memberships."),
                         ("implicitgroups", "The automatic groups."), ("rights", "The rights."),
                         ("editcount", "The number of edits."),
                         ("registration", "When the account was created."),
                         ("emailable", "Whether mail can be sent to the user."),
                         ("gender", "How the user wants to be addressed."),
                         ("centralids", "Ids on other wikis."),
                         ("cancreate", "Whether a missing account could be created."))),
        string("attachedwiki", "With centralids, whether the user has an account there."),
        string("users", "The names.", multi=True),
        integer("userids", "The ids.", multi=True),
    )  # fmt: skip
    examples = (
        ("action=query&list=users&ususers=Example&usprop=groups|editcount|gender", "One user"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Users",)

    def execute(self) -> None:
        """List the users: first invalid names, then the others in the requested order."""
        at_most_one_of(self, "users", "userids")
        if self.p.is_given("userids"):
            ids = self.p.numbers("userids")
            positive = [number for number in ids if number > 0]
            with_hidden = self.context.user.can("hideuser")
            rows = store.by_ids(self.db, positive, with_hidden=with_hidden)
            by_id = self._items(rows.values())
            items = [(str(n), by_id.get(n) or Obj({"userid": n, "missing": True})) for n in ids]
        else:
            names = {text: canonical_name(self.site, text) for text in self.p.texts("users")}
            items = [
                (t, Obj({"name": t, "invalid": True})) for t, name in names.items() if not name
            ]
            valid = list(dict.fromkeys(name for name in names.values() if name))
            by_name = store.by_names(self.db, valid, with_hidden=self.context.user.can("hideuser"))
            by_id = self._items(by_name.values())
            for name in valid:
                if name in by_name:
                    items.append((name, by_id[by_name[name].user_id]))
                    continue
                item = Obj({"name": name, "missing": True})
                if "cancreate" in self.p.texts("prop"):
                    item["cancreate"] = name_of_new_account(self.site, name) is not None
                items.append((name, item))
        # A continuation requests the names or ids of what does not fit.
        keys = [key for key, _ in items]
        numbers = range(len(items))
        self.emit((item for _, item in items), numbers, lambda first: "|".join(keys[first:]))

    def set_continue(self, value: Any, param: str = "continue") -> None:
        """Continue with the rest of what was requested."""
        super().set_continue(value, "userids" if self.p.is_given("userids") else "users")

    def _items(self, rows: Iterable[UserRow]) -> dict[int, Obj]:
        rows, prop = list(rows), self.p.texts("prop")
        ids = [row.user_id for row in rows]
        accounts = Accounts.load(self.context, ids, prop, self.p.text_or_none("attachedwiki"))
        marks = self._marks(ids)
        genders = store.properties(self.db, ids, "gender") if "gender" in prop else {}
        items = {}
        for row in rows:
            system, mail = marks.get(row.user_id, (0, 0))
            item = Obj({"userid": row.user_id, "name": row.name})
            if system or row.name in RESERVED_NAMES:
                item["systemuser"] = True
            item |= accounts.basics(row) | accounts.membership(row, implicit_first=False)
            item |= accounts.block(row)
            if "emailable" in prop:
                item["emailable"] = bool(mail)
            if "gender" in prop:
                item["gender"] = genders.get(row.user_id) or _UNKNOWN
            items[row.user_id] = Obj(item | accounts.central_ids(row))
        return items

    def _marks(self, ids: list[int]) -> dict[int, tuple[int, int]]:
        """Return for each account whether it cannot log in, and whether it can receive mail.

        The database tests both, so that tokens and addresses are not read.
        """
        if not ids:
            return {}
        mailable = (User.user_email != "") & User.user_email_authenticated.is_null(False)
        system = (User.user_email == "") & User.user_token.startswith(_NO_TOKEN)
        query = User.select(User.user_id, system, mailable).where(User.user_id.in_(ids))
        return {row[0]: (row[1], row[2]) for row in self.rows(query)}
