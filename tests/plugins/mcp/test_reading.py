"""What language models are told, without the server that tells it."""

from __future__ import annotations

from contextlib import closing

import pytest

from wikiapi.testing import make_site
from wikiapi_plugins.mcp.reading import ReadingError, WikiReader


def test_search_results_are_ranked_and_say_why() -> None:
    pages = {"Tea": "A drink.", "Chai": "#REDIRECT [[Tea]]", "Help:Tea": "Tea tea tea."}
    site = make_site(pages)
    with closing(site.db):
        reader = WikiReader(site)
        answer = reader.search("chai")
        assert answer["results"][0] == {"title": "Tea", "snippet": "A drink.", "redirect": "Chai"}
        assert [hit["title"] for hit in reader.search("tea")["results"]] == ["Tea", "Help:Tea"]
        assert reader.search("tea", limit=1, offset=1)["results"][0]["title"] == "Help:Tea"
        with pytest.raises(ReadingError, match="has no words"):
            reader.search("")


def test_a_private_wiki_is_not_searched() -> None:
    site = make_site({"Tea": "A drink."}, config={"permissions": {"anonymous_rights": []}})
    with closing(site.db), pytest.raises(ReadingError, match="account"):
        WikiReader(site).search("tea")
