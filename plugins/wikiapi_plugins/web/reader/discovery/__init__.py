"""Documents with which browsers and search engines discover the wiki's pages and search."""
