"""The parser's own interface texts, one file per language."""
