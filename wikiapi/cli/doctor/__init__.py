"""``wikiapi doctor``: diagnose problems with a configuration or a store."""
