"""List modules: one per ``list=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.lists.allcategories import AllCategories
from wikiapi_plugins.lists.alldeletedrevisions import AllDeletedRevisions
from wikiapi_plugins.lists.allfileusages import AllFileUsages
from wikiapi_plugins.lists.allimages import AllImages
from wikiapi_plugins.lists.alllinks import AllLinks
from wikiapi_plugins.lists.allpages import AllPages
from wikiapi_plugins.lists.allredirects import AllRedirects
from wikiapi_plugins.lists.allrevisions import AllRevisions
from wikiapi_plugins.lists.alltransclusions import AllTransclusions
from wikiapi_plugins.lists.allusers import AllUsers
from wikiapi_plugins.lists.backlinks import Backlinks
from wikiapi_plugins.lists.blocks import Blocks
from wikiapi_plugins.lists.categorymembers import CategoryMembers
from wikiapi_plugins.lists.codexicons import CodexIcons
from wikiapi_plugins.lists.deletedrevs import DeletedRevs
from wikiapi_plugins.lists.embeddedin import EmbeddedIn
from wikiapi_plugins.lists.exturlusage import ExtUrlUsage
from wikiapi_plugins.lists.filearchive import FileArchive
from wikiapi_plugins.lists.imageusage import ImageUsage
from wikiapi_plugins.lists.iwbacklinks import IwBacklinks
from wikiapi_plugins.lists.langbacklinks import LangBacklinks
from wikiapi_plugins.lists.logevents import LogEvents
from wikiapi_plugins.lists.mystashedfiles import MyStashedFiles
from wikiapi_plugins.lists.pagepropnames import PagePropNames
from wikiapi_plugins.lists.pageswithprop import PagesWithProp
from wikiapi_plugins.lists.prefixsearch import PrefixSearch
from wikiapi_plugins.lists.protectedtitles import ProtectedTitles
from wikiapi_plugins.lists.querypage import QueryPage
from wikiapi_plugins.lists.random import Random
from wikiapi_plugins.lists.recentchanges import RecentChangesList
from wikiapi_plugins.lists.search import Search
from wikiapi_plugins.lists.tags import Tags
from wikiapi_plugins.lists.trackingcategories import TrackingCategories
from wikiapi_plugins.lists.usercontribs import UserContribs
from wikiapi_plugins.lists.users import Users
from wikiapi_plugins.lists.watchlist import Watchlist
from wikiapi_plugins.lists.watchlistraw import WatchlistRaw

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule

MODULES: tuple[type[QueryModule], ...] = (
    AllCategories,
    AllDeletedRevisions,
    AllFileUsages,
    AllImages,
    AllLinks,
    AllPages,
    AllRedirects,
    AllRevisions,
    AllTransclusions,
    AllUsers,
    Backlinks,
    Blocks,
    CategoryMembers,
    CodexIcons,
    DeletedRevs,
    EmbeddedIn,
    ExtUrlUsage,
    FileArchive,
    ImageUsage,
    IwBacklinks,
    LangBacklinks,
    LogEvents,
    MyStashedFiles,
    PagePropNames,
    PagesWithProp,
    PrefixSearch,
    ProtectedTitles,
    QueryPage,
    Random,
    RecentChangesList,
    Search,
    Tags,
    TrackingCategories,
    UserContribs,
    Users,
    Watchlist,
    WatchlistRaw,
)
