"""HTML in wikitext: the tags and attributes that are allowed, and tidying of the result."""
