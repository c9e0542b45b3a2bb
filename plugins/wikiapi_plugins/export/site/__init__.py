"""The wiki as a static site: pages, files, a search in the browser, lists and a sitemap."""
