"""What MediaWiki's extensions do, each a plugin of its own that can be switched off by its name."""
