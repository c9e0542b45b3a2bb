"""Permissions of users: rights, namespaces, protection, tokens, blocks and read-only wikis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wikiapi.accounts.blocking import target_of
from wikiapi.accounts.blocks import block_against
from wikiapi.accounts.groups import groups_with
from wikiapi.accounts.user import User
from wikiapi.api import tokens
from wikiapi.api.context import RequestContext
from wikiapi.api.result import Arr, Obj
from wikiapi.errors import ApiError
from wikiapi.expiry import INFINITY
from wikiapi.languages.message import Message, Num, Plain, plain_list
from wikiapi.site import Site
from wikiapi.store import BlockRow, PageRow
from wikiapi.store.queries.protection import CascadeSource, Restriction, TitleProtection
from wikiapi.timestamps import iso, moment_of
from wikiapi.title.contentmodel import default_model
from wikiapi.title.namespaces import CATEGORY, FILE, MEDIAWIKI, USER
from wikiapi.title.title import Title

_LEVELS = {"sysop": "editprotected", "autoconfirmed": "editsemiprotected"}
"""Protection levels that are names of groups, and the rights that they require."""

_SCRIPTS = {"css": "css", "javascript": "js", "json": "json"}
"""Content models of style sheets and scripts, and their names in rights and messages."""
_REMOVALS = frozenset({"delete", "deleterevision", "suppressrevision"})
"""Actions on scripts of other users that do not require the right to edit them."""
_UNPROTECTED = frozenset({"read", "createaccount"})
MOVE_TARGET = "move-target"
"""The action on the title that a page is moved to."""
_OF_MODULES = frozenset({"editcontentmodel", "pagelang"})
"""Rights that MediaWiki's modules check, not its rules about pages."""


@dataclass(frozen=True, slots=True)
class PageProtection:
    """The protection of one page, without expired restrictions."""

    restrictions: Sequence[Restriction] = ()
    cascades: Sequence[CascadeSource] = ()
    creation: TitleProtection | None = None


