"""Lark grammars of the wikitext pipeline, read through importlib.resources."""
