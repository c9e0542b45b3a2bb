"""The wikitext pipeline: from wikitext to HTML and the facts about a page."""
