"""Variables (magic words that expand to a value): one module per family."""
