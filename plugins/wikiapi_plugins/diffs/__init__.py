"""Differences between texts: found by line and by word, drawn as tables."""
