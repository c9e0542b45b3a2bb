"""Conversion of a page to a variant of its language, including the markup ``-{...}-``."""
