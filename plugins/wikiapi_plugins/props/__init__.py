"""Property modules: one per ``prop=`` value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.props.categories import Categories
from wikiapi_plugins.props.categoryinfo import CategoryInfo
from wikiapi_plugins.props.contributors import Contributors
from wikiapi_plugins.props.deletedrevisions import DeletedRevisions
from wikiapi_plugins.props.duplicatefiles import DuplicateFiles
from wikiapi_plugins.props.extlinks import ExtLinks
from wikiapi_plugins.props.fileusage import FileUsage
from wikiapi_plugins.props.imageinfo import ImageInfo
from wikiapi_plugins.props.images import Images
from wikiapi_plugins.props.info import Info
from wikiapi_plugins.props.iwlinks import IwLinks
from wikiapi_plugins.props.langlinks import LangLinks
from wikiapi_plugins.props.links import Links
from wikiapi_plugins.props.linkshere import LinksHere
from wikiapi_plugins.props.pageprops import PageProps
from wikiapi_plugins.props.redirects import Redirects
from wikiapi_plugins.props.revisions import Revisions
from wikiapi_plugins.props.stashimageinfo import StashImageInfo
from wikiapi_plugins.props.templates import Templates
from wikiapi_plugins.props.transcludedin import TranscludedIn

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule

MODULES: tuple[type[QueryModule], ...] = (
    Categories,
    CategoryInfo,
    Contributors,
    DeletedRevisions,
    DuplicateFiles,
    ExtLinks,
    FileUsage,
    ImageInfo,
    Images,
    Info,
    IwLinks,
    LangLinks,
    Links,
    LinksHere,
    PageProps,
    Redirects,
    Revisions,
    StashImageInfo,
    Templates,
    TranscludedIn,
)
