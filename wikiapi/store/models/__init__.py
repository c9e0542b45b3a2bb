"""Peewee models of MediaWiki 1.45's tables: its names, columns, keys and indexes."""

from __future__ import annotations

from wikiapi.store.models.actor import Actor, Comment
from wikiapi.store.models.block import Block, BlockTarget, IpblocksRestrictions
from wikiapi.store.models.category import Category, CategoryLinks, Collation
from wikiapi.store.models.changes import ChangeTag, ChangeTagDef, RecentChanges
from wikiapi.store.models.content import Content, ContentModels, SlotRoles, Slots, Text
from wikiapi.store.models.file import File, FileRevision, FileTypes
from wikiapi.store.models.image import FileArchive, Image, OldImage
from wikiapi.store.models.links import (
    ExistenceLinks,
    ExternalLinks,
    ImageLinks,
    IwLinks,
    LangLinks,
    LinkTarget,
    PageLinks,
    TemplateLinks,
)
from wikiapi.store.models.log import Logging, LogSearch
from wikiapi.store.models.page import Page, PageProps, Redirect
from wikiapi.store.models.protection import PageRestrictions, ProtectedTitles
from wikiapi.store.models.querycache import QueryCache, QueryCacheInfo, QueryCacheTwo
from wikiapi.store.models.revision import Archive, IpChanges, Revision
from wikiapi.store.models.site import Interwiki, SiteStats, UpdateLog
from wikiapi.store.models.user import User, UserFormerGroups, UserGroups, UserProperties
from wikiapi.store.models.watchlist import Watchlist

ALL_MODELS = (
    Actor,
    Archive,
    Block,
    BlockTarget,
    Category,
    CategoryLinks,
    ChangeTag,
    ChangeTagDef,
    Collation,
    Comment,
    Content,
    ContentModels,
    ExistenceLinks,
    ExternalLinks,
    File,
    FileArchive,
    FileRevision,
    FileTypes,
    Image,
    ImageLinks,
    Interwiki,
    IpChanges,
    IpblocksRestrictions,
    IwLinks,
    LangLinks,
    LinkTarget,
    LogSearch,
    Logging,
    OldImage,
    Page,
    PageLinks,
    PageProps,
    PageRestrictions,
    ProtectedTitles,
    QueryCache,
    QueryCacheInfo,
    QueryCacheTwo,
    RecentChanges,
    Redirect,
    Revision,
    SiteStats,
    SlotRoles,
    Slots,
    TemplateLinks,
    Text,
    UpdateLog,
    User,
    UserFormerGroups,
    UserGroups,
    UserProperties,
    Watchlist,
)

__all__ = [
    "ALL_MODELS",
    "Actor",
    "Archive",
    "Block",
    "BlockTarget",
    "Category",
    "CategoryLinks",
    "ChangeTag",
    "ChangeTagDef",
    "Collation",
    "Comment",
    "Content",
    "ContentModels",
    "ExistenceLinks",
    "ExternalLinks",
    "File",
    "FileArchive",
    "FileRevision",
    "FileTypes",
    "Image",
    "ImageLinks",
    "Interwiki",
    "IpChanges",
    "IpblocksRestrictions",
    "IwLinks",
    "LangLinks",
    "LinkTarget",
    "LogSearch",
    "Logging",
    "OldImage",
    "Page",
    "PageLinks",
    "PageProps",
    "PageRestrictions",
    "ProtectedTitles",
    "QueryCache",
    "QueryCacheInfo",
    "QueryCacheTwo",
    "RecentChanges",
    "Redirect",
    "Revision",
    "SiteStats",
    "SlotRoles",
    "Slots",
    "TemplateLinks",
    "Text",
    "UpdateLog",
    "User",
    "UserFormerGroups",
    "UserGroups",
    "UserProperties",
    "Watchlist",
]
