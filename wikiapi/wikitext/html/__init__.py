"""HTML in wikitext: which tags and attributes may pass, and how the result is tidied."""
