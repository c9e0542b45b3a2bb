"""Gets the messages of a wiki's interface from a live wiki or from a MediaWiki tree."""
