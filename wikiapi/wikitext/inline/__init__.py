"""Markup within a line: quotes, links, addresses."""
