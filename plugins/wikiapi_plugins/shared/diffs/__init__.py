"""Differences between texts by line and word, as tables and as inline diffs."""
