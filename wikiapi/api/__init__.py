"""The framework of the Action API: modules, their parameters, and results."""

from __future__ import annotations

from wikiapi.api.context import CacheMode, RequestContext
from wikiapi.api.format import Format, Rendered
from wikiapi.api.module import Action, Module
from wikiapi.api.params.declaration import (
    Condition,
    Param,
    boolean,
    continuation,
    direction,
    enum,
    integer,
    limit,
    namespace,
    sort_direction,
    string,
    text,
    timestamp,
    title,
    user,
)
from wikiapi.api.params.types.timestamp import compact, iso, moment_of
from wikiapi.api.params.validate import Params
from wikiapi.api.query.continuation import bad_continue
from wikiapi.api.query.module import ListModule, MetaModule, PropModule, QueryModule
from wikiapi.api.query.output import stored_title, title_data
from wikiapi.api.query.pageset import PAGE_SET, GeneratedPages, PageSet
from wikiapi.api.query.reports import Namespaces, QueryPage, Report, cached_moment, report_of
from wikiapi.api.request import ApiRequest, UploadedFile
from wikiapi.api.result import Arr, IdMap, Indexed, KeyValues, Loose, Obj, Result

__all__ = [
    "PAGE_SET",
    "Action",
    "ApiRequest",
    "Arr",
    "CacheMode",
    "Condition",
    "Format",
    "GeneratedPages",
    "IdMap",
    "Indexed",
    "KeyValues",
    "ListModule",
    "Loose",
    "MetaModule",
    "Module",
    "Namespaces",
    "Obj",
    "PageSet",
    "Param",
    "Params",
    "PropModule",
    "QueryModule",
    "QueryPage",
    "Rendered",
    "Report",
    "RequestContext",
    "Result",
    "UploadedFile",
    "bad_continue",
    "boolean",
    "cached_moment",
    "compact",
    "continuation",
    "direction",
    "enum",
    "integer",
    "iso",
    "limit",
    "moment_of",
    "namespace",
    "report_of",
    "sort_direction",
    "stored_title",
    "string",
    "text",
    "timestamp",
    "title",
    "title_data",
    "user",
]
