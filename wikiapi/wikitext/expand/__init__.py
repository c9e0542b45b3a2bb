"""Expansion: templates, arguments, variables, parser functions and extension tags."""
