"""Benchmarks: ``make bench``. Most compare wikiapi with a minimal program in the same run."""
