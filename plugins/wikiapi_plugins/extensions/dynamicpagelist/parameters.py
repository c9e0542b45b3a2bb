"""The parameters of DynamicPageList3: what those mean that lists follow, and which they ignore.

Names, values and defaults are those of the extension. A parameter that is in none of these tables,
nor read by :mod:`.options` itself, is unknown to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from wikiapi.title import FILE, TEMPLATE

MODES = frozenset({"unordered", "ordered", "none", "inline", "category", "definition", "gallery",
                   "userformat"})  # fmt: skip
ORDERS = frozenset({"none", "title", "titlewithoutnamespace", "fulltitle", "sortkey", "category",
                    "categoryadd", "categorysortkey", "lastedit", "firstedit", "created", "size",
                    "length", "pagetouched", "user"})  # fmt: skip
IGNORED_ORDERS = frozenset({"pagesel", "popularity", "counter"})
"""Orders by what the store does not have."""
GALLERY_MODES = frozenset({"traditional", "nolines", "packed", "packed-hover", "packed-overlay",
                           "slideshow"})  # fmt: skip

NUMBERS: Mapping[str, int] = {
    "count": 500,
    "offset": 100_000,
    "titlemaxlength": 255,
    "includemaxlength": 1_000_000,
    "randomcount": 500,
    "minrevisions": 10**8,
    "maxrevisions": 10**8,
    "cacheperiod": 10**8,
    "imagewidth": 2000,
    "imageheight": 2000,
    "imagesperrow": 100,
}
"""Numbers with their maximum. A larger one is taken for the maximum."""
FLAGS = frozenset({"addeditdate", "adduser", "addauthor", "addlasteditor", "addpagesize",
                   "addcategories", "addpagetoucheddate", "addfirstcategorydate", "shownamespace",
                   "skipthispage", "suppresserrors", "escapelinks", "showcurid", "includesubpages",
                   "includetrim", "galleryshowfilename"})  # fmt: skip
TRUE = frozenset({"true", "yes", "1", "on"})
FALSE = frozenset({"false", "no", "0", "off"})
CHOICES: Mapping[str, frozenset[str]] = {
    "redirects": frozenset({"exclude", "include", "only"}),
    "minoredits": frozenset({"exclude", "include"}),
    "goal": frozenset({"pages", "categories"}),
    "gallerymode": GALLERY_MODES,
}
TITLE_LISTS: Mapping[str, int] = {
    "linksto": 0,
    "notlinksto": 0,
    "linksfrom": 0,
    "notlinksfrom": 0,
    "uses": TEMPLATE,
    "notuses": TEMPLATE,
    "usedby": 0,
    "imageused": FILE,
    "imagecontainer": 0,
    "title": 0,
    "nottitle": 0,
}
"""Lists of titles with their default namespace."""
PEOPLE = frozenset({"createdby", "notcreatedby", "modifiedby", "notmodifiedby", "lastmodifiedby",
                    "notlastmodifiedby"})  # fmt: skip
PATTERNS = frozenset({"titlematch", "nottitlematch", "categorymatch", "notcategorymatch"})
MOMENTS = frozenset({"firstrevisionsince", "lastrevisionbefore"})
TEXTS = frozenset({"format", "listseparators", "inlinetext", "resultsheader", "resultsfooter",
                   "noresultsheader", "noresultsfooter", "oneresultheader", "oneresultfooter",
                   "include", "includepage", "includematch", "includenotmatch",
                   "multisecseparators", "secseparators", "table", "tablerow", "userdateformat",
                   "titlegt", "titlelt", "replaceintitle", "listattr", "itemattr",
                   "gallerycaption"})  # fmt: skip
OTHER = frozenset({"category", "notcategory", "namespace", "notnamespace", "articlecategory",
                   "categoriesminmax", "mode", "ordermethod", "order", "tablesortcol",
                   "allowcachedresults"})  # fmt: skip
FOLLOWED = OTHER.union(TEXTS, MOMENTS, PATTERNS, PEOPLE, FLAGS, TITLE_LISTS, NUMBERS, CHOICES)
"""The names of all parameters that lists follow."""
ALIASES = {"title<": "titlelt", "title>": "titlegt"}

_DEFAULTS = frozenset({"", "none", "include"}) | FALSE
IGNORED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("addcontribution", "addexternallink", "addpagecounter", "allrevisionsbefore",
         "allrevisionssince", "categoryregexp", "deleterules", "dominantsection", "execandexit",
         "fixcategory", "galleryshowfilesize", "googlehack", "headingmode", "hiddencategories",
         "ignorecase", "includematchparsed", "includenotmatchparsed", "linkstoexternal",
         "linkstoexternaldomain", "linkstoexternalpath", "nofollow", "notcategoryregexp",
         "nottitleregexp", "openreferences", "ordercollation", "qualitypages", "rowsize", "scroll",
         "stablepages", "titleregexp", "updaterules", "warncachedresults"),
        _DEFAULTS,
    ),
    "columns": _DEFAULTS | {"1"},
    "rows": _DEFAULTS | {"1"},
    "debug": frozenset({"", "0", "1", "2"}),
    "distinct": TRUE | {"strict"},
    "tablesortmethod": _DEFAULTS | {"standard"},
    # The links of a list are not derived, so that there are none of these to take back.
    **dict.fromkeys(("eliminate", "reset"), _DEFAULTS | {"links", "templates", "images"}),
}  # fmt: skip
"""Parameters that lists ignore, with the values for which this changes nothing."""
WITHOUT_EFFECT = frozenset({"dplcache", "dplcacheperiod", "dplcachestorage", "headingcount",
                            "hitemattr", "hlistattr", "rowcolformat",
                            "suppresspurge"})  # fmt: skip
"""Parameters that never change the pages of a list, or only with one that is ignored."""