@dataclass(frozen=True, slots=True)
class Permissions:
    """The permissions of a user on pages, whose protection by key is ``protection``."""

    site: Site
    user: User
    protection: Mapping[tuple[int, str], PageProtection] = field(default_factory=dict)

    def errors(
        self, action: str, title: Title, *, exists: bool, model: str | None = None
    ) -> list[Message]:
        """Return all reasons why the user may not perform an action on a page, if any.

        Args:
            action: the name of the action in rights, such as ``edit``.
            title: the title of the page.
            exists: whether the page exists.
            model: the content model of the page; by default the one that its title implies.
        """
        reasons = self._lacking_rights(action, title, exists)
        if title.namespace.is_virtual and action not in _UNPROTECTED:
            return [*reasons, Message("ns-specialprotected")]
        if action not in _UNPROTECTED:
            is_barred = not all(map(self.user.can, title.namespace.protection))
            # Creating a page also requires the right to edit it.
            if is_barred and action != "create":
                reason = Message("namespaceprotected", (title.namespace.name, action))
                if title.ns == MEDIAWIKI:
                    reason = Message("protectedinterface", (action,))
                reasons.append(reason)
            script = _SCRIPTS.get(model or default_model(title))
            reasons += self._script(action, title, script) if script else []
            reasons += self.protection_errors(action, title)
        return reasons

    def _lacking_rights(self, action: str, title: Title, exists: bool) -> list[Message]:
        """Return why the user's rights do not suffice for an action.

        Moving a page is ``move`` for the title that it has, and ``move-target`` for the new one.
        """
        can = self.user.can
        if action not in ("move", MOVE_TARGET):
            lacking = [right for right in rights_for(action, title, exists) if not can(right)]
            return [missing_right(self.site, right) for right in lacking[:1]]
        is_root = title.ns == USER and "/" not in title.text
        is_barred_root = is_root and not can("move-rootuserpages")
        is_barred_category = title.ns == CATEGORY and not can("move-categorypages")
        keys = []
        if action == "move":
            keys += ["cant-move-user-page"] if is_barred_root else []
            keys += ["movenotallowedfile"] if title.ns == FILE and not can("movefile") else []
            keys += ["cant-move-category-page"] if is_barred_category else []
            if not can("move"):
                keys.append("movenologintext" if self.user.is_anonymous else "movenotallowed")
        elif not can("move"):
            keys.append("movenotallowed")
        else:
            keys += ["cant-move-to-user-page"] if is_barred_root else []
            keys += ["cant-move-to-category-page"] if is_barred_category else []
        return [Message(key) for key in keys]

    def _script(self, action: str, title: Title, kind: str) -> list[Message]:
        """Return why the user may not change a style sheet or script of the site or of a user."""
        if action in ("create", "patrol"):  # Creating a page also requires the right to edit it.
            return []
        if title.ns == MEDIAWIKI:
            allowed, key = self.user.can(f"editsite{kind}"), f"site{kind}protected"
        elif title.ns != USER or "/" not in title.text:
            return []
        elif title.text.startswith(f"{self.user.name}/"):
            allowed = self.user.can(f"editmyuser{kind}") or self.user.can(f"edituser{kind}")
            key = f"mycustom{kind}protected"
        else:
            allowed = action in _REMOVALS or self.user.can(f"edituser{kind}")
            key = f"custom{kind}protected"
        return [] if allowed else [Message(key, (action,))]

    def protection_errors(self, action: str, title: Title) -> list[Message]:
        """Return only those reasons of :meth:`errors` that follow from the protection of pages."""
        protection = self.protection.get(title.key, PageProtection())
        reasons: list[Message] = []
        is_cascading = any(restriction.cascade for restriction in protection.restrictions)
        for restriction in protection.restrictions:
            right = right_of_level(restriction.level)
            if is_cascading and self.user.can(right):
                right = "protect"
            if restriction.type == action and not self.user.can(right):
                reasons.append(Message("protectedpagetext", (right, action)))
        reasons += self._cascades(action, title, protection.cascades)
        creation = protection.creation
        if creation and not self.user.can(right_of_level(creation.level)):
            if action in ("create", "edit"):
                reasons.append(Message("protectedpagetext", (creation.level, "create")))
            if action == "create":
                reasons.append(Message("titleprotected", (creation.level,)))
        return reasons

    def _cascades(
        self, action: str, title: Title, sources: Sequence[CascadeSource]
    ) -> list[Message]:
        """Return why cascading protection forbids an action, once for each level.

        A page that shows a file is no reason against edits of its description, but one against
        uploading and moving it, if only some may edit the page.
        """
        showing, kind = [source for source in sources if source.is_shown], action
        if title.ns == USER and "/" in title.text and default_model(title) in _SCRIPTS:
            return []
        if action == "edit" and len(showing) == len(sources):
            return []
        if showing and action in ("upload", "move"):
            kind = "edit"
        levels = dict.fromkeys(source.level for source in sources if source.type == kind)
        rights = [right for right in map(right_of_level, levels) if right]
        titles = [self.site.titles.make(s.namespace, s.title).prefixed_text for s in sources]
        listed = "".join(f"* [[:{title}]]\n" for title in dict.fromkeys(titles))
        return [
            Message("cascadeprotected", (len(set(titles)), listed, action))
            for right in rights
            if not (self.user.can("protect") and self.user.can(right))
        ]


def missing_right(site: Site, right: str) -> Message:
    """Return why a user who lacks a right is refused: with the groups that have it, if any."""
    if right in _OF_MODULES:
        return Message("apierror-permissiondenied", (Plain(right),))
    groups = sorted(groups_with(site, [right]))
    if not groups:
        return Message("badaccess-group0")
    return Message("badaccess-groups", (plain_list(groups, "comma"), len(groups)))


def right_of_level(level: str) -> str:
    """Return the right that a protection level requires."""
    return _LEVELS.get(level, level)


def rights_for(action: str, title: Title, exists: bool) -> tuple[str, ...]:
    """Return the rights that an action on a page requires, even if it is not protected."""
    create = "createtalk" if title.namespace.is_talk else "createpage"
    if action == "create":
        return ("edit", create)
    return ("edit", create) if action == "edit" and not exists else (action,)


