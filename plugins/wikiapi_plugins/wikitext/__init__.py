"""MediaWiki's built-in parser functions, variables, tags, special pages and content models."""
