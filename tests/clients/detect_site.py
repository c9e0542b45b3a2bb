"""Detects the wiki of each address with Pywikibot; prints a line of JSON for each."""

from __future__ import annotations

import json
import sys

from pywikibot.site_detect import MWSite

for url in sys.argv[1:]:
    site = MWSite(url)
    print(json.dumps([site.api, site.articlepath, str(site.version), site.lang]))
