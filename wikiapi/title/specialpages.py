"""The special pages that MediaWiki has, by canonical name."""

from __future__ import annotations

_NAMES = """
    ActiveUsers AllMessages AllMyUploads AllPages Ancientpages ApiHelp ApiSandbox
    AuthenticationPopupSuccess AutoblockList Badtitle Blankpage Block BlockList Booksources
    BotPasswords BrokenRedirects Categories ChangeContentModel ChangeCredentials ChangeEmail
    ChangePassword ComparePages Confirmemail Contribute Contributions CreateAccount
    Deadendpages DeletedContributions DeletePage Diff DoubleRedirects EditPage EditRecovery
    EditTags EditWatchlist Emailuser ExpandTemplates Export Fewestrevisions
    FileDuplicateSearch Filepath GoToInterwiki GoToLocalSpecialPage Import Interwiki
    Invalidateemail JavaScriptTest LinkAccounts LinkSearch Listadmins Listbots
    ListDuplicatedFiles Listfiles Listgrants Listgrouprights Listredirects Listusers Lockdb
    Log Lonelypages Longpages MediaStatistics MergeHistory MIMEsearch Mostcategories
    Mostimages Mostinterwikis Mostlinked Mostlinkedcategories Mostlinkedtemplates
    Mostrevisions Movepage Mute MyLanguage Mycontributions MyLog Mypage Mytalk Myuploads
    NamespaceInfo Newimages Newpages NewSection PageData PageHistory PageInfo PageLanguage
    PagesWithProp PasswordPolicies PasswordReset PermanentLink Preferences Prefixindex
    Protectedpages Protectedtitles ProtectPage Purge RandomInCategory Randompage
    Randomredirect Randomrootpage Recentchanges Recentchangeslinked Redirect RemoveCredentials
    Renameuser ResetTokens RestSandbox Revisiondelete RunJobs Search Shortpages Specialpages
    Statistics Tags TalkPage TrackingCategories Unblock Uncategorizedcategories
    Uncategorizedimages Uncategorizedpages Uncategorizedtemplates Undelete UnlinkAccounts
    Unlockdb Unusedcategories Unusedimages Unusedtemplates Unwatchedpages Upload UploadStash
    Userlogin Userlogout UserRights Version Wantedcategories Wantedfiles Wantedpages
    Wantedtemplates Watchlist Whatlinkshere Withoutinterwiki
"""

SPECIAL_PAGES: frozenset[str] = frozenset(_NAMES.split())

_FOLDED = frozenset(name.lower() for name in SPECIAL_PAGES)


def is_special_page(text: str) -> bool:
    """Whether a name, sub-page and all, is a special page; case does not count."""
    return text.partition("/")[0].replace(" ", "").replace("_", "").lower() in _FOLDED
