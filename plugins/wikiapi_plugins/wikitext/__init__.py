"""What the core of MediaWiki adds to wikitext: functions, variables, tags, content models."""
