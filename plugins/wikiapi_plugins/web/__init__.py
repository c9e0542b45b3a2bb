"""Plugins that answer browsers and other HTTP clients besides the API: pages, files, metrics."""