def require_posted(context: RequestContext, names: Iterable[str]) -> None:
    """Refuse a request with secrets in its URL, which logs, histories and proxies keep.

    Args:
        context: the context of the request.
        names: the full names of the parameters that must be in the body.

    Raises:
        ApiError: ``mustpostparams``.
    """
    misplaced = [name for name in names if name in context.request.query_params]
    if misplaced:
        params = (plain_list(misplaced, "comma"), Num(len(misplaced)))
        raise ApiError("mustpostparams", "apierror-mustpostparams", *params)


def check_token(context: RequestContext, kind: str, name: str, token: str) -> None:
    """Raise an error for a token that was not issued in this session, or that is in the URL.

    Args:
        context: the context of the request.
        kind: the type of token required.
        name: the full name of the parameter.
        token: the token.

    Raises:
        ApiError: ``mustpostparams`` or ``badtoken``.
    """
    require_posted(context, [name])
    if not tokens.matches(token, context.session, kind, context.now):
        raise ApiError("badtoken", "apierror-badtoken")


def read_only(reason: str) -> ApiError:
    """Return the error for changes of a read-only wiki."""
    message = Message("apierror-readonly", (Plain(reason),))
    return ApiError("readonly", message, data={"readonlyreason": reason})


_INFINITE = "infinite"


def refuse_blocked(
    context: RequestContext, action: str, title: Title | None = None, row: PageRow | None = None
) -> None:
    """Refuse an action that a block forbids. At most two queries.

    Raises:
        Blocked: ``blocked`` or ``autoblocked``, with the data of the block.
    """
    block = block_against(context.performer, action, title, row)
    if block is not None:
        raise blocked_error(context, block)


class Blocked(ApiError):
    """The error of an action that a block forbids."""


def blocked_error(context: RequestContext, block: BlockRow) -> Blocked:
    """Return the error with which a block refuses an action.

    Its times are in the language of the request, not in that of errors.
    """
    site, language = context.site, context.language
    ends = block.expiry[:1].isdigit()
    by_name, _ = block.author(shows_hidden=context.user.can("hideuser"))
    params = (
        Plain(by_name),
        Plain(block.reason),
        Plain(context.request.remote_address),
        Plain(by_name),
        # The ids of the blocks that it is composed of, if it is.
        ", ".join(f"#{one.block_id}" for one in block.components) or block.block_id,
        site.usual_time("both", moment_of(block.expiry), language)
        if ends
        else site.messages.catalog.text(Message("infiniteblock"), language),
        Plain(target_of(block).name),
        site.usual_time("both", moment_of(block.timestamp), language),
    )
    data = {"blockinfo": Obj(block_details(block, context))}
    if block.components:
        return Blocked("blocked", "blockedtext-composite", *params, data=data)
    if block.auto:
        return Blocked("autoblocked", "autoblockedtext", *params, data=data)
    key = "blockedtext" if block.sitewide else "blockedtext-partial"
    return Blocked("blocked", key, *params, data=data)


def block_details(block: BlockRow, context: RequestContext) -> dict[str, Any]:
    """Return the data of a block in the form of items about users."""
    ends, language, site = {}, context.language, context.site
    by_name, by_id = block.author(shows_hidden=context.user.can("hideuser"))
    if block.expiry[:1].isdigit():
        formatted = site.usual_time("both", moment_of(block.expiry), language)
        ends = {"blockexpiryformatted": formatted, "blockexpiryrelative": formatted}
    components = [Obj(block_details(one, context)) for one in block.components]
    return {
        "blockid": block.block_id or None,
        "blockedby": by_name,
        "blockedbyid": by_id,
        "blockreason": block.reason,
        "blockedtimestamp": iso(block.timestamp),
        "blockexpiry": expiry_of(block.expiry, _INFINITE),
        "blockpartial": not block.sitewide,
        "blocknocreate": bool(block.create_account),
        "blockanononly": bool(block.anon_only),
        "blockemail": bool(block.block_email),
        "blockowntalk": not block.allow_usertalk,
        "blockedtimestampformatted": site.usual_time("both", moment_of(block.timestamp), language),
        **ends,
        **({"blockcomponents": Arr(components, "component")} if components else {}),
    }


def expiry_of(stored: str, never: str = INFINITY) -> str:
    """Return a stored expiry in the form of answers."""
    return iso(stored) if stored[:1].isdigit() else never
