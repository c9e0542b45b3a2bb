"""File repositories other than the wiki's own."""
