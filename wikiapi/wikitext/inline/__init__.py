"""Markup within a line: quotes, links, URLs, behaviour switches."""
