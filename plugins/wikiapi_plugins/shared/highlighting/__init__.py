"""Syntax highlighting of source code."""
