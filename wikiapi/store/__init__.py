"""The store: MediaWiki's table layout and the batched queries on it."""
