"""Conversion of a page between the variants of its language: ``-{...}-`` and all other text."""
