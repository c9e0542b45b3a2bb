"""News of the wiki as RSS and Atom."""
