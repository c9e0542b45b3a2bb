"""Benchmarks, run by ``make bench``. Most compare wikiapi with a minimal program in one run."""
