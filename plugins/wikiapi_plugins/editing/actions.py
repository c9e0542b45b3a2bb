"""The actions of this plugin."""

from __future__ import annotations

from wikiapi.api import Action
from wikiapi_plugins.editing.accounts.changepassword import ChangeAuthenticationData
from wikiapi_plugins.editing.accounts.createaccount import CreateAccount
from wikiapi_plugins.editing.accounts.credentials import (
    LinkAccount,
    RemoveAuthenticationData,
    UnlinkAccount,
)
from wikiapi_plugins.editing.accounts.emailuser import EmailUser
from wikiapi_plugins.editing.accounts.options import Options
from wikiapi_plugins.editing.accounts.resetpassword import ResetPassword
from wikiapi_plugins.editing.accounts.tempusername import AcquireTempUserName
from wikiapi_plugins.editing.accounts.userrights import UserRights
from wikiapi_plugins.editing.blocking.block import Block
from wikiapi_plugins.editing.blocking.unblock import Unblock
from wikiapi_plugins.editing.edit import Edit
from wikiapi_plugins.editing.files.filerevert import FileRevert
from wikiapi_plugins.editing.files.imagerotate import ImageRotate
from wikiapi_plugins.editing.files.upload import Upload
from wikiapi_plugins.editing.pageactions.changecontentmodel import ChangeContentModel
from wikiapi_plugins.editing.pageactions.delete import Delete
from wikiapi_plugins.editing.pageactions.importing import Import
from wikiapi_plugins.editing.pageactions.mergehistory import MergeHistory
from wikiapi_plugins.editing.pageactions.move import Move
from wikiapi_plugins.editing.pageactions.protect import Protect
from wikiapi_plugins.editing.pageactions.purge import Purge
from wikiapi_plugins.editing.pageactions.setpagelanguage import SetPageLanguage
from wikiapi_plugins.editing.pageactions.undelete import Undelete
from wikiapi_plugins.editing.revisionactions.managetags import ManageTags
from wikiapi_plugins.editing.revisionactions.patrol import Patrol
from wikiapi_plugins.editing.revisionactions.revisiondelete import RevisionDelete
from wikiapi_plugins.editing.revisionactions.rollback import Rollback
from wikiapi_plugins.editing.revisionactions.stashedit import StashEdit
from wikiapi_plugins.editing.revisionactions.tag import Tag
from wikiapi_plugins.editing.watchlists.clearhasmsg import ClearHasMsg
from wikiapi_plugins.editing.watchlists.setnotificationtimestamp import SetNotificationTimestamp
from wikiapi_plugins.editing.watchlists.watch import Watch

ACTIONS: tuple[type[Action], ...] = (
    AcquireTempUserName,
    Block,
    ChangeAuthenticationData,
    ChangeContentModel,
    ClearHasMsg,
    CreateAccount,
    Delete,
    Edit,
    EmailUser,
    FileRevert,
    ImageRotate,
    Import,
    LinkAccount,
    ManageTags,
    MergeHistory,
    Move,
    Options,
    Patrol,
    Protect,
    Purge,
    RemoveAuthenticationData,
    ResetPassword,
    RevisionDelete,
    Rollback,
    SetNotificationTimestamp,
    SetPageLanguage,
    StashEdit,
    Tag,
    Unblock,
    Undelete,
    UnlinkAccount,
    Upload,
    UserRights,
    Watch,
)
