"""Titles, namespaces and interwiki prefixes."""
