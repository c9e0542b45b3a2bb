"""The wiki as a static site: documents, pictures, a search in the browser, lists and a sitemap."""
