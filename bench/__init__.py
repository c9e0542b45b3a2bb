"""Benchmarks: ``make bench``. Each measures wikiapi against a bare program in the same run."""
